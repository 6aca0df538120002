#include "scenarios/format/place.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::scenarios {

namespace {

constexpr std::size_t file_max = 1024 * 1024;
constexpr std::uint32_t shown_max = 120;  // characters of a line that are shown

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Byte offset of the character with this number (from 0), or the end.
std::size_t offset_of(std::string_view line, std::uint32_t character) {
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < character && at < line.size(); ++i) {
    ++at;
    while (at < line.size() && continues(line[at])) ++at;
  }
  return at;
}

/// Length of the well-formed UTF-8 sequence at `at`, 0 if there is none (overlong and surrogates included).
std::size_t sequence(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : (lead & 0xF0) == 0xE0        ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;
  if (lead == 0xED && byte(1) > 0x9F) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

}  // namespace

std::string_view Source::line(std::uint32_t number) const {
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < number; ++i) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return {};
    begin = end + 1;
  }
  std::string_view found = text.substr(begin, text.find('\n', begin) - begin);
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

std::uint32_t characters(std::string_view text) {
  return static_cast<std::uint32_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

sim::Problem problem_at(const Source& source, const Place& place, std::string_view what,
                        std::string_view hint) {
  std::string_view line = source.line(place.line);
  std::uint32_t column = std::min(place.column, characters(line) + 1);
  std::string before, after;
  if (characters(line) > shown_max) {
    const std::uint32_t first = column > shown_max / 2 ? column - shown_max / 2 : 0;
    const std::size_t begin = offset_of(line, first);
    const std::string_view rest = line.substr(begin);
    const std::string_view shown = rest.substr(0, offset_of(rest, shown_max));
    if (first > 0) before = "...";
    if (shown.size() < rest.size()) after = "...";
    line = shown;
    column -= first;
  }
  std::string padding(before.size(), ' ');
  for (const char c : line.substr(0, offset_of(line, column - 1))) {
    if (!continues(c)) padding += c == '\t' ? '\t' : ' ';
  }
  const std::uint32_t room = characters(line) + 1 - std::min(column, characters(line));
  const std::string carets(std::max<std::uint32_t>(1, std::min(place.length, room)), '^');
  const std::string number = std::to_string(place.line);
  std::string text = fmt::format("error: {}\n  --> {}:{}:{}\n{} | {}{}{}\n{} | {}{}", what, source.file,
                                 place.line, place.column, number, before, line, after,
                                 std::string(number.size(), ' '), padding, carets);
  if (!hint.empty()) text += fmt::format(" {}", hint);
  return {text};
}

sim::Problem problem_of_file(const Source& source, std::string_view what) {
  return {fmt::format("error: {} {}", source.file, what)};
}

std::string wrong_bytes(std::string_view text, std::string_view noun) {
  if (text.size() > file_max) {
    return fmt::format("is too large for {}: {} bytes, at most {} are read", noun, text.size(), file_max);
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return fmt::format("is empty, not {}", noun);
  if (text.find('\0') != std::string_view::npos) return fmt::format("is a binary file, not {}", noun);
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence(text, at);
    if (length == 0)
      return fmt::format("is not UTF-8: a bad byte 0x{:02x} in line {}",
                         static_cast<unsigned>(static_cast<unsigned char>(text[at])), line);
    if (text[at] == '\n') ++line;
    at += length;
  }
  return {};
}

}  // namespace lockstep::scenarios
