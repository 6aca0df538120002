#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reports/diagrams/failover.h"
#include "reports/diagrams/mermaid.h"
#include "reports/diagrams/sequence.h"
#include "reports/diagrams/timeline.h"
#include "reports/testing/any_trace.h"
#include "reports/text/story.h"
#include "reports/text/text.h"

namespace lockstep::reports {
namespace {

RC_GTEST_PROP(Diagrams, AnyTraceIsDrawnAndToldWhateverItSays, ()) {
  auto trace = any_trace();
  for (auto& actor : trace.actors) actor.kind = *rc::gen::element<std::string>("thread", "process", "redis");
  for (int i = *rc::gen::inRange(0, 20); i > 0; --i) trace.events.push_back(any_event());
  Window window;
  window.events_max = *rc::gen::inRange<std::size_t>(0, 30);
  if (*rc::gen::arbitrary<bool>()) window.from = *rc::gen::inRange(-5, 30);
  if (*rc::gen::arbitrary<bool>()) window.to = *rc::gen::inRange(-5, 30);
  TimelineOptions timeline;
  timeline.scale = *rc::gen::element(Scale::automatic, Scale::time, Scale::order);
  timeline.window = window;
  FailoverOptions grid;
  grid.window = window;
  grid.epochs_max = *rc::gen::inRange<std::size_t>(1, 4);
  SequenceTextOptions text;
  text.window = window;
  StoryOptions table;
  table.window = window;
  table.everything = *rc::gen::arbitrary<bool>();
  for (const auto& drawn :
       {to_dot(sequence_diagram(trace, window)), to_dot(timeline_diagram(trace, timeline)),
        to_dot(failover_diagram(trace, grid)), mermaid(trace, text), story(trace, table)}) {
    RC_ASSERT(valid_utf8(drawn));
    RC_ASSERT(drawn.find("\xE2\x80\xAE") == std::string::npos);
    RC_ASSERT(drawn.find('\0') == std::string::npos);
  }
}

}  // namespace
}  // namespace lockstep::reports
