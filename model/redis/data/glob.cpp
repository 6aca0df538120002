#include "model/redis/data/glob.h"

#include <utility>

namespace lockstep::redis {

namespace {

/// Reads one bracket expression, `pattern` standing behind its '['; leaves it behind the ']'.
bool bracket_matches(std::string_view& pattern, char c) {
  const auto byte = [](char x) { return static_cast<unsigned char>(x); };
  const bool negated = !pattern.empty() && pattern[0] == '^';
  if (negated) pattern.remove_prefix(1);
  bool found = false;
  while (!pattern.empty() && pattern[0] != ']') {
    if (pattern[0] == '\\' && pattern.size() >= 2) {
      found |= pattern[1] == c;
      pattern.remove_prefix(2);
    } else if (pattern.size() >= 3 && pattern[1] == '-') {
      unsigned char low = byte(pattern[0]), high = byte(pattern[2]);
      if (low > high) std::swap(low, high);
      found |= low <= byte(c) && byte(c) <= high;
      pattern.remove_prefix(3);
    } else {
      found |= pattern[0] == c;
      pattern.remove_prefix(1);
    }
  }
  if (!pattern.empty()) pattern.remove_prefix(1);
  return found != negated;
}

/// Matches one character of the text with the next item of the pattern, which is not '*'.
bool item_matches(std::string_view& pattern, char c) {
  char item = pattern[0];
  pattern.remove_prefix(1);
  if (item == '?') return true;
  if (item == '[') return bracket_matches(pattern, c);
  if (item == '\\' && !pattern.empty()) {
    item = pattern[0];
    pattern.remove_prefix(1);
  }
  return item == c;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  // Only the last '*' seen can need to take more: an earlier one has matched as little as it may.
  std::string_view after_star, text_at_star;
  bool star = false;
  while (true) {
    if (!pattern.empty() && pattern[0] == '*') {
      pattern.remove_prefix(1);
      star = true;
      after_star = pattern;
      text_at_star = text;
      continue;
    }
    if (text.empty()) return pattern.empty();
    if (!pattern.empty() && item_matches(pattern, text[0])) {
      text.remove_prefix(1);
      continue;
    }
    if (!star) return false;
    text_at_star.remove_prefix(1);
    text = text_at_star;
    pattern = after_star;
  }
}

}  // namespace lockstep::redis
