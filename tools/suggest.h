// suggest.h: the known word that a misspelt one probably meant.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::tools {

/// How many insertions, deletions, replacements and swaps of neighbours turn one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidate nearest to `word`, the first of equals; nothing if none is near enough (one slip in three
/// letters).
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean `check`?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace lockstep::tools
