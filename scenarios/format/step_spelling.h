// step_spelling.h: words and names of the step language.
//
// Names of objects and signals have letters, digits, `_-.:/@` and whatever is not ASCII. Those of locks may
// have braces, too, and in quotes anything that can be seen but a quote.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lockstep::scenarios {

struct Word {
  std::string_view text;
  std::size_t offset = 0;
};

/// In the order of the text; `{`, `}` and `;` are words of their own, but for `{42}` right behind a name.
std::vector<Word> words_of(std::string_view text);

bool is_name(std::string_view text);
/// Braces say what a cluster counts of a key.
bool is_lock_name(std::string_view text);
/// Without its quotes.
bool is_quoted_name(std::string_view text);

}  // namespace lockstep::scenarios
