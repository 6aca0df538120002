// arguments.h: how Redis reads numbers and options from the words of a command, and how it writes numbers.
//
// Source: Redis 7.0.15 util.c (string2ll, string2d, string2ld, ld2string, double2ll), object.c and
// networking.c (addReplyDouble). Floating-point numbers occur in the model only here and in what calls it:
// scores, INCRBYFLOAT and HINCRBYFLOAT.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::redis {

/// A 64-bit integer in its only decimal form: no '+', no blanks, no leading zeros, no "-0".
std::optional<std::int64_t> parse_integer(std::string_view text);

/// What atoi of the GNU C library makes of the text: the last 32 bits of the number at its beginning, behind
/// blanks; 0 if there is none.
std::int32_t leading_integer(std::string_view text);

/// What strtod accepts as a whole, without leading blanks; not a NaN, and not out of range.
std::optional<double> parse_float(std::string_view text);
std::optional<long double> parse_long_float(std::string_view text);

/// A bound of a score range: whatever strtod reads of a whole word. Blanks in front are allowed and "" is 0,
/// as in Redis (t_zset.c, zslParseRange).
std::optional<double> parse_score_bound(std::string_view text);

/// A score as replies show it: 17 significant digits, general format ("3", "0.10000000000000001", "1e+17",
/// "-inf").
std::string format_score(double score);

/// A score as a listpack keeps it and ZSCAN shows it: whole numbers plainly, up to 2^62.
std::string format_listpack_score(double score);

/// The result of INCRBYFLOAT: 17 decimals, without trailing zeros, never "-0".
std::string format_long_float(long double value);

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
inline char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// `option` is in lower case.
bool is_option(std::string_view word, std::string_view option);

std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);

/// An error line never contains a line break: CR and LF become blanks.
std::string on_one_line(std::string text);

/// A client's word as an error line shows it: on one line, and no further than its first NUL, as C prints it.
std::string shown(std::string_view word);

}  // namespace lockstep::redis
