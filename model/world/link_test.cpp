// What is under way: connection numbers, transit, what a break loses; and streams to replicas.
#include <gtest/gtest.h>

#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

using namespace std::chrono_literals;

Flight flight_on(std::uint16_t connection, Transit transit = {}) {
  return {.connection = ConnectionId{connection}, .transit = transit, .request = Request{}, .reply = {}};
}

TEST(Link, GivesTheSmallestConnectionNumberThatNothingIsUnderWayOn) {
  Link link;
  EXPECT_EQ(free_connection(link, {}), ConnectionId{0});
  link.flights = {flight_on(0), flight_on(2)};
  EXPECT_EQ(free_connection(link, {}), ConnectionId{1});
}

TEST(Link, GivesNoNumberOnWhichALostRequestStillWaitsForItsAnswer) {
  Link link;
  EXPECT_EQ(free_connection(link, {ConnectionId{0}, ConnectionId{1}}), ConnectionId{2});
  link.flights = {flight_on(2)};
  EXPECT_EQ(free_connection(link, {ConnectionId{0}, ConnectionId{1}}), ConnectionId{3});
}

TEST(Transit, IsAsTheNetworkSays) {
  EXPECT_EQ(depart({.kind = NetworkKind::no_delay}), (Transit{0ms, 0ms, false}));
  EXPECT_EQ(depart({.kind = NetworkKind::interval, .delay = {5ms, 50ms}}), (Transit{5ms, 50ms, false}));
  EXPECT_EQ(depart({.kind = NetworkKind::any, .held_max = 1}), (Transit{0ms, sim::never, false}));
}

TEST(Transit, MayBeDeliveredFromItsEarliestAndMustBeAtItsLatest) {
  Transit transit{5ms, 50ms, false};
  EXPECT_FALSE(transit.deliverable());
  transit = {0ms, 45ms, false};
  EXPECT_TRUE(transit.deliverable());
  EXPECT_FALSE(transit.overdue());
  transit = {0ms, 0ms, false};
  EXPECT_TRUE(transit.overdue());
  transit.held = true;
  EXPECT_FALSE(transit.deliverable());
  EXPECT_FALSE(transit.overdue());
}

TEST(Link, CountsDownWhatIsUnderWayAndTheLeasesThatItAsksFor) {
  Link link;
  link.flights = {flight_on(0, {5ms, 50ms, false})};
  link.flights[0].lease_left.left = 7ms;
  link.down = {{Reply{}, {0ms, 9ms, false}}};
  EXPECT_EQ(next_deadline(link), 5ms);
  advance(link, 6ms);
  EXPECT_EQ(link.flights[0].transit, (Transit{0ms, 44ms, false}));
  EXPECT_EQ(link.flights[0].lease_left.left, 1ms);
  EXPECT_EQ(next_deadline(link), 3ms);
}

TEST(Link, LosesAllThatIsUnderWayWhenItBreaksAndRemembersThatItListened) {
  Link link;
  link.listening = true;
  link.flights = {flight_on(0)};
  link.up = {{{true, "channel"}, {}}};
  link.down = {{Reply{}, {}}};
  break_connections(link);
  EXPECT_TRUE(link.empty());
  EXPECT_TRUE(link.broken);
  EXPECT_FALSE(link.listening);
}

TEST(Link, ThatNeverListenedIsNotBrokenByABreak) {
  Link link;
  link.flights = {flight_on(0)};
  break_connections(link);
  EXPECT_FALSE(link.broken);
}

TEST(Stream, HasNoDeadlineButItsOwnWhileTheAdversaryHoldsIt) {
  Stream stream{.master = NodeId{0}, .batches = {{redis::Effects{}, {5ms, 9ms, false}}}};
  EXPECT_EQ(next_deadline(stream), 5ms);
  stream.lagging = true;
  stream.lag_left = 60s;
  EXPECT_EQ(next_deadline(stream), 60s);
}

TEST(Stream, AgesTheTimesInsideItsEffects) {
  Stream stream{.master = NodeId{0}};
  stream.batches = {
      {{redis::Effect{.words = {"PEXPIREAT", "k", ""}, .time_word = 2, .remaining = 10ms}}, {}}};
  advance(stream, 4ms, 4ms);
  EXPECT_EQ(stream.batches[0].effects[0].remaining, 6ms);
  advance(stream, 40ms, 40ms);
  EXPECT_EQ(stream.batches[0].effects[0].remaining, -1ms) << "dead is dead, however long";
}

}  // namespace
}  // namespace lockstep::model
