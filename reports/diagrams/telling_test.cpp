// What a reader of a diagram must be able to tell: who is who, who took what, what a sign means.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "reports/diagrams/idle.h"
#include "reports/diagrams/legend.h"
#include "reports/diagrams/sequence.h"
#include "reports/diagrams/sequence_layout.h"
#include "reports/diagrams/timeline.h"
#include "reports/diagrams/timeline_lanes.h"
#include "reports/testing/real_trace.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {
namespace {

using sim::TraceKind;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> texts(const Drawing& drawing) {
  std::vector<std::string> found;
  for (const Element& element : drawing.elements) {
    if (const auto* text = std::get_if<Text>(&element.shape)) found.push_back(text->text);
    if (const auto* box = std::get_if<Box>(&element.shape); box != nullptr && !box->label.empty())
      found.push_back(box->label);
  }
  return found;
}

/// Texts that cover each other, at any place.
std::vector<std::string> overprinted(const Drawing& drawing) {
  struct Place {
    int x0, x1, y;
    std::string text;
  };
  std::vector<Place> places;
  std::vector<std::string> found;
  for (const Element& element : drawing.elements) {
    const auto* text = std::get_if<Text>(&element.shape);
    if (text == nullptr || text->text.empty()) continue;
    const int width = text_width(text->text, text->font_size, text->bold);
    const int x0 = text->align == Align::left    ? text->x
                   : text->align == Align::right ? text->x - width
                                                 : text->x - width / 2;
    for (const Place& other : places)
      if (other.y == text->y && x0 < other.x1 && other.x0 < x0 + width)
        found.push_back(other.text + " | " + text->text);
    places.push_back({x0, x0 + width, text->y, text->text});
  }
  return found;
}

TEST(CutApart, KeepsWhatDiffers) {
  const std::string zeros = "00000000-0000-4000-8000-00000000000";
  const auto tails = cut_apart({zeros + "a:1", zeros + "b:1", zeros + "b:2"}, 8, 100);
  EXPECT_EQ(std::set<std::string>(tails.begin(), tails.end()).size(), 3u);
  for (const std::string& text : tails) EXPECT_LE(text_width(text, 8), 100) << text;
  const auto heads = cut_apart({"a" + zeros, "b" + zeros}, 8, 100);
  EXPECT_NE(heads[0], heads[1]);
  const auto middles =
      cut_apart({zeros + "x" + zeros + "1", zeros + "x" + zeros + "2", "y" + zeros + zeros}, 8, 90);
  EXPECT_EQ(std::set<std::string>(middles.begin(), middles.end()).size(), 3u);
  EXPECT_EQ(cut_apart({"short"}, 8, 100), std::vector<std::string>{"short"});
}

TEST(Sequence, IdsThatDifferAreToldApart) {
  const SequenceLayout layout(real_trace("permit"), {});
  std::set<std::string> subtitles;
  for (const Lifeline& line : layout.lifelines) subtitles.insert(line.subtitle);
  EXPECT_EQ(subtitles.size(), layout.lifelines.size());
  sim::Trace trace = real_trace("permit");
  for (sim::TraceActor& actor : trace.actors) actor.label = std::string(80, 'x') + actor.id;
  std::set<std::string> titles;
  for (const Lifeline& line : SequenceLayout(trace, {}).lifelines) titles.insert(line.title);
  EXPECT_EQ(titles.size(), SequenceLayout(trace, {}).lifelines.size());
}

TEST(Sequence, TheLineOfAProcessIsItsEventLoop) {
  const auto shown = texts(sequence_diagram(real_trace("permit")));
  EXPECT_THAT(shown, Contains("its event loop"));
  EXPECT_THAT(shown, Not(Contains("watchdog")));
}

TEST(Sequence, AMessageToADeadNodeEndsAtThatNode) {
  const sim::Trace trace = real_trace("failover");
  const Drawing drawing = sequence_diagram(trace);
  const SequenceLayout layout(trace, {});
  const auto drop = first(trace, TraceKind::drop, "B1");
  const auto crash = first(trace, TraceKind::crash, "R0");
  ASSERT_LT(crash, drop);
  const std::string id = "ev-" + std::to_string(drop);
  for (const Element& element : drawing.elements) {
    const auto* line = std::get_if<Line>(&element.shape);
    if (element.id == id && line != nullptr) { EXPECT_NEAR(line->x1, layout.lifeline("R0")->x, 8); }
  }
  sim::Trace alive = trace;  // lost on the way, if the node lives
  std::erase_if(alive.events, [](const sim::TraceEvent& event) { return event.kind == TraceKind::crash; });
  const auto again = first(alive, TraceKind::drop, "B1");
  const SequenceLayout other(alive, {});
  for (const Element& element : sequence_diagram(alive).elements) {
    const auto* line = std::get_if<Line>(&element.shape);
    if (element.id == "ev-" + std::to_string(again) && line != nullptr) {
      EXPECT_GT(std::abs(line->x1 - other.lifeline("R0")->x), 40);
    }
  }
}

TEST(Diagrams, LargeTimesAreNotOverprinted) {
  sim::Trace trace = real_trace("permit");
  for (sim::TraceEvent& event : trace.events) event.time_us += 31'536'000'000'123'456;
  for (sim::TraceEvent& event : trace.events) event.index += 1'000'000;
  const Drawing sequence = sequence_diagram(trace);
  EXPECT_THAT(overprinted(sequence), ::testing::IsEmpty());
  EXPECT_THAT(overprinted(timeline_diagram(trace)), ::testing::IsEmpty());
  sim::Trace pause = real_trace("pause");
  for (sim::TraceEvent& event : pause.events) event.time_us *= 1'000'000;
  EXPECT_THAT(overprinted(timeline_diagram(pause)), ::testing::IsEmpty());
}

TEST(Diagrams, TheSentenceOfTheScenarioIsTheCaption) {
  const sim::Trace trace = real_trace("permit");
  ASSERT_THAT(trace.about, HasSubstr("Two threads of B wait"));
  for (const Drawing& drawing : {sequence_diagram(trace), timeline_diagram(trace)}) {
    bool found = false;
    for (const Element& element : drawing.elements)
      found |= element.css == "caption" && element.tooltip == trace.about;
    EXPECT_TRUE(found) << drawing.name;
  }
}

TEST(Diagrams, TheLegendShowsWhatOccurs) {
  const auto of_pause = texts(timeline_diagram(real_trace("pause")));
  EXPECT_THAT(of_pause, Contains("paused"));
  EXPECT_THAT(of_pause, Contains("one instant, drawn wide"));
  EXPECT_THAT(of_pause, Not(Contains("renewal refused")));
  const auto of_failover = texts(sequence_diagram(real_trace("failover")));
  EXPECT_THAT(of_failover, Contains("lost"));
  EXPECT_THAT(of_failover, Not(Contains("push")));
  EXPECT_THAT(of_failover, Not(Contains("error")));
  EXPECT_THAT(texts(sequence_diagram(real_trace("two-clients"))), Contains("push"));
}

TEST(Timeline, ShowsWhoTookTheWakeUpAndHowLongTheLockWasFreeForOneWhoWaits) {
  const auto shown = texts(timeline_diagram(real_trace("permit")));
  EXPECT_THAT(shown, Contains("takes the wake-up, and gives up"));
  EXPECT_THAT(shown, Contains("free for 20.001 s"));
  EXPECT_THAT(shown, Contains("free, though a thread waits"));
  EXPECT_THAT(texts(timeline_diagram(real_trace("two-clients"))), Not(Contains(HasSubstr("free for"))));
}

TEST(Timeline, LongNamesOfLocksAreToldApart) {
  Ownership two;
  for (const char* end : {"a", "b"})
    two.tenures.push_back({std::string(200, 'k') + end, "A1", 0, 1, {}, false});
  const auto lanes = timeline_lanes({}, two);
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_NE(lanes[0].title, lanes[1].title);
}

TEST(Vacancy, IsWhereNobodyHoldsAndSomebodyWaits) {
  Ownership both;
  both.tenures.push_back({"orders", "A1", 0, 4, {}, false});
  both.bands.push_back({"B1", "orders", Standing::waiting, false, 2, 8});
  both.bands.push_back({"B2", "other", Standing::waiting, false, 0, 9});
  EXPECT_EQ(vacancies_of("orders", both, 9), (std::vector<Vacancy>{{4, 8}}));
}

TEST(Idle, LanesOfThoseWhoDoNothingCanBeLeftOut) {
  sim::Trace trace = real_trace("two-clients");
  const std::size_t all = trace.actors.size();
  EXPECT_EQ(without_idle(trace, {}).actors.size(), all);
  trace.actors.push_back({"C", "process", "", "process C", "", ""});
  trace.actors.push_back({"C1", "thread", "C", "process C, thread 1", "c:1", ""});
  trace.actors.push_back({"R7", "redis", "", "redis R7", "", "replica"});
  EXPECT_EQ(without_idle(trace, {}).actors, real_trace("two-clients").actors);
  EXPECT_EQ(without_idle(trace, {}).events, trace.events);
}

}  // namespace
}  // namespace lockstep::reports
