// new_words.h: numbers of calls of a thread that goes round for ever, where they are sent.
//
// A request id and a scheme's token are words that no other call sends; they end in the number of the call
// (number_of_call). A thread whose program ends counts its calls. One that goes round for ever would never
// come back to a situation that way. So each of its calls draws the least number that nothing in the world
// mentions (model/world/unmentioned.h). A word is only ever compared with others, so an unused one is as good
// as one that never was in use: what follows is the same but for the name. Nothing else need be told apart by
// it; in which order moves that change places draw, and which of two equal situations a search goes on from,
// makes no difference either.
//
// A number that is drawn stands for a block of numbers: undoing a call, beginning it anew, and the members of
// a multi lock have some of their own.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/machine.h"

namespace lockstep::model {

inline constexpr std::uint32_t numbers_of_a_draw = 100'000;

/// Of a call that the caller begins now in the name of another thread, or of its own.
sim::WordNumber number_of_future(Caller caller, ThreadId whose);

/// What stands before the numbers of all threads that draw, in texts; also when their processes have begun
/// anew, so many times less one.
std::vector<std::string> names_before_numbers(const Setup& setup, std::uint16_t incarnations);

/// Calls `visit` with each number that stands in a text behind a name: where its digits begin and end.
template <class Visit>
void for_each_number(std::string_view text, const std::string& name, Visit visit) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const char* const begin = text.data() + at + name.size();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
    if (error == std::errc()) visit(begin, end, number);
  }
}

/// Whether a number stands behind one of the names.
bool has_number_of(const std::vector<std::string>& names, std::string_view text);

}  // namespace lockstep::model
