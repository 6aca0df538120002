// The text forms of diagrams: what they say, and that no name becomes part of their grammar.
#include <gmock/gmock.h>

#include "reports/diagrams/mermaid.h"
#include "reports/diagrams/plantuml.h"
#include "reports/diagrams/timeline_text.h"
#include "reports/testing/golden.h"
#include "reports/testing/real_trace.h"
#include "reports/text/text.h"

namespace lockstep::reports {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr Window whole_run{{}, {}, 10'000};

StateGraph two_states(const std::string& name) {
  StateGraph graph;
  graph.nodes = {{name, "", 2, true, false, false, true}, {"held", "", 1, false, true, false, true}};
  graph.edges = {{0, 1, "1: " + name, 3, true, true}, {1, 0, "unlock", 1, false, false}};
  return graph;
}

TEST(TextForms, OfARealRunAreAsReviewed) {
  const sim::Trace trace = real_trace("failover");
  expect_golden("reports/goldens/failover.puml", plantuml(trace));
  expect_golden("reports/goldens/failover-timeline.mmd", mermaid_timeline(trace, whole_run));
  expect_golden("reports/goldens/failover-timeline.puml", plantuml_timeline(trace, whole_run));
  expect_golden("reports/goldens/states.mmd", mermaid(two_states("free"), {.title = "a\nb"}));
  expect_golden("reports/goldens/states.puml", plantuml(two_states("free"), {.title = "a\nb"}));
}

TEST(TextForms, SignsOfPlantumlAreCodePoints) {
  EXPECT_EQ(plantuml_text("a <b> -- \"c\" %d ~e"),
            "a <U+003C>b<U+003E> -<U+002D> <U+0022>c<U+0022> <U+0025>d <U+007E>e");
  EXPECT_EQ(plantuml_text("two\nlines"), "two<U+005C>nlines");
}

TEST(TextForms, HostileNamesAddNoLine) {
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const sim::Trace plain = real_trace("failover");
  for (const std::string& name : hostile_names()) {
    const sim::Trace trace = hostile(name);
    const std::vector<std::pair<std::string, std::string>> pairs{
        {plantuml(trace), plantuml(plain)},
        {mermaid_timeline(trace, whole_run), mermaid_timeline(plain, whole_run)},
        {plantuml_timeline(trace, whole_run), plantuml_timeline(plain, whole_run)},
        {mermaid(two_states(name), {.title = name}), mermaid(two_states("x"), {.title = "y"})},
        {plantuml(two_states(name), {.title = name}), plantuml(two_states("x"), {.title = "y"})}};
    for (const auto& [text, expected] : pairs) {
      if (name != "two\nlines") {
        EXPECT_EQ(lines(text), lines(expected)) << name;
      }
      EXPECT_TRUE(valid_utf8(text));
      EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE")));
      EXPECT_THAT(text, Not(HasSubstr("</script")));
      EXPECT_THAT(text, Not(HasSubstr("!include")));
    }
  }
}

TEST(TextForms, AGraphBeyondItsLimitSaysWhatIsMissing) {
  StateGraph graph;
  for (std::size_t i = 0; i < 1'000; ++i) {
    graph.nodes.push_back({std::to_string(i), "", 1, i == 0});
    graph.edges.push_back({0, i, "go", 1, true, false});
    graph.edges.push_back({i, 0, "back", 1, false, false});
  }
  const std::string text = mermaid(graph, {.title = "many", .nodes_max = 300});
  EXPECT_THAT(text, HasSubstr("700 more are not drawn"));
  EXPECT_THAT(text, HasSubstr("edges are not written"));
  EXPECT_LT(text.size(), 50'000u) << "more is not rendered";
}

TEST(TextForms, OfAnEmptyTraceAreEmptyAndNotBroken) {
  EXPECT_THAT(plantuml(sim::Trace{}), StartsWith("@startuml\n"));
  EXPECT_THAT(plantuml(sim::Trace{}), EndsWith("@enduml\n"));
  EXPECT_THAT(mermaid_timeline({}, whole_run), StartsWith("gantt\n"));
  EXPECT_THAT(plantuml_timeline({}, whole_run), EndsWith("@enduml\n"));
}

}  // namespace
}  // namespace lockstep::reports
