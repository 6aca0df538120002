#include "scenarios/format/suggest.h"

#include <algorithm>

namespace lockstep::scenarios {

namespace {
// A longer word is no typing mistake, and the table below grows with the product of the lengths.
constexpr std::size_t word_max = 80;
}  // namespace

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = last;
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> known) {
  if (word.empty() || word.size() > word_max) return {};
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    const std::size_t allowed = std::max(word.size(), candidate.size()) / 3;
    const std::size_t between = distance(word, candidate);
    if (between > allowed || (!best.empty() && between >= best_distance)) continue;
    best = candidate;
    best_distance = between;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known, std::string otherwise) {
  const std::string found = nearest(word, known);
  return found.empty() ? otherwise : "did you mean `" + found + "`?";
}

std::string either(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += "`" + words[i] + "`";
  }
  return text;
}

}  // namespace lockstep::scenarios
