// text.h: text that came from a run, made safe and short enough to show.
//
// Names of keys, threads and locks may hold anything: quotes, line ends, control characters, marks that turn
// the direction of writing, bytes that are no UTF-8 at all. Everything that is drawn or printed passes
// printable() first, which leaves visible characters alone and writes the rest as redis-cli does (\n, \x01,
// \\) or as a code point (\u202E). Widths are those of DejaVu Sans in thousandths of the font size, so that a
// layout does not depend on the installed fonts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::reports {

/// The code point at `at`, which moves behind it; nothing (and one byte on) where the bytes are not UTF-8.
std::optional<char32_t> next_code_point(std::string_view text, std::size_t& at);
void append_utf8(std::string& out, char32_t code_point);
bool valid_utf8(std::string_view text);

/// Valid UTF-8 without a single invisible or direction-changing character; injective: different texts stay
/// different.
std::string printable(std::string_view text);
/// At most `characters_max` characters of printable text, with … where something was left out. At least one.
std::string cut(std::string_view printable_text, std::size_t characters_max);
/// The same by width: at most `width_max` points at `font_size`.
std::string cut_to_width(std::string_view printable_text, int font_size, int width_max, bool bold = false);

/// Each cut to the width so that texts which differ are still told apart, if any way of cutting does it.
std::vector<std::string> cut_apart(const std::vector<std::string>& printable_texts, int font_size,
                                   int width_max, bool bold = false);

std::size_t characters(std::string_view printable_text);
/// Columns of a terminal: wide East Asian characters take two.
std::size_t columns(std::string_view printable_text);
/// Points, rounded up.
int text_width(std::string_view printable_text, int font_size, bool bold = false);

/// A word as a shell reads it back, quoted where it must be; never a control byte.
std::string shell_word(std::string_view text);

/// 1234567 as "1 234 567".
std::string grouped(std::uint64_t number);

/// RFC 4648 with padding; reading refuses anything else.
std::string base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);

}  // namespace lockstep::reports
