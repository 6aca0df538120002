#include "model/client/new_words.h"

#include <algorithm>

#include "model/client/process.h"

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

std::vector<std::string> names_before_numbers(const Setup& setup, std::uint16_t incarnations) {
  std::vector<std::string> names;
  const auto clients = static_cast<std::uint16_t>(setup.clients().size());
  for (std::size_t t = 0; t < setup.threads.size(); ++t)
    for (std::uint16_t i = 0; setup.threads[t].draws_numbers && i < incarnations; ++i)
      for (std::uint16_t c = 0; c < clients; ++c)
        names.push_back(holder_name(setup, sim::make_id<ThreadId>(t), i, c) + ":");
  return names;
}

bool has_number_of(const std::vector<std::string>& names, std::string_view text) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    bool any = false;
    for_each_number(text, name, [&](auto...) { any = true; });
    return any;
  });
}

}  // namespace lockstep::model
