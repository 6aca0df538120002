// amount.h: how many, in words for people: "1 state", "2 states", "500 MiB".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::sim {

/// The noun as it stands behind a number.
inline std::string noun_for(std::uint64_t count, std::string_view noun) {
  const bool hisses = noun.ends_with('s') || noun.ends_with("ch");
  const std::string_view ending = count == 1 ? "" : hisses ? "es" : "s";
  return std::string(noun).append(ending);
}

inline std::string amount(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + noun_for(count, noun);
}

/// In the largest unit that leaves nothing over.
inline std::string amount_of_bytes(std::uint64_t bytes) {
  constexpr std::string_view units[] = {"KiB", "MiB", "GiB"};
  std::string text = amount(bytes, "byte");
  for (const std::string_view unit : units) {
    if (bytes == 0 || bytes % 1024 != 0) break;
    bytes /= 1024;
    text = std::to_string(bytes).append(" ").append(unit);
  }
  return text;
}

}  // namespace lockstep::sim
