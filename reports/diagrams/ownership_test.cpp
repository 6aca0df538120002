#include "reports/diagrams/ownership.h"

#include <gtest/gtest.h>

#include "reports/diagrams/messages.h"
#include "reports/testing/sample_trace.h"

namespace lockstep::reports {
namespace {

std::size_t first(const sim::Trace& trace, sim::TraceKind kind, const std::string& who) {
  for (std::size_t at = 0; at < trace.events.size(); ++at) {
    if (trace.events[at].kind == kind && trace.events[at].who == who) return at;
  }
  return trace.events.size();
}

TEST(Ownership, AfterTheFailoverTheFirstHolderIsMistakenFromThePromotionOn) {
  const auto trace = sample::failover();
  const auto bands = whole_bands(ownership(trace));
  const auto end = trace.events.size();
  const auto promoted = first(trace, sim::TraceKind::promote, "R1");
  const std::vector<Band> expected = {
      {"A1", "orders", Standing::holds, false, first(trace, sim::TraceKind::enter, "A1"), promoted},
      {"B1", "orders", Standing::waiting, false, 9, first(trace, sim::TraceKind::enter, "B1")},
      {"A1", "orders", Standing::mistaken, false, promoted, end},
      {"B1", "orders", Standing::holds, false, first(trace, sim::TraceKind::enter, "B1"), end}};
  EXPECT_EQ(bands, expected);
}

TEST(Ownership, BeliefIsSharedOnlyWhileBothAreInside) {
  const auto trace = sample::pause();
  const auto both = first(trace, sim::TraceKind::enter, "B1");
  const auto left = first(trace, sim::TraceKind::leave, "A1");
  int shared = 0;
  for (const auto& band : ownership(trace).bands) {
    if (!band.shared) continue;
    ++shared;
    EXPECT_EQ(band.begin, both);
    EXPECT_EQ(band.end, left);
  }
  EXPECT_EQ(shared, 2);
}

TEST(Ownership, ATenureEndsByFailoverWhenTheNewMasterDoesNotHaveTheKey) {
  const auto trace = sample::failover();
  const auto tenures = ownership(trace).tenures;
  ASSERT_EQ(tenures.size(), 2U);
  EXPECT_EQ(tenures[0].thread, "A1");
  EXPECT_TRUE(tenures[0].by_failover);
  EXPECT_EQ(tenures[0].end, first(trace, sim::TraceKind::promote, "R1"));
  EXPECT_EQ(tenures[1].thread, "B1");
  EXPECT_EQ(tenures[1].deadlines_us.back().second, 60'001'000);
}

TEST(Ownership, RenewalsMoveTheDeadlineAndOnlyThoseThatArrived) {
  const auto tenures = ownership(sample::pause()).tenures;
  ASSERT_EQ(tenures.size(), 2U);
  ASSERT_EQ(tenures[0].deadlines_us.size(), 2U);
  EXPECT_EQ(tenures[0].deadlines_us[0].second, 30'000'000);
  EXPECT_EQ(tenures[0].deadlines_us[1].second, 40'000'000);
  EXPECT_FALSE(tenures[0].by_failover);
}

TEST(Ownership, TheCrashOfAProcessEndsTheBeliefOfItsThreads) {
  sample::Builder b("crash");
  b.on_lock(sim::TraceKind::inv, "A1", "lock orders");
  b.call("A1", "R0", "lock", "nil", {b.held("R0", sample::id_a)});
  b.on_lock(sim::TraceKind::enter, "A1");
  b.event(sim::TraceKind::crash, "A");
  b.event(sim::TraceKind::restart, "A");
  const auto bands = ownership(b.done()).bands;
  ASSERT_EQ(bands.size(), 1U);
  EXPECT_EQ(bands[0].end, static_cast<std::size_t>(b.last() - 1));
}

TEST(Ownership, TwoReadersDoNotShareALock) {
  sample::Builder b("readers");
  for (const char* thread : {"A1", "B1"}) b.event(sim::TraceKind::enter, thread).lock = "read:orders";
  for (const auto& band : ownership(b.done()).bands) EXPECT_FALSE(band.shared);
  b.trace_.events.back().lock = "write:orders";
  int shared = 0;
  for (const auto& band : ownership(b.trace_).bands) shared += band.shared ? 1 : 0;
  EXPECT_EQ(shared, 2);
}

TEST(Ownership, TheKeysOfALockAreThoseOfItsParts) {
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys_of_lock("orders"), Keys{"orders"});
  EXPECT_EQ(keys_of_lock("fair:orders"), Keys{"orders"});
  EXPECT_EQ(keys_of_lock("a:b"), Keys{"a:b"});
  EXPECT_EQ(keys_of_lock("red:a+b+c"), (Keys{"a", "b", "c"}));
  EXPECT_EQ(keys_of_lock("orders#fresh"), Keys{"orders"});
}

TEST(Messages, ARequestAnAnswerAndALossAreFoundByTheNumberOfTheMessage) {
  const auto trace = sample::pause();
  const Messages messages(trace);
  const auto drop = first(trace, sim::TraceKind::drop, "A");
  EXPECT_EQ(messages.request_of(2), 1U);
  EXPECT_EQ(messages.ran_at(1), 2U);
  EXPECT_EQ(messages.answer_of(3), 2U);
  ASSERT_TRUE(messages.request_of(drop));
  EXPECT_EQ(trace.events[*messages.request_of(drop)].kind, sim::TraceKind::send);
  EXPECT_EQ(messages.lost_at(*messages.request_of(drop)), drop);
  EXPECT_FALSE(messages.ran_at(*messages.request_of(drop)));
}

TEST(Messages, APushAnswersNothing) {
  sample::Builder b("push");
  const auto ran = b.call("A1", "R0", "unlock", "(integer) 1", {b.gone("R0")});
  auto& push = b.recv(99, "B1", "R0", "message 0");
  push.cause = ran;
  const auto trace = b.done();
  EXPECT_FALSE(Messages(trace).answer_of(trace.events.size() - 1));
}

}  // namespace
}  // namespace lockstep::reports
