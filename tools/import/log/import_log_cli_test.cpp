// `lockstep import --from redis-monitor`, run as a user runs it.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

class ImportLogCli : public CliTest {
 protected:
  /// What the servers of a scenario of this program would print.
  std::string log_of(const std::string& scenario) const {
    const Finished it = lockstep({"run", scenario, "--monitor"});
    EXPECT_EQ(it.status, 0) << it.err;
    return it.out;
  }
};

TEST_F(ImportLogCli, ALogOfTheModelItselfIsExplainedWhole) {
  for (const char* scenario :
       {"plain/two-clients", "fair/three-clients", "spin/two-clients", "plain/reentrant"}) {
    const std::string printed = log_of(scenario);
    const Finished it =
        lockstep({"import", "--from", "redis-monitor", file("m.log", printed), "--format", "json"});
    ASSERT_THAT(it.out, ::testing::StartsWith("{")) << it.err;
    const auto json = nlohmann::json::parse(it.out);
    EXPECT_EQ(json["explained"], json["scripts"]) << scenario << it.out;
    EXPECT_GT(json["scripts"], 0) << scenario;
    EXPECT_EQ(json["assumed"].size(), 0u) << scenario << it.out;
  }
}

TEST_F(ImportLogCli, TheTraceIsReadByEverythingThatReadsTraces) {
  const std::string log = file("m.log", log_of("plain/two-clients")), trace = at("m.jsonl");
  const Finished it = lockstep({"import", "--from", "redis-monitor", log, "-o", trace});
  EXPECT_EQ(it.status, 0) << it.out << it.err;
  EXPECT_THAT(it.out, HasSubstr("✓ mutual-exclusion   passed\n"));
  EXPECT_THAT(it.out, HasSubstr("  written    " + trace));
  EXPECT_EQ(lockstep({"trace", "verify", trace}).status, 0);
  EXPECT_THAT(lockstep({"trace", "show", trace}).out, HasSubstr("lock orders → nil (got it)"));
  for (const char* kind : {"sequence", "timeline"})
    EXPECT_EQ(lockstep({"graph", trace, "--kind", kind, "-T", "dot", "-o", at("g.dot")}).status, 0) << kind;
  EXPECT_EQ(lockstep({"report", trace, "-o", at("r.html")}).status, 0);
  EXPECT_EQ(lockstep({"diff", trace, trace}).status, 0);
  expect_one_sentence(lockstep({"replay", trace}), "it has no trail");
}

TEST_F(ImportLogCli, WhatIsNoLogIsRefusedAndOneWithoutLocksIsVacuous) {
  for (const std::string& bad : bad_files())
    expect_one_sentence(lockstep({"import", "--from", "redis-monitor", bad}), bad);
  const std::string other = file("o.log", "1568357723.205362 [0 127.0.0.1:1] \"GET\" \"a\"\n");
  EXPECT_EQ(lockstep({"import", "--from", "redis-monitor", other}).status, 4);
  expect_one_sentence(lockstep({"import", "--from", "redis-monitor", other, "--scripts", "redisson@99"}),
                      "set");
  EXPECT_EQ(lockstep({"import", "--from", "java", other, "--scripts", "redisson@3.10.5"}).status, 2);
}

}  // namespace
}  // namespace lockstep::tools
