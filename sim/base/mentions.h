// mentions.h: which texts a value holds, and which numbers of words; derived from its parts.
//
// A word that is to be new must not be mentioned anywhere: neither as a text, nor as the number that it will
// be made of. Each text and each WordNumber is told, wherever it stands: in elements, in keys of maps and
// sets, in boxes.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

#include "sim/base/parts.h"

namespace lockstep::sim {

/// It tells a word from all others of one sender, and may stand where the word does not yet, or no longer.
struct WordNumber {
  std::uint32_t value = 0;

  constexpr WordNumber(std::uint32_t number = 0) : value(number) {}  // NOLINT: it is a number
  constexpr WordNumber& operator+=(std::uint32_t more) { return value += more, *this; }
  friend constexpr bool operator==(WordNumber, WordNumber) = default;
  static auto fields(auto& w) { return std::tie(w.value); }
};

/// Is told of each.
class Mentions {
 public:
  Mentions() = default;
  Mentions(const Mentions&) = delete;
  Mentions& operator=(const Mentions&) = delete;
  virtual ~Mentions() = default;
  virtual void text(const std::string& text) = 0;
  virtual void number(WordNumber number) = 0;
};

template <class T>
void tell_mentions(const T& value, Mentions& told) {
  if constexpr (std::is_same_v<T, std::string>) told.text(value);
  else if constexpr (std::is_same_v<T, WordNumber>) told.number(value);
  else if constexpr (requires { value.tell_mentions(told); }) value.tell_mentions(told);
  else for_each_part(value, [&](const auto& part) { sim::tell_mentions(part, told); });
}

}  // namespace lockstep::sim
