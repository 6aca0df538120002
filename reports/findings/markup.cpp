#include "reports/findings/markup.h"

#include <algorithm>

#include "reports/text/text.h"

namespace lockstep::reports {

std::string markup_lines(std::string_view lines) {
  std::string out;
  for (const char c : lines) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string markup_text(std::string_view text) { return markup_lines(printable(text)); }

std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : markup_text(text)) {
    if (std::string_view("\\`*_{}[]()#+!|~@:").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_block(std::string_view lines, std::string_view language) {
  std::size_t longest = 0, now = 0;
  for (const char c : lines) {
    now = c == '`' ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  std::string out = fence + std::string(language) + "\n" + std::string(lines);
  if (!out.ends_with('\n')) out += '\n';
  return out + fence + "\n";
}

}  // namespace lockstep::reports
