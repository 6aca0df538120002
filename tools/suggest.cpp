#include "tools/suggest.h"

#include <algorithm>

namespace lockstep::tools {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // Row i of the usual table holds the distances of from[0, i) to every beginning of `to`; a swap looks two
  // rows back.
  std::vector<std::vector<std::size_t>> row(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i) row[i][0] = i;
  for (std::size_t j = 0; j <= to.size(); ++j) row[0][j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = row[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[i][j] = std::min({row[i - 1][j] + 1, row[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[i][j] = std::min(row[i][j], row[i - 2][j - 2] + 1);
    }
  }
  return row[from.size()][to.size()];
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::optional<std::string> meant = nearest(word, candidates);
  return meant ? "; did you mean `" + *meant + "`?" : "";
}

}  // namespace lockstep::tools
