#include "reports/text/text.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <set>

#include <array>

namespace lockstep::reports {

namespace {

// Advance widths of U+0020 … U+007E in thousandths of an em, as the font's own hmtx table gives them.
constexpr std::array<int, 95> regular_widths = {
    317, 400, 459, 837, 636, 950, 779, 274, 390, 390, 500, 837, 317, 360, 317, 336, 636, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 336, 336, 837, 837, 837, 530, 1000, 684, 686, 698, 770, 631, 575, 774,
    751, 294, 294, 655, 557, 862, 748, 787, 603, 787, 694, 634, 610, 731, 684, 988, 685, 610, 685, 390,
    336, 390, 837, 500, 500, 612, 634, 549, 634, 615, 352, 634, 633, 277, 277, 579, 277, 974, 633, 611,
    634, 634, 411, 520, 392, 633, 591, 817, 591, 591, 524, 636, 336, 636, 837};
constexpr std::array<int, 95> bold_widths = {
    348, 456, 520, 837, 695, 1001, 872, 306, 457, 457, 522, 837, 379, 415, 379, 365, 695, 695, 695, 695,
    695, 695, 695, 695, 695, 695, 399, 399, 837, 837, 837, 580, 1000, 773, 762, 733, 830, 683, 683, 820,
    836, 372, 372, 774, 637, 995, 836, 850, 732, 850, 770, 720, 682, 812, 773, 1103, 770, 724, 725, 457,
    365, 457, 837, 500, 500, 674, 715, 592, 715, 678, 435, 715, 711, 342, 342, 665, 342, 1041, 711, 687,
    715, 715, 493, 595, 478, 711, 651, 923, 645, 651, 582, 711, 365, 711, 837};

bool wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

int advance(char32_t c, bool bold) {
  if (c >= 0x20 && c <= 0x7E) return (bold ? bold_widths : regular_widths)[c - 0x20];
  if (c == 0xB7) return bold ? 380 : 318;  // ·
  return wide(c) ? 1050 : 860;
}

// Characters that show nothing, or change how their neighbours are shown, or are not allowed in XML.
bool hidden(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD || c == 0x61C || c == 0x115F || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         c == 0x3164 || (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF ||
         (c >= 0xFFF0 && c <= 0xFFFF) || (c & 0xFFFE) == 0xFFFE || c >= 0xE0000;
}

void append_escape(std::string& out, char32_t c) {
  if (c == '\n') out += "\\n";
  else if (c == '\r') out += "\\r";
  else if (c == '\t') out += "\\t";
  else if (c < 0x80) out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c));
  else out += fmt::format("\\u{:04X}", static_cast<std::uint32_t>(c));
}

}  // namespace

std::optional<char32_t> next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t begin = at++;
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4 || begin + more >= text.size()) return std::nullopt;
  char32_t value = first & (0x3F >> more);
  for (int i = 1; i <= more; ++i) {
    if ((byte(begin + i) & 0xC0) != 0x80) return std::nullopt;
    value = (value << 6) | (byte(begin + i) & 0x3F);
  }
  constexpr std::array<char32_t, 4> least = {0, 0x80, 0x800, 0x10000};
  if (value < least[more] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return std::nullopt;
  at = begin + more + 1;
  return value;
}

void append_utf8(std::string& out, char32_t c) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

bool valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (!next_code_point(text, at)) return false;
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const auto c = next_code_point(text, at);
    if (!c) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[begin]));
    else if (*c == '\\') out += "\\\\";
    else if (hidden(*c)) append_escape(out, *c);
    else append_utf8(out, *c);
  }
  return out;
}

std::string shell_word(std::string_view text) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./@%+=:,#^").find(c) != std::string_view::npos;
  };
  const bool safe_start = !text.empty() && text.front() != '#';
  if (safe_start && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  bool shown = true;
  std::string single = "'", escaped = "$'";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const auto c = next_code_point(text, at);
    const std::string_view bytes = text.substr(begin, at - begin);
    if (!c || hidden(*c)) {
      shown = false;
      for (const char byte : bytes) escaped += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      continue;
    }
    single += *c == U'\'' ? std::string_view("'\\''") : bytes;
    if (*c == U'\'' || *c == U'\\') escaped += '\\';
    escaped += bytes;
  }
  return (shown ? single : escaped) + "'";
}

std::string cut(std::string_view text, std::size_t characters_max) {
  std::size_t at = 0;
  std::size_t before_last = 0;
  for (std::size_t n = 0; at < text.size(); ++n) {
    if (n == characters_max) return std::string(text.substr(0, before_last)) + "…";
    before_last = at;
    (void)next_code_point(text, at);
  }
  return std::string(text);
}

std::string cut_to_width(std::string_view text, int font_size, int width_max, bool bold) {
  if (text_width(text, font_size, bold) <= width_max) return std::string(text);
  std::size_t at = 0;
  std::size_t fits = 0;
  for (int width = font_size * 1000;
       at < text.size() && width <= width_max * 1000;) {  // begins with room for …
    fits = at;
    const auto c = next_code_point(text, at);
    width += advance(c.value_or(U'?'), bold) * font_size;
  }
  return std::string(text.substr(0, fits)) + "…";
}

namespace {

/// What fits of the end, behind …, and of the beginning before it: `head` of ten parts.
std::string cut_inside(std::string_view text, int font_size, int width_max, bool bold, int head) {
  if (text_width(text, font_size, bold) <= width_max) return std::string(text);
  const int mark = text_width("…", font_size, bold);
  std::string front;
  if (head > 0) front = cut_to_width(text, font_size, (width_max - mark) * head / 10 + mark, bold);
  else front = "…";
  std::string_view back = text;
  while (!back.empty() &&
         text_width(front, font_size, bold) + text_width(back, font_size, bold) > width_max) {
    std::size_t at = 0;
    (void)next_code_point(back, at);
    back.remove_prefix(at);
  }
  return front + std::string(back);
}

}  // namespace

std::vector<std::string> cut_apart(const std::vector<std::string>& texts, int font_size, int width_max,
                                   bool bold) {
  const std::set<std::string> different(texts.begin(), texts.end());
  std::vector<std::string> best;
  std::size_t best_count = 0;
  for (const int head : {10, 5, 2, 0, 8}) {
    std::vector<std::string> cuts;
    for (const std::string& text : texts)
      cuts.push_back(head == 10 ? cut_to_width(text, font_size, width_max, bold)
                                : cut_inside(text, font_size, width_max, bold, head));
    const std::size_t count = std::set<std::string>(cuts.begin(), cuts.end()).size();
    if (count > best_count) {
      best = std::move(cuts);
      best_count = count;
    }
    if (count == different.size()) break;
  }
  return best;
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) (void)next_code_point(text, at);
  return count;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) count += wide(next_code_point(text, at).value_or(U'?')) ? 2 : 1;
  return count;
}

int text_width(std::string_view text, int font_size, bool bold) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    width += advance(next_code_point(text, at).value_or(U'?'), bold) * font_size;
  }
  return (width + 999) / 1000;
}

namespace {
constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

std::string base64(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k <= bytes.size() ? digits[(group >> (18 - 6 * k)) & 63] : '=';
    }
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t group = 0;
    std::size_t padding = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const char c = text[i + k];
      const auto digit = digits.find(c);
      if (c == '=' && k >= 2 && i + 4 == text.size()) ++padding;
      else if (digit == std::string_view::npos || padding > 0) return std::nullopt;
      group = (group << 6) | (c == '=' ? 0U : static_cast<std::uint32_t>(digit));
    }
    for (std::size_t k = 0; k < 3 - padding; ++k) out += static_cast<char>((group >> (16 - 8 * k)) & 0xFF);
  }
  if (base64(out) != text) return std::nullopt;  // bits that no byte owns must be zero
  return out;
}

}  // namespace lockstep::reports
