// `lockstep gate` as somebody meets it who changed a script: what is told of a good and of a bad change, what
// is asked anew, the baseline, stored trails, and bad input.
#include <map>
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* owner_checked = R"(if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then
  return nil;
end;
)";
constexpr const char* released = R"(local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1);
if (counter > 0) then
  redis.call('pexpire', KEYS[1], ARGV[2]);
  return 0;
end;
redis.call('del', KEYS[1]);
redis.call('publish', KEYS[2], ARGV[1]);
return 1;
)";

class GateCli : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    std::filesystem::create_directories(at("scenarios"));
    for (const char* name : {"not-the-owner", "two-clients"})
      std::filesystem::copy(std::string("scenarios/plain/") + name + ".toml", at("scenarios"));
    file("good.lua", std::string(owner_checked) + released);
    file("same.lua", std::string("-- only the owner may\n") + owner_checked + released);
    file("bad.lua", std::string("-- anybody may\n") + released);
  }

  Finished gate(const std::string& head, const std::string& more = "") const {
    return typed("unset CI GITHUB_ACTIONS; lockstep gate --base unlock=good.lua --head unlock=" + head +
                 " --scenarios scenarios " + more);
  }
  void keep_baseline() const { ASSERT_EQ(gate("good.lua", "--update-baseline").status, 0); }
  bool there_is(const std::string& name) const { return std::filesystem::exists(at(name)); }

  std::string with_accepted(const std::string& property, const std::string& until) const {
    std::string text = content(at("lockstep-baseline.json"));
    const std::size_t end = text.find("]}");
    return text.insert(end, R"({"scenario":"plain/not-the-owner","property":")" + property +
                                R"(","reason":"it is documented","until":")" + until + "\"}\n");
  }
};

/// Another lock's script in the same role is not the one that changed.
TEST_F(GateCli, OfAChangedScriptThatNoSchemeSendsNothingIsKnown) {
  const Finished it = typed(
      "lockstep gate --base redisson@3.10.5 --head unlock=bad.lua --scenarios schemes/set-nx-px");
  EXPECT_EQ(it.status, 4) << it.out << it.err;
  EXPECT_THAT(it.out, HasSubstr("so nothing is known of it: unlock"));
  const Finished checked = typed("lockstep check schemes/set-nx-px --scripts unlock=bad.lua");
  EXPECT_THAT(checked.out, HasSubstr("; the script put in place of `unlock` was never sent\n"));
  EXPECT_THAT(typed("lockstep check plain/two-clients --scripts unlock=good.lua").out,
              Not(HasSubstr("never sent")));
}

/// Its scenario says where it is, and that stays the same.
TEST_F(GateCli, AnAnswerIsNotKeptOverAChangedScriptOfAScheme) {
  const std::string take = "return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') and 1 or 0";
  file("take.lua", take);
  std::filesystem::create_directories(at("own"));
  file("own/own.toml",
       "format = 1\n[scheme.mine]\nlease = \"5s\"\nholder = { string = \"{owner}\" }\n"
       "acquire = { script = \"../take.lua\", keys = [\"{lock}\"], args = [\"{owner}\", \"{lease}\"], "
       "reply = { 1 = \"granted\", 0 = \"refused\" } }\n"
       "release = { send = \"DEL {lock}\", reply = { 1 = \"released\", 0 = \"not the holder\" } }\n"
       "[process.P]\ncount = 2\nthreads = [[\"lock mine:x\", \"work 1s\", \"unlock mine:x\"]]\n");
  const std::string asked = "unset CI; lockstep gate --head redisson@3.10.5 --scenarios own --cache kept";
  const auto results = [&] { return content(at("kept/gate.results.jsonl")); };
  EXPECT_EQ(typed(asked + " --update-baseline").status, 0);
  const std::string before = results();
  EXPECT_EQ(typed(asked).status, 0);
  EXPECT_EQ(results(), before);
  file("take.lua", "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])\nreturn 1");
  typed(asked);
  EXPECT_NE(results(), before);
  EXPECT_THAT(results(), HasSubstr("\"verdict\":\"violated\""));
}

TEST_F(GateCli, AChangeThatKeepsEveryPromiseIsGreen) {
  const Finished it = gate("same.lua");
  EXPECT_EQ(it.status, 0) << it.out << it.err;
  EXPECT_THAT(it.out, HasSubstr("changed scripts: unlock (same.lua, +1 −0); 16 unchanged"));
  EXPECT_THAT(it.out, HasSubstr("2 checked, all complete"));
  EXPECT_THAT(it.out, Not(HasSubstr("different behaviour"))) << "a comment changes no transition";
  EXPECT_THAT(it.out, ::testing::ContainsRegex("\n[0-9]+ same\nexit 0\n"));
}

TEST_F(GateCli, ABadChangeIsToldWithTheLineOfItsWriteAndReplays) {
  const Finished it = gate("bad.lua");
  EXPECT_EQ(it.status, 1) << it.out << it.err;
  EXPECT_THAT(it.out, HasSubstr("REGRESSED  plain/not-the-owner · owner-only   proved → violated"));
  EXPECT_THAT(it.out, HasSubstr("bad.lua:7\n")) << "the line of the DEL";
  EXPECT_THAT(it.out, HasSubstr("seen → unseen"));
  EXPECT_THAT(it.out, HasSubstr("the unlock of B1 changed the hold of A1"));
  EXPECT_THAT(it.out, Not(HasSubstr("two-clients"))) << "nothing changed there";
  const std::size_t replay = it.out.find("lockstep replay ");
  ASSERT_NE(replay, std::string::npos);
  const std::string again = it.out.substr(replay, it.out.find('\n', replay) - replay);
  EXPECT_THAT(again, Not(HasSubstr("good.lua")));
  EXPECT_EQ(typed(again).status, 0) << again;
}

// 3.10.5's unlock answers 1 where the lock is gone, so that nobody is told there that he is not the owner.
TEST_F(GateCli, WhatScriptsCannotShowThatTheScenarioDoesNotNameIsANote) {
  for (const char* name : {"not-the-owner", "two-clients"})
    std::filesystem::remove(at(std::string("scenarios/") + name + ".toml"));
  std::filesystem::copy("scenarios/plain/operator-deletes.toml", at("scenarios"));
  const std::string gate = "unset CI GITHUB_ACTIONS; lockstep gate --scenarios scenarios --head ";
  const Finished it = typed(gate + "redisson@3.10.5 --base redisson@3.10.5");
  EXPECT_EQ(it.status, 0) << it.out;
  EXPECT_THAT(it.out, HasSubstr("which the scenario does not name: plain/operator-deletes · sometimes "));
  const Finished named = typed(gate + "redisson@3.10.5");
  EXPECT_EQ(named.status, 1) << "the scenario's own scripts show it\n" << named.out;
  const std::string scenario = content(at("scenarios/operator-deletes.toml"));
  file("scenarios/operator-deletes.toml",
       std::string(scenario).replace(scenario.find("3.12.3"), 6, "3.10.5"));
  EXPECT_EQ(typed(gate + "redisson@3.10.5").status, 4) << "it asks in vain what it asks by itself";
}

TEST_F(GateCli, WhatTheBaselineKnowsIsNotAskedAgain) {
  keep_baseline();
  std::filesystem::remove_all(at("out"));
  EXPECT_EQ(gate("good.lua").status, 0);
  EXPECT_FALSE(there_is("out/gate.results.jsonl")) << "nothing was checked";
  EXPECT_EQ(gate("bad.lua").status, 1);
  const std::string results = content(at("out/gate.results.jsonl"));
  EXPECT_EQ(std::count(results.begin(), results.end(), '\n'), 3) << "a heading, and two answers of the head";
}

TEST_F(GateCli, AnAnswerIsKeptForTheVeryQuestionOnly) {
  EXPECT_EQ(gate("bad.lua").status, 1);
  const std::string before = content(at("out/gate.results.jsonl"));
  const Finished again = gate("bad.lua");
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(content(at("out/gate.results.jsonl")), before);
  EXPECT_EQ(gate("bad.lua", "--max-states 5").status, 1) << "it breaks within five states as well, or 3";
  EXPECT_NE(content(at("out/gate.results.jsonl")), before) << "other limits are another question";
}

TEST_F(GateCli, ABaselineIsNotWrittenInCi) {
  const std::string line = "lockstep gate --head redisson@3.10.5 --scenarios scenarios --update-baseline";
  expect_one_sentence(typed("export CI=true; " + line), "in CI");
  EXPECT_FALSE(there_is("lockstep-baseline.json"));
  EXPECT_EQ(typed("unset CI; " + line).status, 0);
  EXPECT_TRUE(there_is("lockstep-baseline.json"));
  const std::string text = content(at("lockstep-baseline.json"));
  EXPECT_EQ(typed("unset CI; " + line).status, 0);
  EXPECT_EQ(content(at("lockstep-baseline.json")), text) << "the same verdicts are the same bytes";
}

TEST_F(GateCli, WhatIsAcceptedIsSoUntilItsDay) {
  keep_baseline();
  std::filesystem::copy("scenarios/plain/stale-write.toml", at("scenarios"));
  const std::string only = "--fail-on regressed --scenarios plain/not-the-owner";
  std::string all;
  for (const char* property : {"owner-only", "expectations", "answers"})
    file("lockstep-baseline.json", with_accepted(property, "2027-06-30"));
  const std::string line =
      "unset CI; lockstep gate --base unlock=good.lua --head unlock=bad.lua --scenarios "
      "scenarios/not-the-owner.toml";
  const Finished before = typed("export SOURCE_DATE_EPOCH=1814313600; " + line);  // 2027-06-30
  EXPECT_EQ(before.status, 1) << "a witness is gone, too";
  EXPECT_THAT(before.out, HasSubstr("accepted   plain/not-the-owner · owner-only"));
  EXPECT_THAT(before.out, HasSubstr("accepted until 2027-06-30: it is documented"));
  EXPECT_THAT(before.out, Not(HasSubstr("REGRESSED  plain/not-the-owner · owner-only")));
  const Finished after = typed("export SOURCE_DATE_EPOCH=1814400000; " + line);
  EXPECT_THAT(after.out, HasSubstr("REGRESSED  plain/not-the-owner · owner-only"));
  EXPECT_THAT(after.out, HasSubstr("it was accepted until 2027-06-30, which is over"));
  const Finished unused =
      typed("unset CI; lockstep gate --head unlock=good.lua --scenarios plain/two-clients");
  EXPECT_THAT(unused.out, HasSubstr("matches no violation; take it out of the baseline"));
  EXPECT_THAT(unused.out, HasSubstr("gone       plain/not-the-owner"));
}

TEST_F(GateCli, AStoredTrailIsReplayedFirst) {
  typed("lockstep check scenarios/not-the-owner.toml --scripts unlock=bad.lua --out-dir traces");
  ASSERT_TRUE(there_is("traces/plain/not-the-owner/owner-only.trail"));
  std::filesystem::remove(at("scenarios/not-the-owner.toml"));  // the trail alone knows of it
  EXPECT_THAT(gate("same.lua", "--trails traces").out, HasSubstr("3 trails replayed: 3 same"));
  const Finished broken = gate("bad.lua", "--trails traces");
  EXPECT_EQ(broken.status, 1) << broken.out << broken.err;
  EXPECT_THAT(broken.out, HasSubstr("3 trails replayed: 0 same, 3 broken by the head alone"));
  EXPECT_THAT(broken.out,
              HasSubstr("the stored trail traces/plain/not-the-owner/owner-only.trail breaks it"));
  const Finished mended = typed(
      "lockstep gate --base unlock=bad.lua --head unlock=good.lua --scenarios scenarios --trails traces");
  EXPECT_EQ(mended.status, 0) << mended.out << mended.err;
  EXPECT_THAT(mended.out, HasSubstr("0 same, 3 no longer broken (fixed?)"));
}

TEST_F(GateCli, AChangedScriptThatNothingSendsIsNotGreen) {
  file("renew.lua", "return redis.call('pexpire', KEYS[1], ARGV[1]);");
  const std::string line = "lockstep gate --head renew=renew.lua --scenarios scenarios/not-the-owner.toml";
  const Finished it = typed(line);
  EXPECT_EQ(it.status, 4) << it.out << it.err;
  EXPECT_THAT(it.out, HasSubstr("sent by no scenario that was checked, so nothing is known of it: renew"));
  EXPECT_EQ(typed(line + " --fail-on regressed").status, 0);
}

TEST_F(GateCli, ACutSearchIsUnknownAndNeverGreen) {
  const Finished it = typed(
      "lockstep gate --head unlock=same.lua --scenarios plain/three-clients --max-states 50 "
      "--runs 5");
  EXPECT_EQ(it.status, 3) << it.out << it.err;
  EXPECT_THAT(it.out, HasSubstr("1 checked, 1 not complete"));
}

TEST_F(GateCli, AScenarioIsAskedOnceAndItsNameIsItsOwn) {
  EXPECT_THAT(gate("same.lua", "scenarios/two-clients.toml plain/two-clients").out, HasSubstr("2 checked"));
  std::string text = content(at("scenarios/two-clients.toml"));
  file("other.toml", text.replace(text.find("10s"), 3, "11s"));
  const Finished it = gate("same.lua", "other.toml");
  expect_one_sentence(it, "two of one name");
  EXPECT_THAT(it.err, HasSubstr("other.toml are both called plain/two-clients"));
}

TEST_F(GateCli, AWordThatMeansNothingIsASentence) {
  for (const char* words :
       {"--head unlock=good.lua --scenarios scenarios --scenarios 'plain/x*'",
        "--head unlock=none.lua --scenarios scenarios", "--head nothing@1 --scenarios scenarios",
        "--head unlock=good.lua --scenarios scenarios --trails nowhere"})
    expect_one_sentence(typed(std::string("lockstep gate ") + words), words);
  for (const auto& [words, says] : std::map<std::string, std::string>{
           {"--head unlock=good.lua", "--scenarios is missing"},
           {"--scenarios scenarios", "--head is missing"},
           {"--head unlock=good.lua scenarios --export xml=x", "where KIND is `junit`, `sarif`"},
           {"--head unlock=good.lua scenarios --export junit=", "wants a file behind `junit=`"},
           {"--head unlock=good.lua scenarios --fail-on all", "`new` or `gone`, not `all`"}}) {
    const Finished it = typed("lockstep gate " + words);
    EXPECT_EQ(it.status, 2) << words;
    EXPECT_THAT(it.err, HasSubstr("lockstep gate: "));
    EXPECT_THAT(it.err, HasSubstr(says));
    EXPECT_EQ(it.out, "") << words;
  }
}

TEST_F(GateCli, AWordOfScriptsIsToldOfTheOptionItWasTypedBehind) {
  for (const auto& [words, says] : std::map<std::string, std::string>{
           {"--head bad.lua", "--head bad.lua: unknown script set"},
           {"--head unlock=none.lua,lock=good.lua", "--head unlock=none.lua: cannot read"},
           {"--base unlock=none.lua --head lock=good.lua", "--base unlock=none.lua: cannot read"}}) {
    const Finished it = typed("lockstep gate --scenarios scenarios " + words);
    expect_one_sentence(it, words);
    EXPECT_THAT(it.err, HasSubstr("error: " + says));
    EXPECT_THAT(it.err, Not(HasSubstr("--scripts"))) << words;
  }
  const Finished no_base =
      typed("lockstep gate --scenarios scenarios --base nothing@1 --head redisson@3.10.5");
  EXPECT_THAT(no_base.out, HasSubstr("has no base: --base nothing@1: unknown")) << no_base.err;
}

TEST_F(GateCli, WhereNothingIsSelectedTheAnswerIsThat) {
  std::filesystem::create_directories(at("empty"));
  for (const char* verb : {"gate --head unlock=good.lua --scenarios ", "mutate ", "check "}) {
    const Finished it = typed(std::string("lockstep ") + verb + "'plain/x*'");
    EXPECT_EQ(it.status, 4) << verb << it.err;
    EXPECT_EQ(it.err, "no scenario is called like plain/x*\n") << verb;
  }
  const Finished folder = typed("lockstep gate --head unlock=good.lua empty 'plain/x*'");
  EXPECT_EQ(folder.status, 4);
  EXPECT_EQ(folder.err, "there is no scenario in the folder empty; no scenario is called like plain/x*\n");
}

TEST_F(GateCli, ABaselineThatIsNamedAndMissingIsNoted) {
  const Finished it = gate("same.lua", "--baseline none/");
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.err, HasSubstr("note: --baseline none/: there is no such file"));
  EXPECT_THAT(gate("same.lua").err, Not(HasSubstr("note: "))) << "nobody named one";
  EXPECT_THAT(gate("same.lua", "--update-baseline --baseline new.json").err, Not(HasSubstr("note: ")));
  EXPECT_THAT(gate("same.lua", "--baseline new.json").err, Not(HasSubstr("note: ")));
}

TEST_F(GateCli, AFileThatIsNoGoodIsASentenceAndIsLeftAsItIs) {
  keep_baseline();
  const std::string good = content(at("lockstep-baseline.json"));
  std::vector<std::string> bad = bad_files();
  bad.erase(bad.begin());  // a missing baseline is an empty one
  bad.push_back(file("newer.json", std::string(good).replace(good.find("\"v\":1"), 5, "\"v\":2")));
  bad.push_back(file("cut.json", good.substr(0, good.size() / 2)));
  bad.push_back(file("edited.json", std::string(good).replace(good.find("proved"), 6, "passed")));
  for (const std::string& path : bad) {
    const std::string before = content(path);
    expect_one_sentence(gate("bad.lua", "--update-baseline --baseline " + path), path);
    EXPECT_EQ(content(path), before) << path;
  }
  for (const char* text : {"", "hello\n", "{\"lockstep\":\"results\",\"v\":7,\"program\":\"x\"}\n"}) {
    file("out/gate.results.jsonl", text);
    expect_one_sentence(gate("same.lua", "--baseline none.json"), text);
    EXPECT_EQ(content(at("out/gate.results.jsonl")), text);
  }
  file("out/gate.results.jsonl", "{\"lockstep\":\"results\",\"v\":1,\"program\":\"of another build\"}\n");
  EXPECT_EQ(gate("same.lua", "--baseline none.json").status, 0) << "what another build found is of no use";
}

TEST_F(GateCli, AResultThatSomebodyEditedIsRefused) {
  gate("same.lua");
  std::string text = content(at("out/gate.results.jsonl"));
  file("out/gate.results.jsonl", text.replace(text.find("proved"), 6, "passed"));
  expect_one_sentence(gate("same.lua"), "edited");
  file("out/gate.results.jsonl", text.substr(0, text.size() - 9));
  expect_one_sentence(gate("same.lua"), "cut off");
}

TEST_F(GateCli, WithinAWorkflowNoLineOfAScenarioIsACommand) {
  const Finished it =
      typed("export GITHUB_ACTIONS=true; lockstep gate --head unlock=bad.lua --scenarios scenarios");
  EXPECT_EQ(it.status, 1);
  EXPECT_THAT(it.out, ::testing::StartsWith("::stop-commands::"));
  EXPECT_THAT(it.out,
              HasSubstr("\n::error file=bad.lua,line=7,title=plain/not-the-owner owner-only::regressed"));
  EXPECT_THAT(typed("export GITHUB_ACTIONS=true; lockstep gate --annotations none --head unlock=bad.lua "
                    "--scenarios scenarios")
                  .out,
              Not(HasSubstr("::")));
}

TEST_F(GateCli, JsonIsForPrograms) {
  const auto json = nlohmann::json::parse(gate("bad.lua", "--format json").out);
  EXPECT_EQ(json["lockstep"], "findings");
  EXPECT_EQ(json["complete"], true);
  std::size_t regressed = 0;
  for (const auto& one : json["findings"]) regressed += one["outcome"] == "regressed" ? 1 : 0;
  EXPECT_EQ(regressed, 4u) << "owner-only, expectations, answers, and the witness";
}

}  // namespace
}  // namespace lockstep::tools
