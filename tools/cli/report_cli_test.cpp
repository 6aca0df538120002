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

TEST_F(ReportCli, ATraceOfNoScenarioIsAPageAllTheSameAndSaysWhatIsMissing) {
  std::string trace = content("reports/goldens/failover.jsonl");
  const std::string known = "failover/master-dies-before-replication";
  for (auto at = trace.find(known); at != std::string::npos; at = trace.find(known, at))
    trace.replace(at, known.size(), "nobody/knows-it-at-all-and-that-is-a-pity");
  trace = trace.substr(0, trace.rfind("{\"k\":\"end\""));
  file("run.jsonl", trace);
  const Finished it = here({"report", "run.jsonl", "-o", "run.html"});
  if (it.status == 0) EXPECT_THAT(it.err, ::testing::HasSubstr("note: no states, scripts and choices: "));
  else EXPECT_EQ(it.status, 2) << "a file that was cut off";
}

TEST_F(ReportCli, OfATrailItTellsTheRun) {
  file("a.trail", "lockstep-trail 1\nscenario = plain/two-clients\nthen = default\n");
  const Finished it = here({"report", "a.trail", "-o", "run.html"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(content(at("run.html")), ::testing::HasSubstr("plain/two-clients"));
}

TEST_F(ReportCli, WhatIsNoTraceIsOneSentenceAndLeavesNoPage) {
  for (const std::string& bad : bad_files())
    expect_one_sentence(lockstep({"report", bad, "-o", at("run.html")}), bad);
  EXPECT_FALSE(std::filesystem::exists(at("run.html")));
}

}  // namespace
}  // namespace lockstep::tools
