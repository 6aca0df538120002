#include "scenarios/format/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/format/changed.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

using testing::HasSubstr;

constexpr const char* as_json = R"({"format": 1, "about": "a \"b\" \u0001 é", "time":
  {"watchdog": "10s", "epoch": "2023-11-14T22:13:20Z"},
 "process": {"A.x": {"count": 2, "threads": [["lock a"], {"count": 2, "steps": ["lock b"]}]}},
 "faults": {}})";
constexpr const char* as_toml = R"(format = 1
about = "a \"b\" \u0001 é"
[time]
watchdog = "10s"
epoch = 2023-11-14T22:13:20Z
[process."A.x"]
count = 2
threads = [["lock a"], { count = 2, steps = ["lock b"] }]
)";

sim::Result<model::Setup> json(std::string_view text) {
  return read_scenario(text, "x.json", test_library(), test_vocabulary());
}

std::string refusal(std::string_view text) {
  const auto setup = json(text);
  return setup.ok() ? "no error" : setup.problem().text;
}

TEST(JsonText, IsTheScenarioThatTheSameKeysMakeInToml) {
  const auto one = json(as_json);
  const auto other = read_scenario(as_toml, "x.toml", test_library(), test_vocabulary());
  ASSERT_TRUE(one.ok()) << one.problem().text;
  ASSERT_TRUE(other.ok()) << other.problem().text;
  EXPECT_TRUE(*one == *other);
  EXPECT_EQ(one->digest, other->digest);
}

TEST(JsonText, AByteOrderMarkInFrontIsNoPartOfIt) {
  const std::string marked = std::string("\xEF\xBB\xBF") + as_json;
  const auto setup = read_scenario(marked, "x.toml", test_library(), test_vocabulary());
  ASSERT_TRUE(setup.ok()) << setup.problem().text;
  EXPECT_TRUE(*setup == *json(as_json));
  EXPECT_THAT(refusal("\xEF\xBB\xBF{x"), HasSubstr("--> x.json:1:2\n"));
}

TEST(JsonText, MistakesAreToldByThePathOfTheirKey) {
  EXPECT_EQ(refusal(R"({"format": 1, "process": {"A": {"threads": [["lock a", "lock a lese=1s"]]}}})"),
            "error: unknown option `lese` of step `lock`\n  --> x.json: process.A.threads[0][1]\n"
            "   | did you mean `lease`?");
  EXPECT_THAT(
      refusal(R"({"format": 1, "tmie": {"grain": "1s"}, "process": {"A": {"threads": [["lock a"]]}}})"),
      AllOf(HasSubstr("unknown table [tmie]"), HasSubstr("--> x.json: tmie\n")));
  EXPECT_THAT(refusal(R"({"format": 1, "time": {"grain": 5}, "process": {"A": {"threads": [["lock a"]]}}})"),
              HasSubstr("--> x.json: time.grain"));
}

TEST(JsonText, WhatIsNoScenarioIsRefusedInOneSentence) {
  EXPECT_EQ(refusal("{\"format\": 1,\n \"x\" 2}"),
            "error: this is not JSON from here on\n  --> x.json:2:6\n2 |  \"x\" 2}\n  |      ^");
  EXPECT_EQ(refusal("[1]"), "error: x.json is JSON, but no object with the keys of a scenario");
  EXPECT_THAT(refusal("{\"format\": 1, \"format\": 2}"), HasSubstr("has the key \"format\" twice"));
  EXPECT_THAT(refusal("{\"format\": 1, \"time\": {\"grain\": null}}"), HasSubstr("--> x.json: time.grain"));
  EXPECT_THAT(refusal(std::string(1000, '[') + std::string(1000, ']')), HasSubstr("no object"));
  std::string deep = "{\"a\": ";
  for (int i = 0; i < 50; ++i) deep += "[";
  EXPECT_THAT(refusal(deep + std::string(50, ']') + "}"), HasSubstr("more than 32 levels"));
  EXPECT_THAT(refusal("{\"format\": 1e999}"), HasSubstr("x.json"));
  EXPECT_THAT(refusal(""), HasSubstr("is empty"));
}

TEST(JsonText, AValueIsChangedInItAsInToml) {
  const auto changed = changed_scenario(as_json, "x.json", "time.watchdog", "20s");
  ASSERT_TRUE(changed.ok()) << changed.problem().text;
  const auto setup = json(*changed);
  ASSERT_TRUE(setup.ok()) << setup.problem().text;
  EXPECT_EQ(setup->client.watchdog, sim::Duration(20'000));
}

}  // namespace
}  // namespace lockstep::scenarios
