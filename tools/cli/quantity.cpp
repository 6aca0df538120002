#include "tools/cli/quantity.h"

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "scenarios/format/duration.h"

namespace lockstep::tools {

namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

std::optional<std::uint64_t> whole_number(std::string_view digits) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

/// The number times the unit behind it, unless that exceeds `most`.
template <std::size_t N>
std::optional<std::uint64_t> with_unit(std::string_view text, const std::array<Unit, N>& units,
                                       std::uint64_t most) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::uint64_t> value = whole_number(text.substr(0, digits));
  if (!value) return std::nullopt;
  for (const Unit& unit : units) {
    if (text.substr(digits) != unit.name) continue;
    if (*value > most / unit.factor) return std::nullopt;
    return *value * unit.factor;
  }
  return std::nullopt;
}

constexpr std::array<Unit, 4> size_units{{{"", 1}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}}};

}  // namespace

sim::Result<std::uint64_t> parse_count(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  const std::optional<std::uint64_t> value = whole_number(digits);
  if (!value || text.front() == '_' || text.back() == '_' || text.find("__") != std::string_view::npos) {
    return sim::Problem{"wants a whole number from 0 to 18446744073709551615, not `" + std::string(text) +
                        "`"};
  }
  return *value;
}

sim::Result<sim::Duration> parse_duration(std::string_view text) {
  auto duration = scenarios::parse_duration(text);
  if (duration) return duration;
  return sim::Problem{"wants a duration such as 500ms, 30s, 5m or 2h, not `" + std::string(text) + "`"};
}

sim::Result<std::uint64_t> parse_size(std::string_view text) {
  const std::optional<std::uint64_t> bytes =
      with_unit(text, size_units, std::numeric_limits<std::uint64_t>::max());
  if (!bytes) return sim::Problem{"wants a size such as 512M or 4G, not `" + std::string(text) + "`"};
  return *bytes;
}

}  // namespace lockstep::tools
