// drawn_words.h: the words that who goes round for ever draws anew in each call
// (model/client/new_words.h), in what is stored and sent: the name of the thread, and a number.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/new_words.h"
#include "model/world/world.h"

namespace lockstep::properties {

/// What stands before the numbers of all who draw.
std::vector<std::string> names_before_numbers(const model::World& world, const model::Setup& setup);

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

}  // namespace lockstep::properties
