// move.h: one type of move for all toys.
//
// A move is a verb of the toy and the actor that does it. Toys list their verbs in a table, from which text
// is made and read back: "take-left 2".
#pragma once

#include <charconv>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/result.h"
#include "sim/system.h"

namespace lockstep::sim::toys {

enum class Nature : std::uint8_t { takes_time, timeless, fault };

struct Verb {
  std::string_view name;
  Nature nature = Nature::takes_time;
};

struct Move {
  std::uint16_t who = 0;
  std::uint16_t verb = 0;  // index into the toy's table
  Nature nature = Nature::takes_time;

  Actor actor() const { return {0, who}; }
  bool is_fault() const { return nature == Nature::fault; }
  bool passes_time() const { return nature == Nature::takes_time; }
  friend auto operator<=>(const Move&, const Move&) = default;
};

template <class Who, class What>
Move make_move(std::span<const Verb> verbs, Who who, What verb) {
  const auto index = static_cast<std::uint16_t>(verb);
  return {static_cast<std::uint16_t>(who), index, verbs[index].nature};
}

inline std::string show_move(std::span<const Verb> verbs, const Move& move) {
  return fmt::format("{} {}", verbs[move.verb].name, move.who);
}

inline Result<Move> parse_move(std::span<const Verb> verbs, std::string_view text) {
  const auto blank = text.find(' ');
  const std::string_view name = text.substr(0, blank);
  const std::string_view number =
      blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
  std::uint16_t who = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), who);
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    if (verbs[i].name != name || error != std::errc{} || end != number.data() + number.size()) continue;
    return make_move(verbs, who, i);
  }
  return Problem{fmt::format("'{}' is not a move of this toy", text)};
}

}  // namespace lockstep::sim::toys
