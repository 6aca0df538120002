// The schema of scenarios, held against the reader and against every scenario that comes with the program.
#include "tools/manual/scenario_schema.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "scenarios/embedded.h"
#include "scenarios/format/toml_as_json.h"
#include "tools/cli/cli_fixture.h"
#include "tools/cli/load.h"

namespace lockstep::tools {
namespace {

using Json = nlohmann::json;

/// As much of JSON Schema as the schema uses; where a value is wrong.
std::string mistake(const Json& schema, const Json& value, const std::string& path) {
  if (schema.contains("anyOf")) {
    std::string all;
    for (const Json& one : schema["anyOf"]) {
      const std::string wrong = mistake(one, value, path);
      if (wrong.empty()) return "";
      all += wrong + "; ";
    }
    return all;
  }
  if (schema.contains("const") && schema["const"] != value) return path + " is another constant";
  if (schema.contains("type")) {
    const std::string type = value.is_number_integer() ? "integer" : value.type_name();
    const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
    if (std::find(types.begin(), types.end(), type) == types.end()) return path + " is of type " + type;
  }
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return path + " is none of the words";
  if (schema.contains("minimum") && (value < schema["minimum"] || value > schema["maximum"]))
    return path + " is out of range";
  if (schema.contains("items"))
    for (std::size_t i = 0; i < value.size(); ++i)
      if (auto wrong = mistake(schema["items"], value[i], fmt::format("{}[{}]", path, i)); !wrong.empty())
        return wrong;
  for (const Json& key : schema.value("required", Json::array()))
    if (!value.contains(key)) return path + " has no " + key.get<std::string>();
  if (!value.is_object()) return "";
  for (const auto& [key, inner] : value.items()) {
    const std::string here = path + "." + key;
    const Json known = schema.value("properties", Json::object());
    Json of = true;
    if (known.contains(key)) of = known[key];
    else if (schema.contains("patternProperties") && key.find('=') != std::string::npos)
      of = schema["patternProperties"]["="];
    else of = schema.value("additionalProperties", Json(true));
    if (of == false) return here + " is unknown";
    if (of.is_object())
      if (auto wrong = mistake(of, inner, here); !wrong.empty()) return wrong;
  }
  return "";
}

const Json& the_schema() {
  static const Json schema = Json::parse(scenario_schema());
  return schema;
}

std::string mistake_in(const std::string& toml_text) {
  return mistake(the_schema(), Json::parse(scenarios::toml_as_json(toml_text)), "");
}

TEST(ScenarioSchema, TakesEveryScenarioThatComesWithTheProgram) {
  std::size_t count = 0;
  for (const sim::EmbeddedFile& file : scenarios::embedded_scenarios()) {
    if (!file.name.ends_with(".toml")) continue;
    EXPECT_EQ(mistake_in(std::string(file.text)), "") << file.name;
    ++count;
  }
  EXPECT_GT(count, 100u);
}

TEST(ScenarioSchema, RefusesWhatIsMisspeltOrOfAnotherType) {
  const std::string good = "format = 1\n[process.A]\nthreads = [[\"lock a\"]]\n";
  EXPECT_EQ(mistake_in(good), "");
  EXPECT_EQ(mistake_in(good + "[time]\nwatchdgo = \"3s\"\n"), ".time.watchdgo is unknown");
  EXPECT_EQ(mistake_in(good + "[time]\nwatchdog = 3\n"), ".time.watchdog is of type integer");
  EXPECT_EQ(mistake_in(good + "[faults]\ncrash-node = -1\n"), ".faults.crash-node is out of range");
  EXPECT_EQ(mistake_in(good + "[expect]\nmutual-exclusion = \"fine\"\n"),
            ".expect.mutual-exclusion is none of the words");
  EXPECT_NE(mistake_in("format = 2\n"), "");
  EXPECT_NE(mistake_in("format = 1\n[process.A]\ncount = 2\n"), "");
}

/// The keys that the reader says it knows where an unknown one stands.
std::set<std::string> known_to_reader(const std::string& table) {
  const std::string text =
      "format = 1\n[process.A]\nthreads = [[\"write r\"]]\n" + table + "\n\"no such key\" = 1\n";
  const auto setup = scenarios::read_scenario(text, "x.toml", *script_library(), vocabulary());
  EXPECT_FALSE(setup.ok()) << table;
  std::set<std::string> keys;
  if (setup.ok()) return keys;
  const std::string all = setup.problem().text;
  const std::size_t begin = all.find("known are ");
  EXPECT_NE(begin, std::string::npos) << all;
  static const std::regex word("`([^`]+)`");
  for (std::sregex_iterator at(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end(), word), end;
       at != end; ++at)
    keys.insert((*at)[1]);
  return keys;
}

std::set<std::string> known_to_schema(const Json& schema) {
  std::set<std::string> keys;
  for (const auto& [key, inner] : schema["properties"].items()) keys.insert(key);
  return keys;
}

TEST(ScenarioSchema, HasTheKeysThatTheReaderHasInEveryTable) {
  const Json& all = the_schema()["properties"];
  EXPECT_EQ(known_to_schema(all["time"]), known_to_reader("[time]"));
  EXPECT_EQ(known_to_schema(all["redis"]), known_to_reader("[redis]"));
  EXPECT_EQ(known_to_schema(all["redisson"]), known_to_reader("[redisson]"));
  EXPECT_EQ(known_to_schema(all["faults"]), known_to_reader("[faults]"));
  EXPECT_EQ(known_to_schema(all["bounds"]), known_to_reader("[bounds]"));
  EXPECT_EQ(known_to_schema(all["process"]["additionalProperties"]),
            known_to_reader("[process.B]\nthreads = [[\"write r\"]]"));
  EXPECT_EQ(known_to_schema(all["scheme"]["additionalProperties"]),
            known_to_reader("[scheme.x]\nacquire = { send = \"INCR a\", reply = { 1 = \"granted\" } }\n"
                            "release = { send = \"DEL a\", reply = { \"*\" = \"released\" } }\n"
                            "holder = { string = \"{owner}\" }"));
  EXPECT_EQ(known_to_schema(all["resource"]["additionalProperties"]), known_to_reader("[resource.r]"));
}

using SchemaCli = CliTest;

TEST_F(SchemaCli, HelpPrintsTheSchema) {
  const Finished it = lockstep({"help", "schema"});
  EXPECT_EQ(it.status, 0);
  EXPECT_EQ(it.out, scenario_schema());
  EXPECT_EQ(lockstep({"help", "schema", "-o", at("s.json")}).status, 0);
  EXPECT_EQ(content(at("s.json")), scenario_schema());
}

}  // namespace
}  // namespace lockstep::tools
