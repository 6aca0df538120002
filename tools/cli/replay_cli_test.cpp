// What a check found is run again by the line that it prints: with the scripts that were named, from files
// of any name; and what a trail names must exist.
#include <regex>
#include <set>

#include <fmt/format.h>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

const std::string careless = "redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1;";

class ReplayCli : public CliTest {
 protected:
  /// The command that a check printed behind a word such as "replay".
  static std::string printed(const Finished& it, const std::string& word) {
    const std::size_t at = it.out.find("  " + word + "  ");
    if (at == std::string::npos) return "";
    const std::size_t begin = it.out.find("lockstep", at);
    return it.out.substr(begin, it.out.find('\n', begin) - begin);
  }
  std::string trail_of(const std::string& header, const std::string& moves = "") const {
    return file(
        "t.trail",
        fmt::format("lockstep-trail 1\nscenario = plain/two-clients\n{}then     = stop\n{}", header, moves));
  }
};

TEST_F(ReplayCli, ThePrintedLineWorksWhenScriptsWereNamed) {
  file("my unlock.lua", careless);
  const Finished it = here({"check", "plain/not-the-owner", "--scripts", "unlock=my unlock.lua"});
  ASSERT_EQ(it.status, 1) << it.out << it.err;
  const Finished again = typed(printed(it, "replay"));
  EXPECT_EQ(again.status, 0) << printed(it, "replay") << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("owner-only: violated after"));
  EXPECT_EQ(typed(printed(it, "look")).status, 0);
  const std::string trail = "out/plain/not-the-owner/owner-only.trail";
  EXPECT_THAT(content(at(trail)), HasSubstr(" my unlock.lua\n"));
  EXPECT_THAT(content(at(trail)), HasSubstr("script   = lock "));
  for (const char* verb : {"shrink", "graph"})
    EXPECT_EQ(here({verb, trail, "-o", "x.dot"}).status, 0) << verb;
}

TEST_F(ReplayCli, AScriptThatChangedIsNamedAndFollowedOnlyIfAsked) {
  file("u.lua", careless);
  here({"check", "plain/not-the-owner", "--scripts", "unlock=u.lua"});
  file("u.lua", careless + " -- mended");
  const std::string trail = "out/plain/not-the-owner/owner-only.trail";
  const Finished it = here({"replay", trail});
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, HasSubstr("the script of role `unlock` is another: the trail has u.lua (SHA1 "));
  EXPECT_THAT(it.err, Not(HasSubstr("`lock`")));
  const Finished lenient = here({"replay", trail, "--lenient"});
  EXPECT_EQ(lenient.status, 0) << lenient.out << lenient.err;
  EXPECT_THAT(lenient.err, HasSubstr("note: the script of role `unlock` is another"));
}

TEST_F(ReplayCli, ATrailThatCanBeFollowedIsFollowedExactlyByALenientReplay) {
  here({"check", "failover/master-dies-before-replication", "plain/pause-outlives-lease"});
  for (const char* trail : {"out/failover/master-dies-before-replication/mutual-exclusion.trail",
                            "out/failover/master-dies-before-replication/reentrancy.trail",
                            "out/plain/pause-outlives-lease/mutual-exclusion.trail",
                            "out/plain/pause-outlives-lease/mutual-exclusion.jsonl"}) {
    const Finished strict = here({"replay", trail}), lenient = here({"replay", trail, "--lenient"});
    EXPECT_EQ(lenient.status, 0) << trail << lenient.out;
    EXPECT_EQ(lenient.out, strict.out) << trail;
  }
  // The same commands in another script: nothing in it is gone, and nothing is cured.
  std::string spaced = content(std::filesystem::absolute("lua/scripts/unlock.lua").string());
  file("spaced.lua", spaced + " ");
  const Finished it = here({"replay", "out/plain/pause-outlives-lease/mutual-exclusion.trail", "--scripts",
                            "unlock=spaced.lua", "--lenient"});
  EXPECT_EQ(it.status, 0) << it.out << it.err;
  EXPECT_THAT(it.out, HasSubstr("mutual-exclusion: violated after"));
}

/// At each end of a line, before it, and in the middle (Trail.WhatIsCutOffAnywhereIsSaidToBe has every byte).
TEST_F(ReplayCli, ATrailThatIsCutOffAnywhereIsRefusedWithOneSentence) {
  here({"check", "plain/pause-outlives-lease"});
  const std::string whole = content(at("out/plain/pause-outlives-lease/mutual-exclusion.trail"));
  ASSERT_GT(whole.size(), 100U);
  std::set<std::size_t> places{0};
  for (std::size_t line = 0; line < whole.size(); line = whole.find('\n', line) + 1)
    places.insert({line, whole.find('\n', line), line + (whole.find('\n', line) - line) / 2});
  for (const std::size_t bytes : places) {
    file("cut.trail", whole.substr(0, bytes));
    const Finished it = here({"replay", "cut.trail"});
    EXPECT_EQ(it.status, 2) << bytes;
    EXPECT_THAT(it.err, HasSubstr(bytes == 0 ? "the file is empty" : "cut off")) << bytes;
    EXPECT_THAT(it.err, Not(HasSubstr("another version"))) << bytes;
    EXPECT_EQ(std::count(it.err.begin(), it.err.end(), '\n'), 1) << bytes << ": " << it.err;
  }
}

TEST_F(ReplayCli, ATrailOfAnotherScenarioIsToldFromOneOfAnotherVersion) {
  here({"check", "plain/pause-outlives-lease"});
  const std::string trail = "out/plain/pause-outlives-lease/mutual-exclusion.trail";
  const std::string own = content(std::filesystem::absolute("scenarios/plain/pause-outlives-lease.toml"));
  file("newer.toml", own + "\n[bounds]\novertaking = 7\n");
  file("other.toml", std::regex_replace(own, std::regex("plain/pause-outlives-lease"), "other"));
  const Finished newer = here({"replay", trail, "--scenario", "newer.toml"});
  EXPECT_EQ(newer.status, 2);
  EXPECT_THAT(newer.err, HasSubstr("the trail was made from another version of plain/pause-outlives-lease"));
  const Finished other = here({"replay", trail, "--scenario", "other.toml"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("the trail was made from plain/pause-outlives-lease, and this is other"));
}

TEST_F(ReplayCli, WhatIsNamedNowComesOnTopOfWhatTheTrailNames) {
  file("u.lua", careless);
  here({"check", "plain/not-the-owner", "--scripts", "redisson@3.12.2", "--scripts", "unlock=u.lua"});
  const std::string trail = "out/plain/not-the-owner/owner-only.trail";
  EXPECT_EQ(here({"replay", trail}).status, 0);
  const std::string mended = std::filesystem::absolute("lua/scripts/unlock.lua").string();
  const Finished it = here({"replay", trail, "--scripts", "unlock=" + mended, "--lenient"});
  EXPECT_EQ(it.status, 1) << it.out << it.err;
  EXPECT_THAT(it.out, HasSubstr("owner-only: not violated"));
}

TEST_F(ReplayCli, ResultsGoWhereTheyAreAsked) {
  const Finished check = here({"check", "plain/pause-outlives-lease", "-o", "result.txt"});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_EQ(check.out, "");
  EXPECT_THAT(content(at("result.txt")), HasSubstr("mutual-exclusion               violated"));
  here({"check", "plain/pause-outlives-lease", "--format", "json", "-o", "result.json"});
  EXPECT_THAT(content(at("result.json")), ::testing::StartsWith("[\n"));
  const Finished replay =
      here({"replay", "out/plain/pause-outlives-lease/mutual-exclusion.trail", "-o", "story.txt"});
  EXPECT_EQ(replay.out, "");
  EXPECT_THAT(content(at("story.txt")), HasSubstr("mutual-exclusion: violated after"));
  EXPECT_EQ(here({"check", "no-such", "-o", "none.txt"}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(at("none.txt")));
}

TEST_F(ReplayCli, WhatATrailNamesMustExist) {
  const auto refused = [&](const std::string& header, const std::string& moves, const std::string& why) {
    for (const char* verb : {"replay", "shrink", "graph"}) {
      const Finished it = here({verb, trail_of(header, moves)});
      EXPECT_EQ(it.status, 2) << verb << why;
      EXPECT_THAT(it.err, HasSubstr("t.trail:" + why)) << verb;
      EXPECT_EQ(it.out, "") << verb;
    }
  };
  refused("property = mutual-exclusio\n", "", "3: there is no property `mutual-exclusio`; did you mean");
  refused("verdict  = broken\n", "", "3: a run is `violated` or `passed`, not `broken`");
  refused("scripts  = redisson@1.2\n", "", "3: ");
  refused("", "0/2 run A1\n? dance A1\n", "5: `dance A1` is no move");
  refused("", "? run Z1\n", "4: there is no thread `Z1`");
  const std::string lost = file("lost.trail", "lockstep-trail 1\nscenario = no/such\nthen = stop\n");
  EXPECT_THAT(here({"replay", lost}).err, HasSubstr("lost.trail:2: the trail is of the scenario `no/such`"));
}

TEST_F(ReplayCli, AScenarioIsFoundWhereItWasOrBesideItsTrail) {
  const std::string text =
      "format = 1\nname = \"mine/own\"\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n"
      "[matrix]\n\"time.watchdog\" = [\"9s\", \"30s\"]\n";
  std::filesystem::create_directories(directory_ / "sub");
  file("sub/s.toml", text);
  EXPECT_EQ(here({"run", "./sub/s.toml[time.watchdog=9s]", "-o", "a.trail"}).status, 0);
  EXPECT_THAT(content(at("a.trail")), HasSubstr("\nfile     = ./sub/s.toml\n"));
  const auto found = [&](const std::string& trail) {
    const Finished it = here({"replay", trail});
    EXPECT_EQ(it.status, 0) << trail << it.err;
    return it.status == 0;
  };
  EXPECT_TRUE(found("a.trail"));
  std::filesystem::create_directories(directory_ / "kept/sub");
  std::filesystem::rename(at("a.trail"), at("kept/a.trail"));
  for (const char* place : {"kept/sub/s.toml", "kept/s.toml"}) {
    std::filesystem::rename(at(place == std::string("kept/s.toml") ? "kept/sub/s.toml" : "sub/s.toml"),
                            at(place));
    EXPECT_TRUE(found("kept/a.trail")) << place;
  }
  std::filesystem::remove(at("kept/s.toml"));
  EXPECT_THAT(
      here({"replay", "kept/a.trail"}).err,
      HasSubstr("kept/a.trail:3: the trail is of the scenario `mine/own[time.watchdog=9s]`, whose file "
                "./sub/s.toml is neither here nor beside the trail; name its file with --scenario"));
}

TEST_F(ReplayCli, WhatGoesOnByDefaultForEverIsEndedWhereItComesRound) {
  file("e.toml", "format = 1\n[process.A]\nthreads = [[\"repeat forever { lock a; work 1s; unlock a }\"]]\n");
  const std::string trail = file("e.trail", "lockstep-trail 1\nscenario = e.toml\nthen = default\n");
  const Finished exactly = here({"replay", trail, "-q"});
  EXPECT_THAT(exactly.out, HasSubstr("the trail goes on by default: it goes round for ever: after "));
  EXPECT_THAT(exactly.out, HasSubstr("properties: not violated after "));
  EXPECT_THAT(
      here({"replay", trail, "-q", "--lenient"}).out,
      HasSubstr("the trail goes on by default: its programs have no end, and it was ended 10000 moves "
                "behind the last decision\nproperties: not violated after 10000 moves"));
  const std::string until =
      file("u.trail", "lockstep-trail 1\nscenario = e.toml\nthen = default until 300\n");
  EXPECT_THAT(here({"replay", until, "-q"}).out, HasSubstr("properties: not violated after 300 moves"))
      << "what is asked for is played";
}

TEST_F(ReplayCli, CallsThatReturnInEachRoundAreNotSaidToBeStuck) {
  file(
      "e.toml",
      "format = 1\n[process.P]\ncount = 2\nthreads = [[\"repeat forever { lock a; work 1s; unlock a }\"]]\n");
  const std::string head = "lockstep-trail 1\nscenario = e.toml\nproperty = calls-return\n";
  for (const char* then : {"default", "stop", "default until 20"}) {
    const std::string trail = file("e.trail", head + "verdict  = passed\nthen = " + then + "\n");
    const Finished it = here({"replay", trail, "-q"});
    EXPECT_EQ(it.status, 0) << it.out;
    EXPECT_THAT(it.out, HasSubstr("calls-return: not violated after ")) << then;
  }
  file("never.lua", "return 1000");
  const Finished stuck =
      here({"replay", file("s.trail", head + "verdict = violated\nthen = default until 60\n"), "--scripts",
            "lock=never.lua", "-q"});
  EXPECT_EQ(stuck.status, 0) << stuck.out;
  EXPECT_THAT(stuck.out, HasSubstr("calls-return: violated after ")) << "nobody is ever given the lock";
  EXPECT_EQ(here({"shrink", at("e.trail")}).status, 2) << "there is nothing to make smaller";
}

TEST_F(ReplayCli, ATrailThatSaysNoVerdictIsNotSaidToBeRight) {
  file("d.toml",
       "format = 1\n[process.A]\nthreads = [[\"lock x\", \"lock y\", \"unlock y\", \"unlock x\"]]\n"
       "[process.B]\nthreads = [[\"lock y\", \"lock x\", \"unlock x\", \"unlock y\"]]\n");
  const std::string head = "lockstep-trail 1\nscenario = d.toml\n";
  const std::string crossed = "\n@3 ? run B1\n@4 ? request B/0 -> R0\n";
  const Finished whole = here({"replay", file("w.trail", head + "then = default\n" + crossed)});
  EXPECT_EQ(whole.status, 0) << whole.out;
  EXPECT_THAT(whole.out,
              MatchesRegex("(.|\n)*calls-return: from here on, without a further fault: A1 waits for y, "
                           "which B1 holds; B1 waits for x, which A1 holds\n(.|\n)*"
                           "properties: violated after [0-9]+ moves\n"));
  const std::string early =
      file("early.trail", head + "property = calls-return\nthen = default until 8\n" + crossed);
  EXPECT_THAT(here({"replay", early}).out, Not(HasSubstr("B1 waits for y, which B1 holds")));
}

TEST_F(ReplayCli, AnExpectedViolationOfCountedAnswersCanBeWritten) {
  const std::string one =
      "format = 1\n[process.A]\nthreads = [[\"trylock a\", \"unlock a\"]]\n[expect.answers]\n"
      "verdict = \"violated\"\n\"trylock a\" = { true = 2 }\n";
  EXPECT_EQ(here({"check", file("answers.toml", one)}).status, 0);
  const Finished normal = here({"lint", "answers.toml", "--print", "normalised"});
  EXPECT_THAT(normal.out,
              HasSubstr("[expect.answers]\n\"trylock a\" = { true = 2 }\nverdict = \"violated\"\n"));
  EXPECT_EQ(here({"lint", file("again.toml", normal.out), "--print", "normalised"}).out, normal.out);
}

TEST_F(ReplayCli, APropertyThatIsAskedForByNameAndNeverTriedExitsWithFour) {
  EXPECT_EQ(here({"check", "plain/two-clients", "--property", "owner-only"}).status, 4);
  EXPECT_EQ(here({"check", "plain/two-clients", "--property", "mutual-exclusion"}).status, 0);
}

}  // namespace
}  // namespace lockstep::tools
