// `lockstep report`, run as a user runs it.
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

class ReportCli : public CliTest {};

TEST_F(ReportCli, WritesOnePageTwiceTheSame) {
  const std::string trace = file("it's.jsonl", content("reports/goldens/failover.jsonl"));
  const Finished it = here({"report", "it's.jsonl", "-o", "run.html"});
  EXPECT_EQ(it.status, 0) << it.err;
  const std::string html = content(at("run.html"));
  EXPECT_THAT(html, ::testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(html, ::testing::HasSubstr("lockstep replay "));
  EXPECT_EQ(here({"report", "it's.jsonl"}).out, html);
}

TEST_F(ReportCli, WithoutGraphvizThePageIsWrittenAndSaysWhatIsMissing) {
  file("run.jsonl", content("reports/goldens/failover.jsonl"));
  const Finished it = run_program(LOCKSTEP_PROGRAM, {"report", "run.jsonl", "-o", "run.html"},
                                  {.environment = {"PATH=/nowhere"}, .directory = directory_.string()});
  EXPECT_EQ(it.status, 0);
  EXPECT_THAT(it.err, ::testing::HasSubstr("note: no sequence: "));
  EXPECT_THAT(content(at("run.html")), ::testing::HasSubstr("install graphviz"));
}

TEST_F(ReportCli, WithTheScenarioAtHandItShowsStatesScriptsAndOtherWays) {
  file("run.jsonl", content("reports/goldens/failover.jsonl"));
  const Finished it = here({"report", "run.jsonl", "-o", "run.html"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_EQ(it.err, "");
  const std::string html = content(at("run.html"));
  for (const char* part :
       {"\"name\":\"failover\"", "\"name\":\"states\"", "\"name\":\"script\"",
        "by default nothing new breaks", "lockstep step failover/master-dies", "--choose 0,"})
    EXPECT_THAT(html, ::testing::HasSubstr(part));
}

TEST_F(ReportCli, ATraceWhoseScenarioIsNotAtHandIsAPageAllTheSameAndSaysWhatIsMissing) {
  file("mine.toml", "format = 1\nname = \"none/such\"\n[process.A]\nthreads = [[\"lock orders\"]]\n");
  EXPECT_EQ(here({"run", "mine.toml", "--trace", "run.jsonl"}).status, 0);
  std::filesystem::rename(at("mine.toml"), at("other.toml"));
  const Finished alone = here({"report", "run.jsonl", "-o", "run.html"});
  EXPECT_EQ(alone.status, 0) << alone.err;
  EXPECT_THAT(alone.err, ::testing::HasSubstr("note: no states, scripts and choices: "));
  const Finished whole = here({"report", "run.jsonl", "--scenario", "other.toml", "-o", "run.html"});
  EXPECT_EQ(whole.status, 0);
  EXPECT_EQ(whole.err, "");
}

TEST_F(ReportCli, OfATrailItTellsTheRun) {
  for (const char* mark : {"", "\xEF\xBB\xBF"}) {
    file("a.trail", std::string(mark) + "lockstep-trail 1\nscenario = plain/two-clients\nthen = default\n");
    const Finished it = here({"report", "a.trail", "-o", "run.html"});
    EXPECT_EQ(it.status, 0) << it.err;
    EXPECT_THAT(content(at("run.html")), ::testing::HasSubstr("plain/two-clients"));
    EXPECT_EQ(here({"graph", "a.trail", "-T", "dot"}).status, 0);
  }
}

TEST_F(ReportCli, WhatIsNoTraceIsOneSentenceAndLeavesNoPage) {
  for (const std::string& bad : bad_files())
    expect_one_sentence(lockstep({"report", bad, "-o", at("run.html")}), bad);
  EXPECT_FALSE(std::filesystem::exists(at("run.html")));
}

TEST_F(ReportCli, AnotherRunStandsBesideIt) {
  file("a.jsonl", content("reports/goldens/failover.jsonl"));
  EXPECT_EQ(here({"run", "plain/two-clients", "--seed", "3", "--trace", "b.jsonl"}).status, 0);
  EXPECT_EQ(here({"report", "a.jsonl", "--beside", "b.jsonl", "-o", "both.html"}).status, 0);
  const std::string both = content(at("both.html"));
  EXPECT_THAT(both, ::testing::HasSubstr("\"beside\":{\"a\":\"a.jsonl\",\"b\":\"b.jsonl\""));
  for (const std::string& bad : bad_files())
    expect_one_sentence(here({"report", "a.jsonl", "--beside", bad}), bad);
}

TEST_F(ReportCli, AnUnknownWordAmongManyIsToldBeforeAnythingIsCheckedOrWritten) {
  const Finished it = here({"check", "plain/two-clients", "plain/no-such", "--report", "pages", "--export",
                            "json=found.json"});
  expect_one_sentence(it, "there is no such scenario");
  EXPECT_THAT(it.err, ::testing::HasSubstr("plain/no-such"));
  for (const char* written : {"pages", "out", "found.json"})
    EXPECT_FALSE(std::filesystem::exists(at(written))) << written;
}

}  // namespace
}  // namespace lockstep::tools
