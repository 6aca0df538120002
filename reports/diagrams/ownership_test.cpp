#include "reports/diagrams/ownership.h"

#include <gtest/gtest.h>

#include "reports/diagrams/messages.h"
#include "reports/testing/real_trace.h"

namespace lockstep::reports {
namespace {

using sim::TraceKind;

sim::TraceEvent held(std::int64_t time_ms, const std::vector<std::string>& holders) {
  sim::TraceEvent event{.time_us = time_ms * 1000, .kind = TraceKind::eval, .who = "R0", .lock = "orders"};
  event.truths = {{"orders", {}}};
  for (const std::string& holder : holders) event.truths.front().holds.push_back({holder, 1, 30'000});
  return event;
}

TEST(Ownership, AHolderWhoseWriteWasLostIsMistakenFromTheStart) {
  const auto trace = real_trace("failover");
  const auto end = trace.events.size();
  const std::vector<Band> expected = {
      {"A1", "orders", Standing::mistaken, false, first(trace, TraceKind::enter, "A1"), end},
      {"B1", "orders", Standing::holds, false, first(trace, TraceKind::enter, "B1"), end}};
  EXPECT_EQ(whole_bands(ownership(trace)), expected);
}

TEST(Ownership, AHolderIsMistakenOnceItsKeyIsGoneAndAWaiterWaitsUntilItIsInside) {
  const auto trace = real_trace("pause");
  const auto end = trace.events.size();
  const auto gone = first(trace, TraceKind::expire, "R0");
  const auto refused = first(trace, TraceKind::recv, "B1");
  const auto inside = first(trace, TraceKind::enter, "B1");
  const std::vector<Band> expected = {
      {"A1", "orders", Standing::holds, false, first(trace, TraceKind::enter, "A1"), gone},
      {"B1", "orders", Standing::waiting, false, refused, inside},
      {"A1", "orders", Standing::mistaken, false, gone, end},
      {"B1", "orders", Standing::holds, false, inside, end}};
  EXPECT_EQ(whole_bands(ownership(trace)), expected);
}

TEST(Ownership, BeliefIsSharedOnlyWhileBothAreInside) {
  const auto trace = real_trace("pause");
  int shared = 0;
  for (const auto& band : ownership(trace).bands) {
    if (!band.shared) continue;
    ++shared;
    EXPECT_EQ(band.begin, first(trace, TraceKind::enter, "B1"));
  }
  EXPECT_EQ(shared, 2);
  for (const auto& band : ownership(real_trace("two-clients")).bands) EXPECT_FALSE(band.shared);
}

TEST(Ownership, ATenureEndsByFailoverWhenTheNewMasterDoesNotHaveTheKey) {
  const auto trace = real_trace("failover");
  const auto tenures = ownership(trace).tenures;
  ASSERT_EQ(tenures.size(), 2U);
  EXPECT_EQ(tenures[0].thread, "A1");
  EXPECT_TRUE(tenures[0].by_failover);
  EXPECT_EQ(tenures[0].end, first(trace, TraceKind::promote, "R1"));
  EXPECT_EQ(tenures[1].thread, "B1");
  EXPECT_EQ(tenures[1].deadlines_us.back().second, 33'000'000);
}

TEST(Ownership, RenewalsMoveTheDeadline) {
  auto trace = real_trace("two-clients");
  trace.events = {held(0, {"A1"}), held(10'000, {"A1"}), held(20'000, {})};
  const auto tenures = ownership(trace).tenures;
  ASSERT_EQ(tenures.size(), 1U);
  ASSERT_EQ(tenures[0].deadlines_us.size(), 2U);
  EXPECT_EQ(tenures[0].deadlines_us[0].second, 30'000'000);
  EXPECT_EQ(tenures[0].deadlines_us[1].second, 40'000'000);
  EXPECT_EQ(tenures[0].end, 2U);
  EXPECT_FALSE(tenures[0].by_failover);
}

TEST(Ownership, TheCrashOfAProcessEndsTheBeliefOfItsThreads) {
  auto trace = real_trace("two-clients");
  const auto inside = first(trace, TraceKind::enter, "A1");
  trace.events.resize(inside + 1);
  trace.events.push_back({.kind = TraceKind::crash, .who = "A"});
  trace.events.push_back({.kind = TraceKind::restart, .who = "A"});
  const auto bands = ownership(trace).bands;
  ASSERT_EQ(bands.size(), 1U);
  EXPECT_EQ(bands[0].end, inside + 1);
}

TEST(Ownership, WhatIsStoredIsNotLookedAtOnlyWhatTheKindOfLockSaid) {
  auto trace = real_trace("two-clients");
  const std::string a = find_actor(trace, "A1")->lock_id;
  sim::TraceEvent stored{.kind = TraceKind::eval, .who = "R0", .lock = "accounts:{42}"};
  stored.changes = {{"R0", "accounts:{42}", true, "hash", {{a, "1"}}, 30'000}};
  sim::TraceEvent inside{.kind = TraceKind::enter, .who = "A1", .lock = "accounts:{42}"};
  trace.events = {stored, inside};
  EXPECT_TRUE(ownership(trace).tenures.empty());
  ASSERT_EQ(ownership(trace).bands.size(), 1U);
  EXPECT_EQ(ownership(trace).bands[0].standing, Standing::mistaken);
  trace.events[0].truths = {{"accounts:{42}", {{"A1", 1, {}}}}};
  EXPECT_EQ(ownership(trace).bands[0].standing, Standing::holds);
  EXPECT_TRUE(ownership(trace).tenures.at(0).deadlines_us.empty());
}

TEST(Messages, ARequestAnAnswerAndALossBelongTogether) {
  const auto trace = real_trace("failover");
  const Messages messages(trace);
  const auto ran = first(trace, TraceKind::eval, "R0");
  EXPECT_EQ(messages.request_of(ran), first(trace, TraceKind::send, "A1"));
  EXPECT_EQ(messages.ran_at(first(trace, TraceKind::send, "A1")), ran);
  EXPECT_EQ(messages.answer_of(first(trace, TraceKind::recv, "A1")), ran);
  const auto drop = first(trace, TraceKind::drop, "B1");
  const auto lost = first(trace, TraceKind::send, "B1");
  EXPECT_EQ(messages.request_of(drop), lost);
  EXPECT_EQ(messages.lost_at(lost), drop);
  EXPECT_FALSE(messages.ran_at(lost));
}

TEST(Messages, APushAnswersNothing) {
  const auto trace = real_trace("two-clients");
  const Messages messages(trace);
  int pushes = 0;
  for (std::size_t at = 0; at < trace.events.size(); ++at) {
    if (trace.events[at].kind != TraceKind::recv || trace.events[at].act != "message 0") continue;
    ++pushes;
    EXPECT_FALSE(messages.answer_of(at));
  }
  EXPECT_EQ(pushes, 1);
}

}  // namespace
}  // namespace lockstep::reports
