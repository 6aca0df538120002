#include "scenarios/format/duration.h"

#include <fmt/format.h>

#include <charconv>

namespace lockstep::scenarios {

using sim::Duration;
using sim::Problem;
using sim::Result;

namespace {

constexpr std::int64_t longest_ms = 10LL * 365 * 24 * 3600 * 1000;

struct Parts {
  std::string_view digits, unit;
};

Parts split(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return {text.substr(0, end), text.substr(end)};
}

/// Milliseconds in one of this unit; 0 if there is no such unit.
std::int64_t factor(std::string_view unit) {
  if (unit == "ms") return 1;
  if (unit == "s") return 1000;
  if (unit == "m") return 60'000;
  if (unit == "h") return 3'600'000;
  return 0;
}

Result<Duration> scaled(std::string_view digits, std::int64_t scale, std::string_view text) {
  std::int64_t value = 0;
  for (const char digit : digits) {
    value = value * 10 + (digit - '0');
    if (value > longest_ms) break;
  }
  if (value > longest_ms / scale)
    return Problem{fmt::format("`{}` is too long; the longest time is ten years", text)};
  return Duration{value * scale};
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  const auto [digits, unit] = split(text);
  if (!text.empty() && text.front() == '-')
    return Problem{fmt::format("`{}` is negative; a length of time is not", text)};
  if (digits.empty())
    return Problem{fmt::format("`{}` is no length of time; write for example `30s` or `250ms`", text)};
  if (unit.empty())
    return Problem{fmt::format("`{}` has no unit; write `{}s` or `{}ms`", text, digits, digits)};
  if (unit.front() == '.' || unit.front() == ',') {
    return Problem{fmt::format("`{}` has a fraction; write whole `ms`", text)};
  }
  const std::int64_t scale = factor(unit);
  if (scale == 0)
    return Problem{fmt::format("`{}` is no unit of time; there are `ms`, `s`, `m` and `h`", unit)};
  return scaled(digits, scale, text);
}

Result<Duration> parse_offset(std::string_view text) {
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return parse_duration(text);
  Result<Duration> size = parse_duration(text.substr(1));
  if (!size.ok()) return size;
  return text.front() == '-' ? -*size : *size;
}

Result<std::int32_t> parse_drift(std::string_view text) {
  constexpr std::int32_t ppm_max = 500'000;
  const bool has_sign = !text.empty() && (text.front() == '+' || text.front() == '-');
  const Parts parts = split(text.substr(has_sign ? 1 : 0));
  std::int32_t ppm = 0;
  const auto [end, error] =
      std::from_chars(parts.digits.data(), parts.digits.data() + parts.digits.size(), ppm);
  if (parts.digits.empty() || parts.unit != "ppm" || error != std::errc{})
    return Problem{fmt::format("`{}` is no drift; write for example `+200ppm`", text)};
  if (ppm > ppm_max) return Problem{fmt::format("`{}` is more than {}ppm", text, ppm_max)};
  return text.front() == '-' ? -ppm : ppm;
}

Result<model::Interval> parse_interval(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const Result<Duration> fixed = parse_duration(text);
    if (!fixed.ok()) return fixed.problem();
    return model::Interval{*fixed, *fixed};
  }
  const std::string_view low = text.substr(0, dots), high = text.substr(dots + 2);
  const Result<Duration> hi = parse_duration(high);
  if (!hi.ok()) return hi.problem();
  const Parts parts = split(low);
  const Result<Duration> lo = !parts.digits.empty() && parts.unit.empty()
                                  ? scaled(parts.digits, factor(split(high).unit), low)
                                  : parse_duration(low);
  if (!lo.ok()) return lo.problem();
  if (*lo > *hi) return Problem{fmt::format("`{}` ends before it begins", text)};
  return model::Interval{*lo, *hi};
}

std::string print(Duration duration) {
  const std::int64_t ms = duration.count();
  return ms % 1000 == 0 ? fmt::format("{}s", ms / 1000) : fmt::format("{}ms", ms);
}

std::string print(const model::Interval& interval) {
  if (interval.fixed()) return print(interval.lo);
  return fmt::format("{}..{}", interval.lo == Duration::zero() ? "0" : print(interval.lo),
                     print(interval.hi));
}

std::string print_drift(std::int32_t ppm) { return fmt::format("{:+}ppm", ppm); }

std::string print_offset(Duration offset) {
  return offset < Duration::zero() ? print(offset) : fmt::format("+{}", print(offset));
}

}  // namespace lockstep::scenarios
