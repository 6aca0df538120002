#include "model/client/new_words.h"

namespace lockstep::model {

namespace {

/// Nothing if the caller counts its calls.
std::optional<sim::WordNumber> drawn_number(Caller caller, ThreadId whose) {
  if (!caller.setup().threads[caller.id.index()].draws_numbers) return std::nullopt;
  return caller.context.draw(whose, caller.context.out);
}

}  // namespace

sim::WordNumber number_of_call(Caller caller) {
  if (caller.task != 0) return caller.thread().futures.at(caller.task).number;
  if (const auto drawn = drawn_number(caller, caller.id)) return *drawn;
  const Cursor& cursor = caller.cursor();
  constexpr std::uint32_t more_than_rounds = 1'000'003;  // prime, so that rounds do not meet
  std::uint32_t number = cursor.step;
  for (const std::uint32_t rounds_left : cursor.loops) number = number * more_than_rounds + rounds_left;
  return number;
}

/// Calls of different threads for one have numbers of their own, too.
sim::WordNumber number_of_future(Caller caller, ThreadId whose) {
  constexpr std::uint32_t number_for_another = 100'000'007;
  if (const auto drawn = drawn_number(caller, whose)) return *drawn;
  sim::WordNumber number = number_of_call(caller);
  if (whose != caller.id) number += number_for_another * (std::uint32_t{caller.place().value} + 1);
  return number;
}

}  // namespace lockstep::model
