// What string literals stand for: escapes (JLS 3.10.7) and the indentation of text blocks (JLS 3.10.6).
#include <algorithm>

#include "reports/text/text.h"
#include "tools/import/java/token.h"

namespace lockstep::tools::java {

namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

/// The escape behind the backslash at `at`, which is moved behind it.
void append_escape(std::string_view text, std::size_t& at, std::string& to) {
  const char c = text[++at];
  if (is_octal(c)) {
    std::uint32_t value = 0;
    for (std::size_t digits = c <= '3' ? 3 : 2; digits > 0 && at < text.size() && is_octal(text[at]);
         --digits)
      value = value * 8 + static_cast<std::uint32_t>(text[at++] - '0');
    return reports::append_utf8(to, value);
  }
  ++at;
  switch (c) {
    case 'b':
      to += '\b';
      break;
    case 't':
      to += '\t';
      break;
    case 'n':
      to += '\n';
      break;
    case 'f':
      to += '\f';
      break;
    case 'r':
      to += '\r';
      break;
    case 's':
      to += ' ';
      break;
    case '\n':
      break;
    default:
      to += c;
  }
}

std::string unescaped(std::string_view text) {
  std::string to;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\\' && at + 1 < text.size()) append_escape(text, at, to);
    else to += text[at++];
  }
  return to;
}

constexpr std::string_view blanks = " \t\f";

/// Without the indentation that all lines share, and without blanks at their ends.
std::string without_indentation(std::string_view content) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin <= content.size();) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    lines.push_back(content.substr(begin, end - begin));
    begin = end + 1;
  }
  std::size_t shared = std::string_view::npos;
  for (const std::string_view& line : lines) {
    const std::size_t first = line.find_first_not_of(blanks);
    const bool last = &line == &lines.back();  // that of the closing quotes counts if it is blank, too
    if (first != std::string_view::npos) shared = std::min(shared, first);
    else if (last) shared = std::min(shared, line.size());
  }
  std::string stripped;
  for (const std::string_view& line : lines) {
    const std::size_t last = line.find_last_not_of(blanks);
    if (&line != &lines.front()) stripped += '\n';
    if (last != std::string_view::npos) stripped += line.substr(shared, last + 1 - shared);
  }
  return stripped;
}

}  // namespace

std::string value_of(const Token& literal) {
  std::string_view text = literal.text;
  if (literal.kind != Token::Kind::block) return unescaped(text.substr(1, text.size() - 2));
  text = text.substr(text.find('\n') + 1);
  return unescaped(without_indentation(text.substr(0, text.size() - 3)));
}

sim::Result<std::string> without_unicode_escapes(std::string_view bytes, const std::string& path) {
  std::string to;
  std::size_t line = 1;
  std::uint32_t high = 0;  // the first half of a surrogate pair
  const auto flush = [&] {
    if (high != 0) to += '?', high = 0;
  };
  for (std::size_t at = 0; at < bytes.size();) {
    const char c = bytes[at];
    if (c == '\\' && at + 1 < bytes.size() && bytes[at + 1] == 'u') {
      std::size_t digits = bytes.find_first_not_of('u', at + 1);
      std::uint32_t unit = 0;
      std::size_t end = std::min(digits, bytes.size());
      for (; end < bytes.size() && end < digits + 4; ++end) {
        const std::string_view hex = "0123456789abcdef";
        const std::size_t value = hex.find(static_cast<char>(bytes[end] | (bytes[end] >= 'A' ? 0x20 : 0)));
        if (value == std::string_view::npos) break;
        unit = unit * 16 + static_cast<std::uint32_t>(value);
      }
      if (digits == std::string_view::npos || end != digits + 4)
        return sim::Problem{path + ":" + std::to_string(line) + ": \\u wants four hexadecimal digits"};
      at = end;
      if (high != 0 && unit >= 0xDC00 && unit < 0xE000) {
        reports::append_utf8(to, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
        high = 0;
        continue;
      }
      flush();
      if (unit >= 0xD800 && unit < 0xDC00) high = unit;
      else if (unit >= 0xDC00 && unit < 0xE000) to += '?';
      else reports::append_utf8(to, unit);
      continue;
    }
    flush();
    const std::size_t taken = c == '\\' && at + 1 < bytes.size() && bytes[at + 1] == '\\' ? 2 : 1;
    const bool line_end = c == '\n' || c == '\r';
    if (line_end) ++line;
    if (line_end) to += '\n';
    else to += bytes.substr(at, taken);
    at += c == '\r' && at + 1 < bytes.size() && bytes[at + 1] == '\n' ? 2 : taken;
  }
  flush();
  return to;
}

}  // namespace lockstep::tools::java
