#include "tools/cli/work_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sstream>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Progress, SaysHowFarItIsAndWhatIsDecided) {
  const properties::CheckProgress searching{
      .search = {.states = 12'345, .transitions = 40'000, .depth = 33, .waiting = 120, .violated = 0},
      .asked = properties::bit(properties::Property::mutual_exclusion) |
               properties::bit(properties::Property::owner_only),
      .violated = properties::bit(properties::Property::owner_only)};
  EXPECT_EQ(progress_text("plain/two", searching, 4'000),
            "plain/two: 12345 states, 4000 a second, depth 33, 120 waiting; violated: owner-only; 1 open");
  properties::CheckProgress sampling = searching;
  sampling.runs = 7;
  sampling.runs_max = 1'000;
  EXPECT_THAT(progress_text("plain/two", sampling, 0),
              HasSubstr("12345 states, 7 of 1000 samples; violated"));
}

TEST(Memory, OfTheProgramIsMoreThanNothing) { EXPECT_GT(resident_bytes(), std::uint64_t{1} << 20); }

TEST(AnInterruptOfAProgram, IsNotedAndDoesNotEndIt) {
  {
    const InterruptWatch watch;
    EXPECT_FALSE(InterruptWatch::interrupted());
    std::raise(SIGINT);
    EXPECT_TRUE(InterruptWatch::interrupted());
  }
  const InterruptWatch again;
  EXPECT_FALSE(InterruptWatch::interrupted());
}

TEST(AWatch, KeepsAQuarterOfTheTimeForSamples) {
  std::ostringstream out, err;
  Console console{.out = out, .err = err};
  WorkWatch never(console, Telling::nothing, std::nullopt);
  EXPECT_FALSE(never.begin("x").time_is_up);
  WorkWatch at_once(console, Telling::nothing, sim::Duration::zero());
  const properties::Outside outside = at_once.begin("x");
  EXPECT_TRUE(outside.search_time_is_up() && outside.time_is_up());
  outside.on_progress({});
  EXPECT_TRUE(err.str().empty()) << "nobody wants to know";
}

TEST(Progress, IsOneLineOnATerminalAndFewLinesElsewhere) {
  std::ostringstream out, err;
  Console console{.out = out, .err = err};
  EXPECT_EQ(telling_of(console), Telling::now_and_then);
  console.terminal_err = true;
  EXPECT_EQ(telling_of(console), Telling::on_one_line);
  console.quiet = true;
  EXPECT_EQ(telling_of(console), Telling::nothing);
  console.progress = ProgressWish::lines;
  EXPECT_EQ(telling_of(console), Telling::line_by_line) << "what is wished wins";
  console.progress = ProgressWish::none;
  EXPECT_EQ(telling_of(console), Telling::nothing);
}

TEST(Progress, IsToldAtOnceToWhoAsksForIt) {
  std::ostringstream out, err;
  Console console{.out = out, .err = err};
  const InterruptWatch watch;
  WorkWatch silent(console, Telling::nothing, std::nullopt);
  const properties::Outside outside = silent.begin("x");
  outside.on_progress({});
  EXPECT_EQ(err.str(), "");
  std::raise(SIGUSR1);
  outside.on_progress({});
  EXPECT_THAT(err.str(), HasSubstr("x: 0 states, "));
  const std::string once = err.str();
  outside.on_progress({});
  EXPECT_EQ(err.str(), once);
}

TEST(Progress, IsAlsoAnObjectOnALine) {
  const properties::CheckProgress progress{
      .search = {.states = 7, .transitions = 9, .depth = 3, .waiting = 2, .violated = 0},
      .asked = properties::bit(properties::Property::owner_only),
      .violated = properties::bit(properties::Property::owner_only)};
  EXPECT_EQ(progress_json("a\n\"b", progress, 5),
            R"({"scenario":"a\n\"b","states":7,"states_a_second":5,"transitions":9,"depth":3,"waiting":2,)"
            R"("samples":0,"samples_max":0,"violated":["owner-only"],"open":0})");
}

class LongWork : public CliTest {};

TEST_F(LongWork, StoppedByALimitIsUnknownWhateverIsSampled) {
  const auto it = lockstep({"check", "plain/three-clients", "--max-states", "50", "--runs", "20"});
  EXPECT_EQ(it.status, 3);
  EXPECT_THAT(it.out, HasSubstr("there are more than 50 states; no violation in 20 sampled runs"));
  EXPECT_THAT(it.out, Not(HasSubstr("passed")));
  const auto json = lockstep({"check", "plain/three-clients", "--memory-limit", "1M", "--format", "json"});
  EXPECT_EQ(json.status, 3);
  EXPECT_THAT(json.out, HasSubstr("\"limit\": \"memory\""));
  EXPECT_THAT(json.out, Not(HasSubstr("\"verdict\": \"passed\"")));
}

TEST_F(LongWork, TellsNothingWhereThereIsNoTerminal) {
  EXPECT_EQ(lockstep({"check", "plain/three-clients"}).err, "");
}

TEST_F(LongWork, EndsWithWhatIsKnownOnCtrlC) {
  const std::string thread = R"(["lock a lease=10s", "work 3s", "unlock a"])";
  const std::string large = "format = 1\nname = \"large\"\n[process.P]\ncount = 3\nthreads = [" + thread +
                            ", " + thread + "]\n[faults]\npause-process = 1\n";
  const auto it = run_program("/usr/bin/timeout",
                              {"--preserve-status", "-s", "INT", "2", LOCKSTEP_PROGRAM, "check",
                               file("large.toml", large), "plain/two-clients", "--progress", "lines",
                               "--export", "junit=" + at("j.xml"), "--export", "json=" + at("f.json")});
  EXPECT_EQ(it.status, 130);
  EXPECT_THAT(it.out, HasSubstr("unknown"));
  EXPECT_THAT(it.out, HasSubstr("incomplete: interrupted in scenario 1 of 2\n"));
  EXPECT_THAT(content(at("j.xml")),
              HasSubstr("<error type=\"incomplete\" message=\"incomplete: interrupted\"/>"));
  EXPECT_THAT(content(at("f.json")), HasSubstr("\"complete\": false"));
}

TEST_F(LongWork, EndsWithWhatIsKnownOnSigterm) {
  const std::string large =
      "format = 1\nname = \"large\"\n[process.P]\ncount = 6\nthreads = "
      "[[\"lock a lease=10s\", \"work 3s\", \"unlock a\"]]\n[faults]\npause-process = 2\n";
  const auto it =
      run_program("/usr/bin/timeout", {"--preserve-status", "-s", "TERM", "2", LOCKSTEP_PROGRAM, "check",
                                       file("large.toml", large), "--strategy", "bfs", "--save", at("kept")});
  EXPECT_EQ(it.status, 143);
  EXPECT_THAT(it.out, HasSubstr("interrupted"));
  EXPECT_THAT(content(at("kept")), testing::Not(testing::IsEmpty()));
}

TEST_F(LongWork, NamesWhoLooksIntoNames) {
  const std::vector<std::string> words{"check", "properties/verdicts/names-last-kept.toml"};
  EXPECT_THAT(lockstep(words).out,
              HasSubstr("symmetry: off, because the script in the role `lock` looks into names"));
  EXPECT_THAT(lockstep({words[0], words[1], "--format", "json"}).out,
              HasSubstr("\"symmetry_off\": \"the script in the role `lock` looks into names\""));
}

}  // namespace
}  // namespace lockstep::tools
