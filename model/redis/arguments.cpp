#include "model/redis/arguments.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace lockstep::redis {

namespace {

bool blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Longer words are no numbers for Redis (MAX_LONG_DOUBLE_CHARS).
constexpr std::size_t long_float_bytes_max = 5 * 1024;

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || (digits[0] == '0' && text.size() > 1)) return std::nullopt;
  constexpr std::size_t digits_that_fit = 18;
  if (digits.size() <= digits_that_fit) {
    std::int64_t magnitude = 0;
    for (const char digit : digits) {
      if (digit < '0' || digit > '9') return std::nullopt;
      magnitude = magnitude * 10 + (digit - '0');
    }
    return negative ? -magnitude : magnitude;
  }
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::int32_t leading_integer(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  using Limits = std::numeric_limits<std::int64_t>;
  if (result.ec == std::errc::result_out_of_range) value = text[0] == '-' ? Limits::min() : Limits::max();
  return static_cast<std::int32_t>(value);
}

std::optional<double> parse_float(std::string_view text) {
  if (text.empty() || blank(text[0])) return std::nullopt;
  const std::string word(text);
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(word.c_str(), &end);
  if (static_cast<std::size_t>(end - word.c_str()) != word.size() || std::isnan(value)) return std::nullopt;
  if (errno == ERANGE && (std::isinf(value) || value == 0)) return std::nullopt;
  return value;
}

std::optional<long double> parse_long_float(std::string_view text) {
  if (text.empty() || text.size() >= long_float_bytes_max || blank(text[0])) return std::nullopt;
  const std::string word(text);
  char* end = nullptr;
  errno = 0;
  const long double value = std::strtold(word.c_str(), &end);
  if (static_cast<std::size_t>(end - word.c_str()) != word.size() || std::isnan(value)) return std::nullopt;
  if (errno == ERANGE && (std::isinf(value) || value == 0)) return std::nullopt;
  return value;
}

std::optional<double> parse_score_bound(std::string_view text) {
  const std::string word(text);
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (*end != '\0' || std::isnan(value)) return std::nullopt;
  return value;
}

std::string format_score(double score) {
  if (std::isinf(score)) return score > 0 ? "inf" : "-inf";
  // Most scores are whole, and short enough to be printed plainly; -0 has a sign to show.
  constexpr double plain_max = 1e15;
  if (std::fabs(score) < plain_max && score == std::trunc(score) && !(score == 0 && std::signbit(score)))
    return std::to_string(static_cast<std::int64_t>(score));
  char digits[64];
  const int length = std::snprintf(digits, sizeof digits, "%.17g", score);
  return std::string(digits, static_cast<std::size_t>(length));
}

std::string format_listpack_score(double score) {
  constexpr double whole_max = 4611686018427387904.0;
  if (std::fabs(score) <= whole_max && score == std::floor(score))
    return std::to_string(static_cast<std::int64_t>(score));
  return format_score(score);
}

std::string format_long_float(long double value) {
  char digits[long_float_bytes_max];
  const int length = std::snprintf(digits, sizeof digits, "%.17Lf", value);
  std::string text(digits, static_cast<std::size_t>(length));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

bool is_option(std::string_view word, std::string_view option) {
  if (word.size() != option.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (lower(word[i]) != option[i]) return false;
  }
  return true;
}

std::string to_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

std::string to_upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = upper(c);
  return result;
}

std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (c == '\r' || c == '\n') c = ' ';
  }
  return text;
}

std::string shown(std::string_view word) { return on_one_line(std::string(word.substr(0, word.find('\0')))); }

}  // namespace lockstep::redis
