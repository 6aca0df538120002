// The text of moves: what is shown reads as the same move, and what cannot be read is refused with a
// sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

const Setup& two_processes_and_a_replica() {
  static const Setup setup = replicated(setup_for({{{lock()}, {lock()}}, {{lock()}}}));
  return setup;
}

constexpr auto last_kind = static_cast<int>(MoveKind::flush);

/// A move of this kind whose members name something and are zero where the kind has no use for them.
Move drawn(MoveKind kind) {
  const auto& setup = two_processes_and_a_replica();
  const auto below = [](std::size_t n) {
    return static_cast<std::uint16_t>(*rc::gen::inRange<std::size_t>(0, n));
  };
  const Move full{
      .kind = kind, .a = below(2), .b = below(2), .c = below(100), .amount = *rc::gen::inRange(-99, 99'999)};
  // What a kind leaves out of its text is not part of it; each member in turn is tried without.
  Move move = full;
  const std::string text = show(full, setup);
  for (std::uint16_t Move::*member : {&Move::a, &Move::b, &Move::c}) {
    Move other = full;
    other.*member = static_cast<std::uint16_t>(1 - std::min<int>(other.*member, 1));
    if (show(other, setup) == text) move.*member = 0;
  }
  Move other = full;
  ++other.amount;
  if (show(other, setup) == text) move.amount = 0;
  return move;
}

RC_GTEST_PROP(Moves, OfEveryKindReadAsTheyAreShown, ()) {
  const auto& setup = two_processes_and_a_replica();
  for (int kind = 0; kind <= last_kind; ++kind) {
    const Move move = drawn(static_cast<MoveKind>(kind));
    const auto again = parse_move(show(move, setup), setup);
    RC_ASSERT(again.ok());
    RC_ASSERT(*again == move);
  }
}

TEST(Moves, HaveATextThatNamesWhatTheyBefall) {
  const auto& setup = two_processes_and_a_replica();
  EXPECT_EQ(show({.kind = MoveKind::reply, .a = 1, .b = 0, .c = 7}, setup), "reply R0 -> B/7");
  EXPECT_EQ(show({.kind = MoveKind::request, .a = 0, .b = 1, .c = 0}, setup), "request A/0 -> R1");
  EXPECT_EQ(show({.kind = MoveKind::run, .a = 2}, setup), "run B1");
  EXPECT_EQ(show({.kind = MoveKind::time_out, .a = 0, .b = 1, .c = 2}, setup), "time-out A/2 at R1");
  EXPECT_EQ(show({.kind = MoveKind::reconnect, .a = 0, .b = 1}, setup), "reconnect A to R1");
  EXPECT_EQ(show({.kind = MoveKind::cut, .a = 0, .b = 1}, setup), "cut A | R1");
  EXPECT_EQ(show({.kind = MoveKind::jump, .a = 1, .amount = -500}, setup), "jump R1 -500ms");
  EXPECT_EQ(show({.kind = MoveKind::pass, .amount = 30'001}, setup), "pass 30001ms");
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
  EXPECT_EQ(said("reply R0 => A/0"), "`reply` wants the form `reply bN -> aP/cC`");
  EXPECT_EQ(said("pass 5s"), "`pass` wants the form `pass D`");
  EXPECT_EQ(said("pass 5ms "), "`pass` wants the form `pass D`");
  EXPECT_EQ(said("pass 99999999999999999999ms"), "`pass` wants the form `pass D`");
  EXPECT_EQ(said("renew A 70000"), "there is no number `70000` in test");
}

TEST(Moves, AreFaultsFromTheFirstThatTheAdversaryPaysFor) {
  EXPECT_FALSE(Move{.kind = MoveKind::release_channel}.is_fault());
  EXPECT_TRUE(Move{.kind = MoveKind::crash_node}.is_fault());
  EXPECT_TRUE(Move{.kind = MoveKind::flush}.is_fault());
  EXPECT_TRUE(Move{.kind = MoveKind::pass}.passes_time());
  EXPECT_FALSE(Move{.kind = MoveKind::run}.passes_time());
}

}  // namespace
}  // namespace lockstep::model
