// Every example is one: the command lines of every verb and page run, the options that pages name exist, the
// scenarios in them are scenarios, and the trail of `help trail` is read.
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "model/world/faults/table.h"
#include "model/world/moves_help.h"
#include "properties/monitors/catalog.h"
#include "sim/testing/sanitizers.h"
#include "sim/trace.h"
#include "sim/trail/trail.h"
#include "tools/cli/cli_fixture.h"
#include "tools/cli/help_texts.h"
#include "tools/cli/verb.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex wanted(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), wanted), end; it != end; ++it)
    found.push_back((*it)[1].str());
  return found;
}

std::string page(const std::string& topic) { return run_program(LOCKSTEP_PROGRAM, {"help", topic}).out; }

/// The command lines that a verb or a page of help shows, by the name of what shows them.
std::map<std::string, std::vector<std::string>> examples() {
  std::map<std::string, std::vector<std::string>> all;
  for (const Verb& verb : verbs())
    all["verb_" + std::string(verb.name)] = {verb.examples.begin(), verb.examples.end()};
  for (const sim::EmbeddedFile& file : help_texts()) {
    const std::vector<std::string> shown = matches(std::string(file.text), "`(lockstep [^`]*)`");
    if (!shown.empty()) all["page_" + std::string(topic_of(file))] = shown;
  }
  return all;
}

std::vector<std::string> names_of_examples() {
  std::vector<std::string> names;
  for (const auto& [name, lines] : examples()) names.push_back(name);
  return names;
}

/// With the files that examples are about. Those that take time to make are made for who names them.
class HelpExamples : public CliTest, public ::testing::WithParamInterface<std::string> {
 protected:
  void bring(const std::string& lines) const {
    namespace fs = std::filesystem;
    const auto named = [&](const char* word) { return lines.find(word) != std::string::npos; };
    fs::create_directories(at("scenarios"));
    fs::copy("scenarios/plain", at("scenarios/plain"));
    fs::copy("scenarios/plain/two-clients.toml", at("two.toml"));
    fs::copy("scenarios/plain/two-clients.toml", at("FILE"));
    fs::copy("lua/scripts/lock-hset.lua", at("my-lock.lua"));
    for (const char* name : {"my-unlock.lua", "fixed.lua"}) fs::copy("lua/scripts/unlock.lua", at(name));
    file("held.txt", "HSET orders client:1 1\nPEXPIRE orders 30000\n");
    file("bad.lua", "redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1;");
    if (named("import")) {
      const std::string sources = matches(page("import"), "```java\n([^`]*)```").at(0);
      for (const char* folder : {"PATH", "CHECKOUT", "redisson"}) {
        fs::create_directories(at(folder));
        file(std::string(folder) + "/RedissonLock.java", sources);
      }
    }
    if (named("bug.trail")) {
      typed("lockstep check plain/not-the-owner --scripts unlock=bad.lua");
      fs::copy(at("out/plain/not-the-owner/owner-only.trail"), at("bug.trail"));
    }
    if (named("out/")) typed("lockstep check plain/pause-outlives-lease");
    if (named("run.jsonl")) typed("lockstep run two.toml --trace run.jsonl");
    if (named("result.json")) typed("lockstep check two.toml --format json > result.json");
    if (named("start.trail")) typed("lockstep run plain/two-clients -o start.trail");
    if (named("before.jsonl"))
      typed("lockstep run two.toml --trace before.jsonl; lockstep run two.toml --seed 3 --trace after.jsonl");
    if (named("calls.jsonl"))
      file("calls.jsonl", matches(page("histories"), "```json\n([^`]*)```").at(0));
    if (named("history.edn"))
      typed("lockstep run two.toml --trace h.jsonl; lockstep trace export h.jsonl --as edn -o history.edn");
    if (named("shard-1.json"))
      for (const std::string shard : {"1", "2"})
        typed("lockstep check two.toml --runs 20 --shard " + shard + "/2 -o shard-" + shard + ".json");
    if (named("redis-monitor"))
      typed("lockstep run two.toml --monitor > monitor.log; cp monitor.log LOG");
    if (named("merge shard-"))
      for (const char* i : {"1", "2"})
        typed(fmt::format("lockstep check two.toml --runs 4 --shard {0}/2 -o shard-{0}.json", i));
    if (named("--trails traces")) fs::create_directories(at("traces"));
  }

  Finished run(const std::string& line) const {
    std::string quick = std::regex_replace(line, std::regex("100_000"), "100");
    // Mutants of three scripts over all scenarios of a folder take minutes.
    quick = std::regex_replace(quick, std::regex(R"(mutate 'plain/\*'( --of \w+)+)"),
                               "mutate plain/two-clients --of unlock");
    // Instrumented, a search of some seconds takes minutes: one scenario stands for all of its name.
    if (sim::testing::address_sanitizer)
      quick = std::regex_replace(quick, std::regex("-k failover"), "-k old-master-returns");
    return typed("HOME=\"$PWD\"; " + quick);
  }
};

TEST_P(HelpExamples, Run) {
  const std::set<std::string> elsewhere{"lockstep bench", "lockstep graph --kind states"};  // slow; a name
  const std::vector<std::string> lines = examples()[GetParam()];
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  bring(all);
  std::filesystem::create_directories(at(".local/share/bash-completion/completions"));
  for (const std::string& line : lines) {
    const bool serves = line.starts_with("lockstep serve") && line.find("--help") == line.npos;
    if (elsewhere.contains(line) || serves) continue;  // serve_cli_test.cpp
    const Finished it = run(line);
    EXPECT_TRUE(it.status == 0 || it.status == 1) << line << ": " << it.status << it.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Help, HelpExamples, ::testing::ValuesIn(names_of_examples()),
                         [](const auto& shown) {
                           return std::regex_replace(shown.param, std::regex("-"), "_");
                         });

class HelpScenarios : public CliTest {};

TEST(HelpPages, ShowCommandLines) { EXPECT_GE(examples().size(), 20u); }

TEST_F(HelpScenarios, ThoseInPagesAreScenarios) {
  for (const sim::EmbeddedFile& each : help_texts())
    for (const std::string& text : matches(std::string(each.text), "```toml\n([^`]*)```")) {
      const std::string scenario = file("x.toml", text);
      const Finished it = lockstep({"check", scenario, "--out-dir", at("out"), "--strategy", "bfs",
                                    "--max-states", "20_000"});
      EXPECT_TRUE(it.status == 0 || it.status == 3) << each.name << it.err;
      EXPECT_THAT(it.out, ::testing::Not(HasSubstr("NOT as expected"))) << each.name;
    }
}

TEST(HelpPages, EveryOptionThatTheyNameIsOne) {
  std::string all;
  for (const Verb& verb : verbs()) all += page(std::string(verb.name));
  for (const sim::EmbeddedFile& each : help_texts())
    for (const std::string& option : matches(std::string(each.text), "`(--[a-z-]+)"))
      EXPECT_THAT(all, HasSubstr(option)) << each.name;
}

TEST(HelpPages, EveryTopicThatTheyNameIsOne) {
  for (const sim::EmbeddedFile& each : help_texts())
    for (const std::string& topic : matches(std::string(each.text), "`lockstep help ([a-z-]+)`"))
      EXPECT_EQ(run_program(LOCKSTEP_PROGRAM, {"help", topic}).status, 0) << each.name << topic;
}

TEST(HelpPages, PropertiesAreThoseThatAreListed) {
  const std::string text = page("properties");
  for (const properties::PropertyInfo& one : properties::catalog)
    EXPECT_THAT(text, HasSubstr("`" + std::string(one.name) + "`:")) << one.name;
  for (const std::string& name : matches(text, "`([a-z-]+)`:"))
    EXPECT_TRUE(properties::find_property(name)) << name;
}

TEST(HelpPages, TheTrailIsReadAndItsHeadersAreTold) {
  const std::string text = page("trail");
  std::string trail;
  for (std::string line : matches(text, "\n    ((?:lockstep-trail|[a-z]+ *=|#|@)[^\n]*)"))
    trail += std::regex_replace(line, std::regex("([0-9a-f]{8})…"), "$1" + std::string(32, 'a')) + "\n";
  trail = std::regex_replace(trail, std::regex("3f9c0a0*|3f9c0a…"), "3f9c0a");
  const auto read = sim::parse_trail(trail, "help");
  ASSERT_TRUE(read.ok()) << read.problem().text << trail;
  EXPECT_EQ(read->lines.size(), 2u);
  EXPECT_EQ(read->used.size(), 2u);
  for (const std::string& key : matches(sim::text_of(*read), "\n([a-z]+) *="))
    EXPECT_THAT(text.substr(text.find("| header |")), HasSubstr("`" + key + "`")) << key;
}

TEST_F(HelpScenarios, TheMovesOfTheTrailExist) {
  std::string trail;
  for (const std::string& line :
       matches(page("trail"), "\n    ((?:lockstep-trail|scenario|property|verdict|then|@)[^\n]*)"))
    trail += line + "\n";
  const Finished it = lockstep({"replay", file("help.trail", trail)});
  EXPECT_EQ(it.status, 0) << trail << it.out << it.err;
}

TEST(HelpPages, EveryMoveIsListedAndEveryFault) {
  const std::string text = page("trail");
  for (const std::string& move : matches(model::moves_help({}), "    ([^\n]*)\n"))
    EXPECT_THAT(text, HasSubstr(move));
  for (const char* move : {"run T", "pass D", "reply N -> P/C", "heal P | N", "failover N", "crash-node N"})
    EXPECT_THAT(text, HasSubstr("    " + std::string(move) + "  "));
  for (const model::FaultId fault : model::faults_as_told({}))
    EXPECT_THAT(text, HasSubstr("beginning of the fault " + std::string(model::fault_row(fault, {}).key)));
}

TEST(HelpPages, TheTraceFormatNamesEveryKindAndEveryKey) {
  const std::string text = page("trace-format");
  for (const auto word : sim::trace_words)
    EXPECT_THAT(text, ::testing::ContainsRegex("[` ]" + std::string(word) + "[` ]"));
  for (const char* key : {"truth", "means", "wait", "steps", "cause"})
    EXPECT_THAT(text, HasSubstr("`" + std::string(key) + "`"));
}

}  // namespace
}  // namespace lockstep::tools
