// suggest.h: which known word a mistyped one was probably meant to be.
//
// The distance counts insertions, deletions, replacements and swaps of neighbours. A word is suggested when
// it differs in at most a third of its letters, so that nothing far-fetched is ever offered: of words of two
// letters, nothing is.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::scenarios {

/// Edit distance with swaps of neighbouring bytes (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b);

/// The nearest of `known`, the first of them if several are equally near; empty if none is near enough.
std::string nearest(std::string_view word, std::span<const std::string> known);

/// "did you mean `lease`?", or `otherwise` if nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known,
                         std::string otherwise = {});

/// "`a`, `b` or `c`".
std::string either(std::span<const std::string> words);

}  // namespace lockstep::scenarios
