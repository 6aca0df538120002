// `[[property]]`: properties that a scenario brings along, written in Lua.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class OwnProperties : public CliTest {
 protected:
  static std::string property(const std::string& name, const std::string& kind, const std::string& lua) {
    return fmt::format("[[property]]\nname = '{}'\nkind = '{}'\nlua = \"{}\"\n", name, kind, lua);
  }
  /// Two threads that take one lock.
  std::string scenario(const std::string& more) const {
    return file("own.toml", "format = 1\n[process.A]\nthreads = [['lock x', 'work 1s', 'unlock x']]\n"
                            "[process.B]\nthreads = [['lock x', 'unlock x']]\n" + more);
  }
  /// The verdict of each property that is asked for.
  nlohmann::json checked(const std::string& file, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"check", file, "--format", "json", "--out-dir", at("out")};
    words.insert(words.end(), more.begin(), more.end());
    const Finished it = lockstep(words);
    EXPECT_TRUE(it.status == 0 || it.status == 1 || it.status == 4) << it.err;
    return nlohmann::json::parse(it.out)[0];
  }
  static std::string verdict(const nlohmann::json& result, const std::string& name) {
    for (const auto& one : result["properties"])
      if (one["name"] == name) return one["verdict"];
    return "not asked";
  }
};

TEST_F(OwnProperties, WhatIsAlwaysTrueIsProvedAndAScriptThatBreaksItIsCaught) {
  const std::string file = scenario(property("one-holder", "always", "count(believers('x')) <= 1"));
  const auto sound = checked(file);
  EXPECT_EQ(verdict(sound, "one-holder"), "proved");
  EXPECT_THAT(sound["symmetry_off"].dump(), HasSubstr("a property of the scenario"));
  const std::string mutant = std::filesystem::absolute("scenarios/mutants/lock-ignores-holder.lua").string();
  const auto broken = checked(file, {"--scripts", "lock=" + mutant});
  EXPECT_EQ(verdict(broken, "one-holder"), "violated");
  const std::string trail = at("out") + "/own/one-holder.trail";
  EXPECT_EQ(lockstep({"replay", trail, "--scenario", file}).status, 0);
  EXPECT_THAT(content(at("out") + "/own/one-holder.jsonl"),
              HasSubstr("`count(believers('x')) <= 1` is false"));
}

TEST_F(OwnProperties, WhatNeverHappensIsViolatedByTheShortestWayToIt) {
  const std::string file =
      scenario(property("nobody-waits", "never", "#waiters('x') > 0 and #holders('x') > 0"));
  EXPECT_EQ(verdict(checked(file), "nobody-waits"), "violated");
  const Finished expected = lockstep({"check",
                                      scenario(property("nobody-waits", "never", "#waiters('x') > 0") +
                                               "[expect]\nnobody-waits = 'violated'\n"),
                                      "--out-dir", at("out")});
  EXPECT_EQ(expected.status, 0) << expected.out << expected.err;
}

TEST_F(OwnProperties, WhatShouldBeSeenSometimesIsAWitness) {
  EXPECT_EQ(lockstep({"check", scenario(property("queue", "sometimes", "contains(waiters('x'), 'B1')")),
                      "--out-dir", at("out")}).status, 0);
  const Finished unseen =
      lockstep({"check", scenario(property("both", "sometimes", "count(believers('x')) == 2")), "--out-dir",
                at("out")});
  EXPECT_EQ(unseen.status, 4);
  EXPECT_THAT(unseen.out, HasSubstr("both"));
}

TEST_F(OwnProperties, WhatIsEventuallyTrueIsSoInEachRunThatEnds) {
  const auto both = checked(scenario(property("b-had-it", "eventually", "contains(believers('x'), 'B1')") +
                                     property("b-twice", "eventually", "holds('x', 'B1') == 2")));
  EXPECT_EQ(verdict(both, "b-had-it"), "proved");
  EXPECT_EQ(verdict(both, "b-twice"), "violated");
  EXPECT_EQ(lockstep({"replay", at("out") + "/own/b-twice.trail", "--scenario", at("own.toml")}).status, 0);
}

TEST_F(OwnProperties, APredicateSeesWhatIsStoredWhereverItAsks) {
  const std::vector<std::string> truths{"stored('x') == nil or type(stored('x')) == 'table'",
                                        "left('x') == nil or left('x') <= 30000",
                                        "up('R0') and running('A') and master() == 'R0'",
                                        "count(locks()) == 1 and contains(locks(), 'x')",
                                        "#keys() == #keys('R0')",
                                        "not ended('A1') or #holders('x') < 2",
                                        "local all = '' for field in pairs(stored('x') or {}) do all = all "
                                        ".. field end return all ~= 'nothing'"};
  std::string properties;
  for (std::size_t i = 0; i < truths.size(); ++i)
    properties += property(fmt::format("p{}", i), "always", truths[i]);
  const auto result = checked(scenario(properties));
  for (std::size_t i = 0; i < truths.size(); ++i)
    EXPECT_EQ(verdict(result, fmt::format("p{}", i)), "proved") << truths[i];
}

TEST_F(OwnProperties, OneIsCheckedAloneByItsName) {
  const auto result = checked(scenario(property("mine", "always", "true")), {"--property", "mine"});
  EXPECT_EQ(result["properties"].size(), 1u);
  expect_one_sentence(lockstep({"check", at("own.toml"), "--property", "yours"}), "there is none");
}

TEST_F(OwnProperties, WhatCannotBeEvaluatedIsRefusedAtItsPlace) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"count(holders('x') <=", "line 1: "},
      {"holder('x')", "nonexistent global variable 'holder'"},
      {"#holders('y') == 0", "the scenario has no lock `y`"},
      {"holds('x', 'C1') == 0", "the scenario has no thread `C1`"},
      {"up('R7')", "the scenario has no node `R7`"},
      {"count(holders('x'))", "it is true or false, and this is a number"},
      {"seen = true return seen", "modify a readonly table"},
      {"redis.call('DEL', 'x') == 1", "a predicate only looks at the state: there is no `DEL`"},
      {"while true do end return true", "200000"},
      {"holders(1) == nil", "a name is a text, not a number"}};
  for (const auto& [lua, why] : wrong) {
    const Finished it = lockstep({"check", scenario(property("p", "always", lua))});
    expect_one_sentence(it, lua);
    EXPECT_THAT(it.err, AllOf(HasSubstr(why), HasSubstr("own.toml:9:"), Not(HasSubstr("user_script"))))
        << lua;
    EXPECT_EQ(lockstep({"lint", at("own.toml")}).status, 2) << lua;
  }
}

TEST_F(OwnProperties, OneThatFailsLaterHasNoVerdictAndSaysWhy) {
  const Finished it =
      lockstep({"check", scenario(property("p", "always", "#holders('x') == 0 or nobody.home"))});
  expect_one_sentence(it, "it fails when the lock is held");
  EXPECT_THAT(it.err, HasSubstr("the predicate `p` has no value in a state that was met: line 1: "));
}

TEST_F(OwnProperties, TheTableIsReadStrictly) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"[[property]]\nlua = 'true'\n", "needs its `name`"},
      {"[[property]]\nname = 'p'\n", "needs its `lua`"},
      {"[[property]]\nname = '../p'\nlua = 'true'\n", "`name` wants at most 60 of a-z, 0-9 and -"},
      {"[[property]]\nname = 'owner-only'\nlua = 'true'\n", "`owner-only` is the name of another property"},
      {"[[property]]\nname = 'p'\nkind = 'allways'\nlua = 'true'\n", "did you mean `always`?"},
      {"[[property]]\nname = 'p'\nlua = 'true'\nkid = 'never'\n", "did you mean `kind`?"},
      {"[property]\nname = 'p'\nlua = 'true'\n", "[[property]]"},
      {property("p", "sometimes", "true") + "[expect]\np = 'holds'\n", "unknown property `p`"}};
  for (const auto& [text, why] : wrong) {
    const Finished it = lockstep({"check", scenario(text)});
    expect_one_sentence(it, text);
    EXPECT_THAT(it.err, HasSubstr(why)) << text;
  }
}

TEST_F(OwnProperties, TheNormalisedFormReadsBackAndAGateAsksForThem) {
  const std::string file = scenario(property("one-holder", "always", "count(believers('x')) <= 1"));
  const std::string normalised = lockstep({"lint", file, "--print", "normalised"}).out;
  EXPECT_THAT(normalised,
              HasSubstr("\n[[property]]\nkind = \"always\"\nlua = \"count(believers('x')) <= 1\"\n"));
  const std::string again = this->file("again.toml", normalised);
  EXPECT_EQ(lockstep({"lint", again, "--print", "normalised"}).out, normalised);
  const std::string mutant = std::filesystem::absolute("scenarios/mutants/lock-ignores-holder.lua").string();
  const Finished gate =
      here({"gate", "--base", "redisson@3.10.5", "--head", "lock=" + mutant, "--scenarios", file});
  EXPECT_EQ(gate.status, 1) << gate.err;
  EXPECT_THAT(gate.out, HasSubstr("one-holder"));
}

}  // namespace
}  // namespace lockstep::tools
