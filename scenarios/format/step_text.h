// step_text.h: words and names of the step language.
//
// Names of objects and signals have letters, digits, `_-.:/@` and whatever is not ASCII. Those of locks may
// have braces, too, and in quotes anything that can be seen but a quote.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::scenarios {

/// As it is written, quotes included.
struct Word {
  std::string_view text;
  std::size_t offset = 0;

  bool is(std::string_view mark) const { return text == mark; }
};

/// In the order of the text; `{`, `}` and `;` are words of their own, but for `{42}` right behind a name. A
/// quoted part belongs to its word whatever it holds.
std::vector<Word> words_of(std::string_view text);

/// A quote is opened and not closed.
bool is_unclosed(const Word& word);
/// What a word stands for: if it is in quotes, without them.
std::string_view unquoted(const Word& word);
/// As it has to be written to be read as one word.
std::string quoted_if_needed(const std::string& word);

bool is_name(std::string_view text);
/// Braces say what a cluster counts of a key.
bool is_lock_name(std::string_view text);
/// Without its quotes.
bool is_quoted_name(std::string_view text);

}  // namespace lockstep::scenarios
