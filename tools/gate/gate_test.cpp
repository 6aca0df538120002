// A gate that is interrupted, and trails beside verdicts: what the command line cannot bring about at will.
#include "tools/gate/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/check/searching.h"
#include "tools/cli/load.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

GateRequest small_request() {
  GateRequest request;
  request.scenarios = {"plain/not-the-owner", "plain/two-clients", "plain/reentrant"};
  request.head = {"redisson@3.10.5"};
  request.fail_on = {"regressed"};
  request.today = "2027-01-01";
  request.program = "this";
  return request;
}

const BeginCheck without_limits = [](const std::string&) { return properties::Outside{}; };

TEST(Gate, AnInterruptedOneSaysSoAndKeepsWhatIsKnown) {
  GateRequest request = small_request();
  int checks = 0;
  request.options.outside.interrupted = [&] { return checks > 2; };
  KeptResults kept("this");
  const BeginCheck counted = [&](const std::string&) {
    ++checks;
    return properties::Outside{};
  };
  const auto gated = gate(request, kept, counted);
  ASSERT_TRUE(gated.ok()) << gated.problem().text;
  EXPECT_FALSE(gated->findings.complete);
  EXPECT_EQ(gated->findings.scenarios, 2u) << "the third is not whole";
  EXPECT_THAT(reports::findings_text(gated->findings, false), HasSubstr("incomplete: interrupted"));
  EXPECT_THAT(reports::findings_json(gated->findings), HasSubstr("\"complete\": false"));
  EXPECT_THAT(reports::findings_markdown(gated->findings), HasSubstr("incomplete: interrupted"));
  EXPECT_THAT(reports::findings_html(gated->findings), HasSubstr("incomplete: interrupted"));
  EXPECT_THAT(reports::findings_junit(gated->findings), HasSubstr("incomplete"));
  EXPECT_THAT(reports::findings_sarif(gated->findings), HasSubstr("\"executionSuccessful\": false"));
}

sim::Digest gone_through(const std::vector<std::string>& scripts, properties::Memories memory) {
  const auto setup = load_scenario("plain/two-clients", scripts);
  EXPECT_TRUE(setup.ok());
  properties::Checked system(*setup);
  sim::Digest graph;
  EXPECT_TRUE(properties::search(system, {}, memory, &graph).complete());
  return graph;
}

TEST(GraphDigest, IsOfTheBehaviourAndNotOfTheTextHoweverTheSearchRemembers) {
  for (const auto memory : {properties::Memories::usual, properties::Memories::none}) {
    const sim::Digest hset = gone_through({"lock=lua/scripts/lock-hset.lua"}, memory);
    EXPECT_EQ(gone_through({"lock=lua/scripts/lock-hincrby.lua"}, memory), hset);
    EXPECT_EQ(gone_through({}, memory), hset) << "which the scenario has";
    EXPECT_NE(gone_through({"unlock=scenarios/mutants/unlock-leaves-a-key.lua"}, memory), hset);
  }
}

TEST(Gate, AnAnswerOfTheBaselineServesBothSidesIfNoSearchCouldSayAnythingElse) {
  GateRequest request = small_request();
  request.head.clear();
  KeptResults kept("this");
  const auto first = gate(request, kept, without_limits);
  ASSERT_TRUE(first.ok()) << first.problem().text;
  request.baseline = Baseline{.program = "this", .entries = first->verdicts, .accepted = {}};
  const auto checks_with = [&](const Baseline& baseline) {
    request.baseline = baseline;
    KeptResults none("this");
    int checks = 0;
    const auto gated = gate(request, none, [&](const std::string&) {
      ++checks;
      return properties::Outside{};
    });
    EXPECT_TRUE(gated.ok() && gated->findings.weight == reports::Weight::fine);
    EXPECT_EQ(gated->verdicts, first->verdicts);
    return checks;
  };
  const Baseline whole = *request.baseline;
  EXPECT_EQ(checks_with(whole), 0);
  Baseline of_another = whole;
  of_another.program = "that";
  EXPECT_EQ(checks_with(of_another), 3);
  Baseline sampled = whole;
  for (KeptVerdict& entry : sampled.entries)
    if (entry.scenario == "plain/reentrant" && entry.property == "owner-only") entry.verdict = "unknown";
  EXPECT_EQ(checks_with(sampled), 1);
}

}  // namespace
}  // namespace lockstep::tools
