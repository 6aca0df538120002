// step_text.h: the words of a step's text. `{`, `}` and `;` are words of their own, but not in quotes: a word
// that begins with `'` goes on to the next one, whatever stands in between.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::scenarios {

struct Word {
  std::string_view text;  // without quotes
  std::size_t offset = 0;
  bool quoted = false, unclosed = false;

  bool is(std::string_view mark) const { return !quoted && text == mark; }
};

std::vector<Word> words_of(std::string_view text);

/// A word as it has to be written to be read as one.
std::string quoted_if_needed(const std::string& word);

}  // namespace lockstep::scenarios
