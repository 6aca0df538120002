// The text of moves: what is shown reads as the same move, and what cannot be read is refused with a
// sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

const Setup& two_processes_and_a_replica() {
  static const Setup setup = replicated(setup_for({{{lock()}, {lock()}}, {{lock()}}}));
  return setup;
}

/// A move of this verb on something that is there.
Move drawn(Verb verb, const Setup& setup) {
  const auto below = [](std::size_t n) {
    return static_cast<std::uint16_t>(*rc::gen::inRange<std::size_t>(0, n));
  };
  const LinkId link{ProcessId{below(setup.processes.size())}, NodeId{below(setup.nodes.size())}};
  const std::uint16_t number = below(70'000);
  const std::int64_t ms = *rc::gen::inRange(-99, 99'999);
  const Carried carried{link, lanes[below(4)], ConnectionId{number}};
  switch (row_of(verb, setup).form) {
    case Form::thread: return {verb, ThreadId{below(setup.threads.size())}};
    case Form::process: return {verb, link.process};
    case Form::node: return {verb, link.node};
    case Form::cut:
    case Form::towards: return {verb, link};
    case Form::carried: {
      const bool pooled = carried.lane == Lane::reply || carried.lane == Lane::request;
      return {verb, pooled ? carried : Carried{link, carried.lane}};
    }
    case Form::fixed_carried: {
      const bool pooled = carried.lane == Lane::reply || carried.lane == Lane::request;
      return {verb, FixedMessage{{number}, pooled ? carried : Carried{link, carried.lane}}};
    }
    case Form::awaited: return {verb, Carried{link, Lane::request, carried.connection}};
    case Form::stream: return {verb, StreamId{NodeId{below(setup.nodes.size())}, link.node}};
    case Form::timer: return {verb, TimerId{link.process, number}};
    case Form::part: return {verb, PartOfNode{link.node, number}};
    case Form::fixed: return {verb, FixedId{number}};
    case Form::follower: return {verb, Follower{link.process, setup.group_of(link.node)}};
    case Form::time: return {verb, std::monostate{}, ms};
    case Form::node_by_time: return {verb, link.node, ms};
  }
  return {};
}

/// Names that hold what moves are written with.
model::Setup with_odd_names(model::Setup setup) {
  const std::vector<std::string> odd{"A to R0", "A", "A/0 -> R0", "größe {1}: | R0", "R0 -> A/0"};
  for (std::size_t i = 0; i < setup.processes.size(); ++i) setup.processes[i].name = odd[i];
  for (std::size_t i = 0; i < setup.threads.size(); ++i) setup.threads[i].name = odd[i] + "1";
  return setup;
}

RC_GTEST_PROP(Moves, NamesMayHoldAnything, ()) {
  const Setup setup = with_odd_names(two_processes_and_a_replica());
  for (const Verb verb : verbs_of(setup)) {
    const Move move = drawn(verb, setup);
    const auto again = parse_move(show(move, setup), setup);
    RC_ASSERT(again.ok());
    RC_ASSERT(*again == move);
  }
}

RC_GTEST_PROP(Moves, OfEveryVerbReadAsTheyAreShown, ()) {
  const Setup& one_group = two_processes_and_a_replica();
  model::Setup two_groups = one_group;
  two_groups.nodes.push_back({.name = "R2", .group = GroupId{1}});
  for (const model::Setup* setup : {&one_group, static_cast<const model::Setup*>(&two_groups)}) {
    for (const Verb verb : verbs_of(*setup)) {
      const Move move = drawn(verb, *setup);
      const auto again = parse_move(show(move, *setup), *setup);
      RC_ASSERT(again.ok());
      RC_ASSERT(*again == move);
    }
  }
}

TEST(Moves, HaveATextThatNamesWhatTheyBefall) {
  const auto& setup = two_processes_and_a_replica();
  const LinkId a0{ProcessId{0}, NodeId{0}}, a1{ProcessId{0}, NodeId{1}}, b0{ProcessId{1}, NodeId{0}};
  const auto text = [&](Verb verb, Subject on, std::int64_t by = 0) {
    return show(Move{verb, on, by}, setup);
  };
  const auto begin = [&](std::string_view key) { return Verb{Act::begin, *find_fault(key, setup)}; };
  EXPECT_EQ(text({Act::deliver, {}}, Carried{b0, Lane::reply, ConnectionId{7}}), "reply R0 -> B/7");
  EXPECT_EQ(text({Act::deliver, {}}, Carried{a1, Lane::request, ConnectionId{0}}), "request A/0 -> R1");
  EXPECT_EQ(text(begin("lose-message"), Carried{a0, Lane::push}), "lose-push R0 -> A");
  EXPECT_EQ(text(begin("delay-message"), Carried{a0, Lane::channel}), "hold-channel A -> R0");
  EXPECT_EQ(text({Act::run, {}}, ThreadId{2}), "run B1");
  EXPECT_EQ(text({Act::time_out, {}}, Carried{a1, Lane::request, ConnectionId{2}}), "time-out A/2 at R1");
  EXPECT_EQ(text({Act::reconnect, {}}, a1), "reconnect A to R1");
  EXPECT_EQ(text({Act::learn, {}}, Follower{ProcessId{1}, {}}), "learn B");
  EXPECT_EQ(text(begin("cut-link"), a1), "cut A | R1");
  EXPECT_EQ(text(begin("clock-jump"), NodeId{1}, -500), "jump R1 -500ms");
  EXPECT_EQ(text({Act::pass, {}}, std::monostate{}, 30'001), "pass 30001ms");
}

TEST(Moves, ThatCannotBeReadAreRefusedWithASentence) {
  const auto& setup = two_processes_and_a_replica();
  const auto said = [&](std::string_view text) {
    const auto move = parse_move(text, setup);
    return move.ok() ? "it was read" : move.problem().text;
  };
  EXPECT_EQ(said(""), "`` is no move");
  EXPECT_EQ(said("dance A1"), "`dance A1` is no move");
  EXPECT_EQ(said("pass"), "`pass` is no move");
  EXPECT_EQ(said("run C1"), "there is no thread `C1` in test");
  EXPECT_EQ(said("crash-node A"), "there is no node `A` in test");
  EXPECT_EQ(said("learn R0"), "there is no process `R0` in test");
  EXPECT_EQ(said("reply R0 -> A/x"), "there is no number `x` in test");
  EXPECT_EQ(said("reply R0 => A/0"), "`reply` wants the form `reply N -> P/C`");
  EXPECT_EQ(said("pass 5s"), "`pass`: `s` is no unit of a move's time; there is `ms`");
  EXPECT_EQ(said("pass 99h of 100h"), "`pass`: `h` is no unit of a move's time; there is `ms`");
  EXPECT_EQ(said("pass 5"), "`pass`: `5` has no unit; write `5ms`");
  EXPECT_EQ(said("pass 1.5ms"), "`pass`: `1.5ms` has a fraction; write whole `ms`");
  EXPECT_EQ(said("pass soon"), "`pass`: `soon` is no length of time; write for example `250ms`");
  EXPECT_EQ(said("pass 5ms of 5ms"), "`pass`: `5ms` is no part of `5ms`; a part is shorter, and not nothing");
  EXPECT_EQ(said("jump R1 -5s"), "`jump`: `s` is no unit of a move's time; there is `ms`");
  EXPECT_EQ(said("pass 5ms "), "`pass` wants the form `pass D`");
  EXPECT_EQ(said("pass 99999999999999999999ms"), "`pass`: `99999999999999999999ms` is too long");
  EXPECT_EQ(said("renew A 70000"), "there is no number `70000` in test");
}

TEST(Moves, ThatTakeAPartOfATimeSayOfWhich) {
  const auto& setup = two_processes_and_a_replica();
  const Move part{{Act::pass, {}}, std::monostate{}, 137, 1'000};
  const Move whole{{Act::pass, {}}, std::monostate{}, 1'000};
  EXPECT_EQ(show(part, setup), "pass 137ms of 1000ms");
  EXPECT_EQ(*parse_move("pass 137ms of 1000ms", setup), part);
  EXPECT_EQ(part.whole(), whole);
  EXPECT_FALSE(whole.is_part());
  const Move other{{Act::pass, {}}, std::monostate{}, 200}, shorter{{Act::pass, {}}, std::monostate{}, 100};
  EXPECT_EQ(part.fitted(other), (Move{{Act::pass, {}}, std::monostate{}, 137, 200}));
  EXPECT_EQ(part.fitted(shorter), shorter) << "there is no more of it";
  EXPECT_EQ(whole.fitted(other), std::nullopt);
  for (const char* wrong : {"pass 5ms of 5ms", "pass 0ms of 5ms", "pass 5ms of 9s", "jump R1 5ms of 9ms"})
    EXPECT_FALSE(parse_move(wrong, setup).ok()) << wrong;
}

TEST(Moves, KnowWhetherTheyAreFaultsOrEndThemOrPassTime) {
  const auto& setup = two_processes_and_a_replica();
  const FaultId cut = *find_fault("cut-link", setup);
  EXPECT_TRUE((Move{{Act::begin, cut}, LinkId{}}.is_fault()));
  EXPECT_FALSE((Move{{Act::end, cut}, LinkId{}}.is_fault()));
  EXPECT_TRUE((Move{{Act::end, cut}, LinkId{}}.ends_fault()));
  EXPECT_TRUE((Move{{Act::pass, {}}, std::monostate{}, 1}.passes_time()));
  EXPECT_FALSE((Move{{Act::run, {}}, ThreadId{}}.passes_time()));
}

TEST(Moves, OfManyThreadsAreThoseOfAsManyActors) {
  std::set<sim::Actor> actors;
  for (std::uint32_t t = 0; t < 65'000; ++t)
    actors.insert(Move{{Act::run, {}}, ThreadId{static_cast<std::uint16_t>(t)}}.actor());
  for (std::uint16_t p = 0; p < 100; ++p) {
    actors.insert(Move{{Act::renew, {}}, TimerId{ProcessId{p}, 0}}.actor());
    actors.insert(Move{{Act::deliver, {}}, Carried{{{}, NodeId{p}}, Lane::request}}.actor());
    actors.insert(Move{{Act::effects, {}}, StreamId{{}, NodeId{p}}}.actor());
  }
  EXPECT_EQ(actors.size(), 65'300U);
}

}  // namespace
}  // namespace lockstep::model
