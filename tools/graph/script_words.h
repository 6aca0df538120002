// script_words.h: the words of a Lua text: names, numbers, strings, comments and signs, as they are written.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep::tools {

enum class WordKind : std::uint8_t { name, keyword, number, string, comment, sign };

struct ScriptWord {
  WordKind kind = WordKind::sign;
  std::string_view text;
  int line = 1;         // on which it begins
  bool spaced = false;  // something blank stands before it

  bool is(std::string_view word) const { return kind != WordKind::string && text == word; }
};

/// Views of `script`. What is not Lua becomes signs of one byte.
std::vector<ScriptWord> words_of_script(std::string_view script);

}  // namespace lockstep::tools
