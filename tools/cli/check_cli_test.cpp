// check, run, replay and shrink as a user meets them: verdicts, files, exit codes, bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include "tools/cli/exit_code.h"
#include "tools/cli/input.h"
#include "tools/cli/output.h"
#include "tools/testing/test_process.h"

namespace lockstep::tools {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Checking : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        fs::temp_directory_path() /
        ("lockstep-check-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  Finished lockstep(const std::vector<std::string>& arguments) const {
    return run_program(LOCKSTEP_PROGRAM, arguments, {.directory = directory_.string()});
  }
  std::string file(const std::string& name, const std::string& content) const {
    EXPECT_FALSE(write_file((directory_ / name).string(), content));
    return name;
  }
  std::string content(const std::string& name) const { return *read_input((directory_ / name).string()); }

  /// A small world that pauses: it breaks mutual exclusion within two seconds of virtual time.
  std::string short_lease() const {
    return file("short.toml", R"(format = 1
name = "short-lease"
[process.A]
threads = [["trylock orders wait=1s lease=1s", "work 3s", "unlock orders"]]
[process.B]
threads = [["start 2s", "lock orders", "work 3s", "unlock orders"]]
[expect]
mutual-exclusion      = "violated"
no-uncaught-exception = "violated"
)");
  }

  fs::path directory_;
};

TEST_F(Checking, AProofExitsWithZeroAndSaysItsBounds) {
  const Finished it = lockstep({"check", "plain/two-clients"});
  EXPECT_EQ(it.status, status(ExitCode::as_expected));
  EXPECT_THAT(it.out, HasSubstr("mutual-exclusion               proved   (expected: proved)\n"));
  EXPECT_THAT(it.out, HasSubstr("2 processes, 1 lock, 1 node, no delay, no faults"));
  EXPECT_FALSE(fs::exists(directory_ / "out"));
}

TEST_F(Checking, PropertiesHaveTheirPremisesAlsoAlone) {
  for (const auto& [scenario, property] : {std::pair{"plain/try-lock-timeout", "answers"},
                                           {"red/two-clients", "red-majority"},
                                           {"red/two-clients", "red-validity"}})
    EXPECT_EQ(lockstep({"check", scenario, "--property", property}).status, 0) << property;
}

TEST_F(Checking, ASchemeWhoseServersKnowScriptsIsAskedForWhatFollowsAState) {
  const std::string cached = file("cached.toml", R"(format = 1
schemes = "setnx-expire"
[redis]
script-cache = true
[process.A]
threads = [["lock setnx-expire:orders"]]
[process.B]
threads = [["lock setnx-expire:orders", "unlock setnx-expire:orders"], ["unlock setnx-expire:orders"]]
[faults]
delay-message = 1
)");
  const Finished it = lockstep({"check", cached, "--strategy", "dfs", "--property", "calls-return"});
  EXPECT_EQ(it.status, status(ExitCode::different)) << it.err;
  EXPECT_THAT(it.out, HasSubstr("calls-return, the plainest story found"));
}

TEST_F(Checking, TakesFoldersAndPartsOfNamesAndSumsUp) {
  short_lease();
  const Finished folder = lockstep({"check", "."});
  EXPECT_EQ(folder.status, 0) << folder.out << folder.err;
  const Finished several = lockstep({"check", "--all", "-k", "plain/t"});
  EXPECT_EQ(several.status, 0) << several.out << several.err;
  EXPECT_THAT(several.out, HasSubstr("✓ plain/two-clients: as expected (14 proved; vacuous: owner-only"));
  EXPECT_THAT(several.out, HasSubstr("\n5 scenarios, 5 as expected\n"));
  EXPECT_EQ(lockstep({"check", "--all", "-k", "no such"}).status, status(ExitCode::vacuous));
  EXPECT_EQ(lockstep({"check"}).status, status(ExitCode::usage));
}

TEST_F(Checking, ScriptsThatAScenarioNamesLieBesideIt) {
  const std::string known = fs::absolute("properties/verdicts/unlock-raises.toml").string();
  const Finished it = lockstep({"check", known});
  EXPECT_THAT(it.out, HasSubstr("✗ no-script-error                violated (expected: violated)"));
}

TEST_F(Checking, WhatNoVerdictCanBeGivenOnIsRefused) {
  file("string.lua", "redis.call('set', KEYS[1], ARGV[2], 'px', ARGV[1]); return nil");
  const Finished string = lockstep({"check", "plain/two-clients", "--scripts", "lock=string.lua"});
  EXPECT_EQ(string.status, status(ExitCode::usage));
  EXPECT_THAT(
      string.err,
      HasSubstr("orders is stored otherwise than as fields of a hash by the script in the role `lock`"));
  file("list.lua", "return {1, 2}");
  const Finished list = lockstep({"check", "plain/two-clients", "--scripts", "lock=list.lua"});
  EXPECT_EQ(list.status, status(ExitCode::usage));
  EXPECT_THAT(list.err, HasSubstr("in the role `lock` answers"));
}

TEST_F(Checking, HoldersThatAScriptCallsByNamesOfItsOwnAreRefused) {
  const auto with_field = [&](const std::string& field) {
    file("own.lua",
         "if redis.call('exists', KEYS[1]) == 1 then return redis.call('pttl', KEYS[1]) end\n"
         "redis.call('hset', KEYS[1], " +
             field +
             ", 1); redis.call('pexpire', KEYS[1], ARGV[1]);\n"
             "return nil");
    return lockstep({"check", "plain/two-clients", "--scripts", "lock=own.lua"});
  };
  const Finished token = with_field("'token:7'");
  EXPECT_EQ(token.status, status(ExitCode::usage));
  EXPECT_THAT(token.err,
              HasSubstr("stores `token:7` as the holder of orders, which is the name of no thread"));
  const Finished nobody = with_field("'owner'");
  EXPECT_EQ(nobody.status, status(ExitCode::usage));
  EXPECT_THAT(nobody.err, HasSubstr("orders is stored otherwise than as fields of a hash"));
  EXPECT_EQ(
      lockstep({"check", fs::absolute("properties/verdicts/operator-adds-holder.toml").string()}).status, 0)
      << "an operator may be a stranger";
}

TEST_F(Checking, AnExpectedViolationExitsWithZeroAndLeavesATrailThatReplays) {
  short_lease();
  const Finished it = lockstep({"check", "short.toml"});
  EXPECT_EQ(it.status, 0) << it.out << it.err;
  EXPECT_THAT(it.out, HasSubstr("violated (expected: violated): A1 and B1 "));
  const std::string trail = "out/short-lease/mutual-exclusion.trail";
  EXPECT_THAT(content(trail), HasSubstr("property = mutual-exclusion\nverdict  = violated\n"));
  EXPECT_EQ(lockstep({"replay", trail}).status, 0) << "the trail says the file";
  const Finished replayed = lockstep({"replay", trail, "--scenario", "short.toml"});
  EXPECT_EQ(replayed.status, 0) << replayed.out << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("mutual-exclusion: violated after"));
  const Finished from_trace = lockstep({"replay", "out/short-lease/mutual-exclusion.jsonl", "--scenario",
                                        "short.toml", "--trace", "again.jsonl"});
  EXPECT_EQ(from_trace.status, 0) << from_trace.out << from_trace.err;
  EXPECT_EQ(content("again.jsonl"), content("out/short-lease/mutual-exclusion.jsonl"));
}

TEST_F(Checking, PagesOfRunsThatBreakSomethingHaveAnIndex) {
  short_lease();
  const Finished it = lockstep({"check", "short.toml", "plain/two-clients", "--report", "pages"});
  EXPECT_EQ(it.status, 0) << it.out << it.err;
  const std::string index = content("pages/index.html");
  EXPECT_THAT(index,
              HasSubstr("<a href=\"short-lease/mutual-exclusion.html\">mutual-exclusion: violated</a>"));
  EXPECT_THAT(index, HasSubstr("plain/two-clients"));
  EXPECT_THAT(content("pages/short-lease/mutual-exclusion.html"),
              HasSubstr("lockstep replay out/short-lease"));
}

TEST_F(Checking, AViolationThatWasNotExpectedExitsWithOne) {
  std::string text = content(short_lease());
  text.replace(text.find("violated"), 8, "holds");
  const Finished it = lockstep({"check", file("wrong.toml", text)});
  EXPECT_EQ(it.status, status(ExitCode::different));
  EXPECT_THAT(it.out, HasSubstr("violated (NOT as expected: holds)"));
}

TEST_F(Checking, ALimitThatWasHitIsUnknownAndNeverGreen) {
  const Finished it = lockstep({"check", "plain/three-clients", "--strategy", "bfs", "--max-states", "10"});
  EXPECT_EQ(it.status, status(ExitCode::unknown));
  EXPECT_THAT(it.out, HasSubstr("unknown  (expected: proved): there are more than 10 states"));
  EXPECT_THAT(it.out, Not(HasSubstr("✓")));
}

TEST_F(Checking, ALimitIsToldInItsOwnUnit) {
  const auto bytes = lockstep({"check", "plain/two-clients", "--memory-limit", "1K", "--runs", "1"});
  EXPECT_THAT(bytes.out,
              HasSubstr("the search needs more memory than 1 KiB; no violation in 1 sampled run\n"));
  const auto one = lockstep({"check", "plain/two-clients", "--max-depth", "0", "--runs", "1"});
  EXPECT_THAT(one.out, HasSubstr("  1 state, 0 transitions, depth 0"));
  EXPECT_THAT(one.out, HasSubstr("; 1 sampled schedule, "));
}

TEST_F(Checking, WhatWasNotSampledHasNoCoverageAndSaysSo) {
  const Finished it = lockstep({"check", "plain/two-clients", "--coverage"});
  EXPECT_EQ(it.status, 0);
  EXPECT_EQ(it.err, "plain/two-clients: --coverage is of samples, and none were taken\n");
}

TEST_F(Checking, WhereBothSearchAndSamplesWereCutBothAreNamed) {
  const Finished it = lockstep({"check", "plain/two-clients", "--max-states", "10", "--max-steps", "5",
                                "--settle", "0", "--runs", "2"});
  EXPECT_THAT(it.out,
              HasSubstr("there are more than 10 states; every sampled run was cut off after 5 moves"));
}

TEST_F(Checking, SamplingSaysPassedAndIsNotAProof) {
  const Finished it = lockstep({"check", "plain/two-clients", "--strategy", "random", "--runs", "50"});
  EXPECT_EQ(it.status, status(ExitCode::different));  // the scenario expects a proof
  EXPECT_THAT(it.out, HasSubstr("50 sampled schedules"));
  EXPECT_THAT(it.out, HasSubstr("passed   (NOT as expected: proved)"));
}

TEST_F(Checking, AWitnessThatNeverOccursExitsWithFour) {
  const Finished it = lockstep({"check", file("alone.toml", R"(format = 1
name = "alone"
[process.A]
threads = [["lock orders", "unlock orders"]]
[expect]
sometimes = ["contention"]
)")});
  EXPECT_EQ(it.status, status(ExitCode::vacuous));
  EXPECT_THAT(it.out, HasSubstr("sometimes contention: never seen"));
}

TEST_F(Checking, APropertyThatIsNamedAndConcernsNoLockOfTheScenarioExitsWithFour) {
  const std::string alone = file("alone.toml", R"(format = 1
name = "alone"
[process.A]
threads = [["lock orders", "unlock orders"]]
[expect]
tokens-grow = "holds"
)");
  EXPECT_EQ(lockstep({"check", alone}).status, status(ExitCode::vacuous));
  EXPECT_EQ(lockstep({"check", alone, "--property", "red-validity"}).status, status(ExitCode::vacuous));
}

TEST_F(Checking, JsonHasOneEntryForEachScenarioAndProperty) {
  const Finished it = lockstep({"check", "plain/two-clients", "plain/reentrant", "--format", "json"});
  EXPECT_EQ(it.status, 0);
  const auto json = nlohmann::json::parse(it.out);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["scenario"], "plain/two-clients");
  EXPECT_EQ(json[0]["properties"][0]["verdict"], "proved");
  EXPECT_EQ(json[0]["properties"][0]["expected"], "proved");
  EXPECT_EQ(json[0]["complete"], true);
}

TEST_F(Checking, JsonSaysAtWhichMillisecondsASearchWithoutAGrainStopped) {
  const std::string starts =
      "[process.A]\nthreads = [[\"start 0..1s\", \"lock x lease=900ms\", \"unlock x\"]]\n";
  const auto instants = [&](const std::string& time) {
    const std::string scenario = file("exact.toml", "format = 1\n[time]\n" + time + starts);
    const Finished it = lockstep({"check", scenario, "--strategy", "bfs", "--format", "json"});
    return nlohmann::json::parse(it.out)[0].value("instants", nlohmann::json());
  };
  const nlohmann::json few = instants("grain = \"exact\"\n");
  EXPECT_EQ(few["spacing_ms"], 100);
  EXPECT_GE(few["above_ms"], 1);
  EXPECT_EQ(instants("grain = \"1s\"\n"), nlohmann::json());
}

TEST_F(Checking, AFewPreemptionsAreTheBoundsOfASearch) {
  const Finished it = lockstep({"check", "plain/two-clients", "--strategy", "bfs", "--preemptions", "2"});
  EXPECT_EQ(it.status, status(ExitCode::unknown));
  EXPECT_THAT(it.out, HasSubstr(", at most 2 preemptions"));
  EXPECT_THAT(it.out, HasSubstr("only runs with at most 2 preemptions were searched"));
  const Finished samples =
      lockstep({"check", "plain/two-clients", "--strategy", "pct", "--preemptions", "2"});
  EXPECT_EQ(samples.status, status(ExitCode::usage));
  EXPECT_THAT(samples.err, HasSubstr("--preemptions bounds a search, and samples have no such bound"));
}

TEST_F(Checking, WhereFewPreemptionsAreAskedForNoSampleHasMore) {
  const std::string race = file("race.toml", R"(format = 1
[scheme.race]
acquire = [{ send = "GET {lock}", reply = { nil = "next", "*" = "refused" } },
           { send = "SET {lock} {token} PX {lease}", reply = { OK = "granted" } }]
release = { send = "DEL {lock}", reply = { 1 = "released", 0 = "not the holder" } }
retry   = { poll = "1s" }
holder  = { string = "{token}" }
lease   = "10s"
[process.P]
count   = 2
threads = [["lock race:x", "work 1s", "unlock race:x"]]
)");
  const auto asked = [&](const char* preemptions) {
    return lockstep({"check", race, "--property", "mutual-exclusion", "--preemptions", preemptions});
  };
  const Finished none = asked("0"), one = asked("1");
  EXPECT_EQ(none.status, status(ExitCode::unknown)) << none.out << none.err;
  EXPECT_THAT(none.out, Not(HasSubstr("sampled")));
  EXPECT_EQ(one.status, status(ExitCode::different)) << one.out << one.err;
}

TEST_F(Checking, WhatCannotBeWrittenIsToldBeforeAnythingIsSearched) {
  file("taken", "a file, so no folder");
  fs::create_directories(directory_ / "folder");
  const std::vector<std::pair<std::string, std::string>> all{
      {"--save", "taken/it.search"}, {"--report", "taken/pages"}, {"--export", "junit=taken/it.xml"},
      {"-o", "taken/it.txt"},        {"--save", "folder"},        {"--export", "md=folder"}};
  for (const auto& [option, value] : all) {
    const Finished it = lockstep({"check", "plain/two-clients", option, value});
    EXPECT_EQ(it.status, status(ExitCode::usage)) << option << ' ' << value;
    EXPECT_EQ(it.out, "") << option << ' ' << value;
    EXPECT_THAT(it.err, AnyOf(HasSubstr("cannot be written: Not a directory"), HasSubstr("is a directory")));
  }
  EXPECT_FALSE(fs::exists(directory_ / "new"));
  const Finished made = lockstep({"check", "plain/two-clients", "-q", "--export", "md=new/folder/it.md"});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(fs::exists(directory_ / "new/folder/it.md"));
}

TEST_F(Checking, OfProgramsWithoutAnEndItIsSaidThatTheyAreHardlyEverOver) {
  const auto asked = [&](const std::string& program) {
    return lockstep({"check", file("it.toml", "format = 1\n[process.A]\nthreads = [[\"" + program + "\"]]\n"),
                     "--property", "nothing-left-behind"})
        .out;
  };
  constexpr const char* said = "one that goes round for ever is only if";
  EXPECT_THAT(asked("repeat forever { lock x; unlock x; think 1s }"), HasSubstr(said));
  EXPECT_THAT(asked("lock x; unlock x"), Not(HasSubstr(said)));
}

TEST_F(Checking, AnotherScriptIsAnotherQuestion) {
  // Without the owner check the unlock of a stranger takes the lock away.
  const std::string script =
      file("careless.lua", "redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1;");
  const Finished it = lockstep({"check", "plain/not-the-owner", "--scripts", "unlock=" + script});
  EXPECT_EQ(it.status, status(ExitCode::different));
  EXPECT_THAT(it.out, HasSubstr("owner-only                     violated (NOT as expected: "));
}

TEST_F(Checking, AScriptOfNoProcessNamesThatProcess) {
  for (const std::string spec : {"C:unlock=u.lua", "C:redisson@3.12.3"}) {
    const Finished it = lockstep({"check", "plain/two-clients", "--scripts", spec});
    EXPECT_EQ(it.status, status(ExitCode::usage));
    EXPECT_THAT(it.err, HasSubstr("plain/two-clients has no process `C`; there is `A` or `B`"));
  }
}

TEST_F(Checking, AScriptOfOneProcessIsItsAlone) {
  const std::string script =
      file("careless.lua", "redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1;");
  const Finished stranger = lockstep({"check", "plain/not-the-owner", "--scripts", "B:unlock=" + script});
  EXPECT_EQ(stranger.status, status(ExitCode::different));
  EXPECT_THAT(stranger.out, HasSubstr("owner-only                     violated (NOT as expected: "));
  EXPECT_THAT(stranger.out, HasSubstr("redisson@3.10.5, B redisson@3.10.5+unlock"));
  const Finished owner = lockstep({"check", "plain/not-the-owner", "--scripts", "A:unlock=" + script});
  EXPECT_THAT(owner.out, HasSubstr("owner-only                     proved"));
  const Finished again =
      lockstep({"replay", "out/plain/not-the-owner/owner-only.trail", "--scripts", "B:unlock=" + script});
  EXPECT_EQ(again.status, 0) << again.err << again.out;
}

TEST_F(Checking, AScriptThatLoopsForEverIsStoppedAndReportedAsSuch) {
  const std::string script = file("loop.lua", "while true do end");
  const Finished it = lockstep({"run", "plain/two-clients", "--scripts", "lock=" + script, "--story"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, HasSubstr("Lockstep stopped the script"));
}

TEST_F(Checking, TheSameSeedGivesTheSameTraceInAnyDirectoryAndLocale) {
  lockstep({"run", "plain/three-clients", "--seed", "7", "--trace", "one.jsonl"});
  fs::create_directories(directory_ / "elsewhere");
  run_program(
      LOCKSTEP_PROGRAM, {"run", "plain/three-clients", "--seed", "7", "--trace", "two.jsonl"},
      {.environment = {"LC_ALL=C.UTF-8", "TZ=Asia/Tokyo"}, .directory = (directory_ / "elsewhere").string()});
  EXPECT_EQ(content("one.jsonl"), content("elsewhere/two.jsonl"));
  EXPECT_GT(content("one.jsonl").size(), 1000u);
}

TEST_F(Checking, ARunThatLeavesItsTrailIsDescribedAndExitsWithFive) {
  lockstep({"run", "plain/two-clients", "-o", "full.trail"});
  std::string trail = content("full.trail");
  trail.replace(trail.find("run A1"), 6, "run B1");
  const Finished it = lockstep({"replay", file("bent.trail", trail)});
  EXPECT_EQ(it.status, status(ExitCode::diverged));
  EXPECT_THAT(it.out, HasSubstr("the run left the trail"));
}

TEST_F(Checking, ShrinkingKeepsThePropertyAndReplays) {
  lockstep({"check", "plain/pause-outlives-lease", "--strategy", "swarm", "--no-shrink", "--property",
            "mutual-exclusion", "--runs", "2000"});
  const std::string trail = "out/plain/pause-outlives-lease/mutual-exclusion.trail";
  ASSERT_TRUE(fs::exists(directory_ / trail));
  const Finished shrunk = lockstep({"shrink", trail, "-o", "small.trail"});
  EXPECT_EQ(shrunk.status, 0) << shrunk.err;
  EXPECT_LT(content("small.trail").size(), content(trail).size());
  EXPECT_THAT(content("small.trail"), HasSubstr(" pause "));
  EXPECT_EQ(lockstep({"replay", "small.trail", "-q"}).status, 0);
}

TEST_F(Checking, BadInputIsOneSentenceWithItsPlaceAndLeavesNothing) {
  file("empty", "");
  file("binary", std::string("\x00\x01\xff\xfe lockstep", 13));
  file("huge.toml", std::string(4u << 20, '#'));
  file("scenario.toml", "format = 1\nname = \"x\"\n[proces.A]\nthreads = [[\"lock a\"]]\n");
  file("torn.trail", "lockstep-trail 1\nscenario = plain/two-clients\nthen = stop\n\n0/2 dance A1\n");
  file("lost.trail", "lockstep-trail 1\nscenario = no/such\nthen = stop\n\n0/1 run A1\n");
  file("nothing.lua", "");
  file("wrong.lua", "return return");
  file("bytes.lua", std::string("\x1bLua\x54\x00\x19", 7));
  const std::vector<std::vector<std::string>> calls{
      {"check", "no-such-scenario"},
      {"check", "empty"},
      {"check", "binary"},
      {"check", "huge.toml"},
      {"check", "."},
      {"check", "scenario.toml"},
      {"check", "plain/two-clients", "--property", "no-such"},
      {"check", "plain/two-clients", "--scripts", "lock=missing.lua"},
      {"check", "plain/two-clients", "--scripts", "no-such-role=nothing.lua"},
      {"check", "plain/two-clients", "--scripts", "no-such@1"},
      {"check", "plain/two-clients", "--scripts", "lock=wrong.lua"},
      {"check", "plain/two-clients", "--scripts", "lock=bytes.lua"},
      {"replay", "missing.trail"},
      {"replay", "empty"},
      {"replay", "binary"},
      {"replay", "lost.trail"},
      {"run", "no-such"},
      {"shrink", "empty"},
      {"shrink", "lost.trail"}};
  for (const auto& call : calls) {
    const Finished it = lockstep(call);
    EXPECT_EQ(it.status, status(ExitCode::usage)) << ::testing::PrintToString(call) << it.out << it.err;
    EXPECT_THAT(it.err, HasSubstr("error: ")) << ::testing::PrintToString(call);
    EXPECT_EQ(it.out, "");
  }
  EXPECT_FALSE(fs::exists(directory_ / "out"));
}

}  // namespace
}  // namespace lockstep::tools
