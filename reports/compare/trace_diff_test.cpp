// Two traces beside each other: where they part, and in what.
#include "reports/compare/trace_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/compare/alignment.h"
#include "reports/testing/real_trace.h"

namespace lockstep::reports {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Rows = std::vector<AlignedRow>;
using sim::TraceKind;

/// Two pushes of a server to two processes, each of which hears its own.
sim::Trace two_pushes() {
  sim::Trace trace;
  trace.actors = {
      {.id = "A", .kind = "process"}, {.id = "B", .kind = "process"}, {.id = "R0", .kind = "redis"}};
  for (const std::string to : {"A", "B"}) {
    sim::TraceEvent sent{.index = static_cast<std::int64_t>(trace.events.size())};
    sent.kind = TraceKind::send;
    sent.who = "R0";
    sent.to = to;
    sent.act = "message 0";
    trace.events.push_back(sent);
  }
  return trace;
}

std::size_t place(const sim::Trace& trace, TraceKind kind, const std::string& who) {
  return first(trace, kind, who);
}

TEST(Alignment, KeepsAsMuchAsPossibleOfWhatIsEqual) {
  EXPECT_EQ(align({}, {}).rows, Rows{});
  EXPECT_EQ(align({1, 2}, {1, 2}).rows, (Rows{{0, 0}, {1, 1}}));
  EXPECT_EQ(align({1, 2, 3}, {1, 3}).rows, (Rows{{0, 0}, {1, {}}, {2, 1}}));
  EXPECT_EQ(align({}, {7}).rows, (Rows{{{}, 0}}));
  std::size_t equal = 0;
  for (const AlignedRow& row : align({1, 2, 3, 1, 2, 2, 1}, {3, 2, 1, 2, 1, 3}).rows) equal += row.a && row.b;
  EXPECT_EQ(equal, 4u) << "the example of Myers' paper";
}

TEST(Alignment, ListsThatAreTooDifferentKeepTheirEnds) {
  const Alignment aligned = align({1, 2, 3, 9}, {1, 4, 5, 9}, 2);
  EXPECT_FALSE(aligned.whole);
  EXPECT_EQ(aligned.rows, (Rows{{0, 0}, {1, {}}, {2, {}}, {{}, 1}, {{}, 2}, {3, 3}}));
  EXPECT_TRUE(align({1, 2, 3, 9}, {1, 4, 5, 9}, 4).whole);
}

TEST(TraceDiff, ATraceIsTheSameAsItself) {
  const TraceDiff diff = compare_traces(real_trace("pause"), real_trace("pause"));
  EXPECT_THAT(diff.in, IsEmpty());
  EXPECT_FALSE(diff.first);
  EXPECT_EQ(diff.only_a + diff.only_b, 0u);
  EXPECT_THAT(trace_diff_text(diff), HasSubstr("the same events\n"));
}

TEST(TraceDiff, AReplyThatIsAnotherIsToldWithBothSides) {
  const sim::Trace a = real_trace("two-clients");
  sim::Trace b = a;
  const std::size_t at = place(a, TraceKind::eval, "R0");
  b.events[at].ret = "(integer) 7";
  b.events[at].meaning = "refused";
  const TraceDiff diff = compare_traces(a, b);
  EXPECT_EQ(diff.first, at);
  EXPECT_THAT(diff.in, ElementsAre("requests and replies"));
  EXPECT_EQ(diff.only_a, 1u);
  EXPECT_EQ(diff.only_b, 1u);
  const std::string text = trace_diff_text(diff);
  EXPECT_THAT(text, HasSubstr("the same for 2 events, then they part at 0 s\n"));
  EXPECT_THAT(text, HasSubstr("▶ a    2       0 s         A1@R0         lock orders → nil (got it)"));
  EXPECT_THAT(text, HasSubstr("  b         2  0 s         A1@R0         lock orders → 7 (refused)"));
  EXPECT_THAT(text, HasSubstr("they differ only in requests and replies\n"));
}

TEST(TraceDiff, OneEventMoreDoesNotShiftTheRest) {
  const sim::Trace a = real_trace("two-clients");
  sim::Trace b = a;
  const auto at = static_cast<std::ptrdiff_t>(place(a, TraceKind::park, "B1"));
  b.events.erase(b.events.begin() + at);
  for (std::size_t i = 0; i < b.events.size(); ++i) {
    b.events[i].index = static_cast<std::int64_t>(i);
    if (b.events[i].msg) *b.events[i].msg += 100;
  }
  const TraceDiff diff = compare_traces(a, b);
  EXPECT_EQ(diff.only_a, 1u);
  EXPECT_EQ(diff.only_b, 0u);
  EXPECT_EQ(diff.both, b.events.size());
  EXPECT_THAT(diff.in, ElementsAre("what callers do"));
}

TEST(TraceDiff, TheSameMessagesInAnotherOrderAreSaidToBeThat) {
  const sim::Trace a = two_pushes();
  sim::Trace b = a;
  std::swap(b.events[0], b.events[1]);
  EXPECT_THAT(compare_traces(a, b).in, ElementsAre("the order of messages"));
  b.events.pop_back();
  EXPECT_THAT(compare_traces(a, b).in, ElementsAre("messages"));
}

TEST(TraceDiff, WhatOnlyReplicasSeeIsEffects) {
  sim::Trace a = two_pushes();
  sim::TraceEvent applied{.index = 2};
  applied.kind = TraceKind::repl;
  applied.who = "R1";
  applied.changes = {{.node = "R1", .key = "orders", .present = false}};
  a.events.push_back(applied);
  sim::Trace b = a;
  b.events.back().changes.clear();
  EXPECT_THAT(compare_traces(a, b).in, ElementsAre("effects"));
}

TEST(TraceDiff, AnotherOrderOfWhatDifferentActorsDoIsNoMoreThanThat) {
  const sim::Trace a = real_trace("two-clients");
  sim::Trace b = a;
  const std::size_t at = place(a, TraceKind::park, "B1");
  ASSERT_NE(a.events[at].who, a.events[at + 1].who);
  std::swap(b.events[at], b.events[at + 1]);
  b.events[at].time_us = a.events[at].time_us;
  b.events[at + 1].time_us = a.events[at + 1].time_us;
  EXPECT_THAT(compare_traces(a, b).in, Contains("the order of what different actors do"));
  EXPECT_THAT(compare_traces(a, b).in, Not(Contains("what callers do")));
}

TEST(TraceDiff, TheSameAtOtherTimesDiffersOnlyInTimes) {
  const sim::Trace a = real_trace("two-clients");
  sim::Trace b = a;
  b.events.back().time_us += 1000;
  const TraceDiff diff = compare_traces(a, b);
  EXPECT_THAT(diff.in, ElementsAre("times"));
  EXPECT_EQ(diff.both, a.events.size());
  EXPECT_EQ(diff.first, a.events.size() - 1);
}

TEST(TraceDiff, AnActorAloneIsComparedByWhatItDoesAndHears) {
  const sim::Trace a = real_trace("two-clients");
  sim::Trace b = a;
  b.events[place(a, TraceKind::park, "B1")].act = "otherwise";
  EXPECT_THAT(compare_traces(a, b, "A1").in, IsEmpty());
  EXPECT_THAT(compare_traces(a, b, "B1").in, ElementsAre("what callers do"));
  EXPECT_THAT(actors_of(a, b), ElementsAre("A", "A1", "B", "B1", "R0"));
}

TEST(TraceDiff, WhatTheyAreOfIsSaidAndIsNoDifferenceOfEvents) {
  sim::Trace a = real_trace("pause"), b = a;
  b.scripts = "redisson@4.7.0";
  const TraceDiff diff = compare_traces(a, b);
  EXPECT_THAT(diff.header, ElementsAre("scripts: " + a.scripts + ", redisson@4.7.0"));
  EXPECT_THAT(diff.in, IsEmpty());
}

TEST(TraceDiff, NotMoreLinesAreShownThanAsked) {
  const TraceDiff diff = compare_traces(real_trace("two-clients"), real_trace("pause"));
  EXPECT_THAT(trace_diff_text(diff, {.lines_max = 2}), HasSubstr("more lines; --max-lines shows them\n"));
  EXPECT_THAT(trace_diff_text(diff, {.lines_max = 0}), Not(HasSubstr("▶")));
}

TEST(TraceDiff, HostileNamesAreShownAndParsed) {
  const TraceDiff diff = compare_traces(real_trace("failover"), hostile("</script>\n\xff\x1b[2J"));
  EXPECT_THAT(trace_diff_text(diff), Not(HasSubstr("\x1b")));
  EXPECT_TRUE(nlohmann::json::accept(trace_diff_json(diff)));
}

}  // namespace
}  // namespace lockstep::reports
