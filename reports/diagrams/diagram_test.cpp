#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "reports/diagrams/failover.h"
#include "reports/diagrams/graphviz.h"
#include "reports/diagrams/mermaid.h"
#include "reports/diagrams/sequence.h"
#include "reports/diagrams/state_graph.h"
#include "reports/diagrams/timeline.h"
#include "reports/testing/golden.h"
#include "reports/testing/real_trace.h"
#include "reports/text/story.h"
#include "reports/text/text.h"

namespace lockstep::reports {
namespace {

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

bool graphviz_is_installed() { return render("digraph g {}", Engine::layered, "svg").ok(); }

/// What xmllint says of a text; empty if it is well-formed XML.
std::string xml_complaints(const std::string& xml) {
  const std::string path = testing::TempDir() + "lockstep_reports_test.svg";
  std::ofstream(path, std::ios::binary) << xml;
  FILE* out = popen(fmt::format("xmllint --noout --nonet --huge '{}' 2>&1", path).c_str(), "r");
  std::string said;
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), out)) > 0;)
    said.append(buffer.data(), n);
  pclose(out);
  return said;
}

StateGraph small_graph() {
  StateGraph g;
  g.nodes = {{"free", "", 1, true, false, true, true}, {"held A", "", 2, false, false, false, true},
             {"held A\nB waits", "", 3}, {"held B\nA believes", "", 1, false, true, false, true}};
  g.edges = {{0, 1, "A lock", 1, true, true},
             {1, 2, "B lock", 2, true, false},
             {2, 0, "A unlock", 1, false, false},
             {1, 3, "failover", 1, true, true},
             {1, 1, "A renew", 4, false, false}};
  return g;
}

TEST(Diagrams, AreDrawnAsTheirGoldens) {
  const auto expect = [](const std::string& name, const std::string& text) {
    expect_golden("reports/goldens/" + name, text);
  };
  const sim::Trace failover = real_trace("failover");
  const sim::Trace pause = real_trace("pause");
  expect("sequence-failover.dot", to_dot(sequence_diagram(failover)));
  expect("timeline-permit.dot", to_dot(timeline_diagram(real_trace("permit"))));
  expect("sequence-pause-window.dot", to_dot(sequence_diagram(pause, {{}, {}, 12})));
  expect("timeline-failover.dot", to_dot(timeline_diagram(failover)));
  expect("timeline-pause.dot", to_dot(timeline_diagram(pause)));
  expect("failover-grid.dot", to_dot(failover_diagram(failover)));
  expect("states.dot", state_graph_dot(small_graph(), {"failover"}));
  expect("failover.mmd", mermaid(failover));
  expect("failover.txt", story(failover));
  expect("pause.txt", story(pause));
}

TEST(Diagrams, AreTheSameBytesEveryTime) {
  EXPECT_EQ(to_dot(sequence_diagram(real_trace("pause"))), to_dot(sequence_diagram(real_trace("pause"))));
  EXPECT_EQ(to_dot(timeline_diagram(real_trace("pause"))), to_dot(timeline_diagram(real_trace("pause"))));
  const sim::Trace failover = real_trace("failover");
  EXPECT_EQ(to_dot(failover_diagram(failover)), to_dot(failover_diagram(failover)));
}

TEST(Diagrams, OfAnEmptyTraceAreEmptyAndNotBroken) {
  const sim::Trace empty;
  EXPECT_NE(to_dot(sequence_diagram(empty)).find("digraph"), std::string::npos);
  EXPECT_NE(to_dot(timeline_diagram(empty)).find("digraph"), std::string::npos);
  EXPECT_NE(to_dot(failover_diagram(empty)).find("digraph"), std::string::npos);
  EXPECT_EQ(mermaid(empty), "sequenceDiagram\n");
  EXPECT_NE(story(empty).find("changes"), std::string::npos);
}

TEST(Sequence, AWindowSaysHowManyEventsItLeavesOut) {
  const auto dot = to_dot(sequence_diagram(real_trace("pause"), {{}, {}, 12}));
  const auto broken = first(real_trace("pause"), sim::TraceKind::prop, "");
  EXPECT_NE(dot.find(fmt::format("… {} earlier events", broken + 1 - 12)), std::string::npos);
  EXPECT_NE(dot.find("VIOLATION"), std::string::npos);
}

TEST(Sequence, ShowsWhatTheHazardIsMadeOf) {
  const auto dot = to_dot(sequence_diagram(real_trace("failover")));
  for (const char* part :
       {"nil → got it", "R0 crashes", "R1 becomes master", "lost: replicate", "VIOLATION  mutual-exclusion",
        "band mistaken", "band held"}) {
    EXPECT_NE(dot.find(part), std::string::npos) << part;
  }
  const auto pause = to_dot(sequence_diagram(real_trace("pause")));
  for (const char* part : {"30000 ms left", "A pauses", "expires: orders gone", "band waiting"})
    EXPECT_NE(pause.find(part), std::string::npos) << part;
}

TEST(Sequence, TheUnlockMessageIsNamedForWhatItMeans) {
  const auto dot = to_dot(sequence_diagram(real_trace("two-clients")));
  EXPECT_NE(dot.find("message 0 (unlocked)"), std::string::npos);
}

TEST(Timeline, StretchesInstantsInWhichSeveralThingsHappen) {
  const auto dot = to_dot(timeline_diagram(real_trace("failover")));
  EXPECT_NE(dot.find("instant"), std::string::npos);
  EXPECT_NE(dot.find("OVERLAP"), std::string::npos);
  EXPECT_NE(dot.find("→ 33 s"), std::string::npos);
}

TEST(Timeline, TellsRenewalsApart) {
  using sim::TraceKind;
  auto trace = real_trace("two-clients");
  trace.events = {{.index = 0, .kind = TraceKind::renew, .who = "A", .lock = "orders"},
                  {.index = 1, .kind = TraceKind::send, .who = "A", .to = "R0", .msg = 1},
                  {.index = 2, .kind = TraceKind::eval, .who = "R0", .from = "A", .msg = 1, .script = "renew",
                   .ret = "(integer) 1", .meaning = "renewed"},
                  {.index = 3, .kind = TraceKind::renew, .who = "A", .lock = "orders"},
                  {.index = 4, .kind = TraceKind::send, .who = "A", .to = "R0", .msg = 2},
                  {.index = 5, .kind = TraceKind::drop, .who = "A", .to = "R0", .msg = 2}};
  const auto dot = to_dot(timeline_diagram(trace));
  EXPECT_EQ(count(dot, "label=\"renewed\""), 1);
  EXPECT_EQ(count(dot, "label=\"lost\""), 1);
  EXPECT_EQ(count(dot, "class=\"renewal\""), 2);
}

TEST(Timeline, BothScalesShowTheSameBars) {
  const auto by = [](Scale scale) {
    TimelineOptions options;
    options.scale = scale;
    return to_dot(timeline_diagram(real_trace("pause"), options));
  };
  EXPECT_NE(by(Scale::time), by(Scale::order));
  EXPECT_EQ(count(by(Scale::time), "id=\"bar-"), count(by(Scale::order), "id=\"bar-"));
}

TEST(Mermaid, KeepsWithinItsLimitsAndSaysSo) {
  SequenceTextOptions options;
  options.messages_max = 3;
  const auto text = mermaid(real_trace("pause"), options);
  EXPECT_LE(count(text, "->>") + count(text, "-->>"), 3);
  EXPECT_NE(text.find("later events"), std::string::npos);
}

TEST(Mermaid, NoTextEndsAStatementOrBeginsAComment) {
  EXPECT_EQ(mermaid_text("a;b#c%%d<e>"), "a#59;b#35;c#37;#37;d#60;e#62;");
  for (const auto& name : hostile_names()) {
    const auto text = mermaid(hostile(name));
    EXPECT_EQ(count(text, "\n"), count(mermaid(real_trace("failover")), "\n")) << name;
    EXPECT_TRUE(valid_utf8(text));
  }
}

TEST(Story, HasOneLineForEachStepAndNoneOfItEndsWithASpace) {
  for (const auto& name : hostile_names()) {
    const auto text = story(hostile(name));
    EXPECT_EQ(count(text, "\n"), count(story(real_trace("failover")), "\n"));
    EXPECT_EQ(text.find(" \n"), std::string::npos);
  }
}

TEST(StateGraph, OnlyTreeEdgesAndThePathConstrainTheLayout) {
  const auto dot = state_graph_dot(small_graph());
  EXPECT_EQ(count(dot, "constraint=false"), 2);
  EXPECT_NE(dot.find("nslimit=1, nslimit1=1, mclimit=0.2"), std::string::npos);
}

TEST(StateGraph, BeyondTheLimitItKeepsTheCounterexampleAndSaysWhatIsMissing) {
  StateGraphOptions options;
  options.nodes_max = 3;
  const auto dot = state_graph_dot(small_graph(), options);
  EXPECT_NE(dot.find("1 more are not drawn"), std::string::npos);
  EXPECT_NE(dot.find("held B"), std::string::npos);
  EXPECT_EQ(dot.find("B waits"), std::string::npos);
}

TEST(Rendering, PicturesAreWellFormedForHostileNamesToo) {
  if (!graphviz_is_installed()) GTEST_SKIP() << "no Graphviz here";
  for (const auto& name : hostile_names()) {
    const auto trace = hostile(name);
    StateGraph graph = small_graph();
    graph.nodes[1].label = name;
    graph.edges[0].label = name;
    const std::array<std::pair<std::string, Engine>, 4> pictures = {
        {{to_dot(sequence_diagram(trace)), Engine::pinned},
         {to_dot(timeline_diagram(trace)), Engine::pinned},
         {to_dot(failover_diagram(trace)), Engine::pinned},
         {state_graph_dot(graph, {name}), Engine::layered}}};
    for (const auto& [dot, engine] : pictures) {
      EXPECT_TRUE(valid_utf8(dot));
      const auto svg = render(dot, engine, "svg");
      ASSERT_TRUE(svg.ok()) << svg.problem().text;
      EXPECT_EQ(xml_complaints(*svg), "");
      EXPECT_EQ(svg->find("<script"), std::string::npos);
      EXPECT_EQ(svg->find("\xE2\x80\xAE"), std::string::npos);
    }
  }
}

TEST(Rendering, EveryFormatBeginsAsItShould) {
  if (!graphviz_is_installed()) GTEST_SKIP() << "no Graphviz here";
  const auto dot = to_dot(sequence_diagram(real_trace("failover")));
  EXPECT_EQ(render(dot, Engine::pinned, "png")->substr(1, 3), "PNG");
  EXPECT_EQ(render(dot, Engine::pinned, "pdf")->substr(0, 4), "%PDF");
  EXPECT_EQ(*render(dot, Engine::pinned, "dot"), dot);
  EXPECT_NE(render(dot, Engine::pinned, "svg")->find("id=\"ev&#45;0\""), std::string::npos);
  EXPECT_EQ(render(dot, Engine::pinned, "gif").problem().text,
            "no pictures of format `gif`: svg, png, pdf or dot");
}

TEST(Rendering, BrokenDotIsAnAnswerInWords) {
  if (!graphviz_is_installed()) GTEST_SKIP() << "no Graphviz here";
  const auto answer = render("digraph {", Engine::layered, "svg");
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.problem().text.find("Graphviz failed"), std::string::npos);
}

TEST(Rendering, ALayoutThatTakesTooLongIsStopped) {
  if (!graphviz_is_installed()) GTEST_SKIP() << "no Graphviz here";
  std::string dot = "digraph g { rankdir=LR;\n";
  for (int i = 0; i < 600; ++i) {
    dot += fmt::format("n{} -> n{};\nn{} -> n{};\n", i, i + 1, i * 37 % 600, i * 101 % 599);
  }
  const auto begun = std::chrono::steady_clock::now();
  const auto answer = render(dot + "}", Engine::layered, "svg", std::chrono::milliseconds(300));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.problem().text.find("did not finish within 300 ms"), std::string::npos);
}

TEST(Rendering, WithoutGraphvizTheAnswerIsOneSentence) {
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  setenv("PATH", "/nowhere", 1);
  const auto answer = render("digraph g {}", Engine::layered, "svg");
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.problem().text.find("Graphviz is needed for svg"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::reports
