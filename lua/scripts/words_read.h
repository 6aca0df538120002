// words_read.h: which of its KEYS and ARGV a script reads by number, as far as its text says.
//
// `KEYS[2]` counts, comments and strings do not; what is read by a computed index (`ARGV[i]`) is not seen.
#pragma once

#include <cstddef>
#include <string_view>

namespace lockstep::lua {

/// The highest number of each; 0: none.
struct WordsRead {
  std::size_t keys = 0, args = 0;
};

WordsRead words_read(std::string_view script);

/// Where a comment or a text that begins at `at` ends; `at` if none does.
std::size_t behind_silent(std::string_view script, std::size_t at);

}  // namespace lockstep::lua
