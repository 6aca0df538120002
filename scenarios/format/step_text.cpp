#include "scenarios/format/step_text.h"

#include <algorithm>

namespace lockstep::scenarios {

namespace {

constexpr std::string_view blanks = " \t\n\r";
constexpr std::string_view marks = "{};";

Word quoted_word(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\'', at + 1);
  return {.text = text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1),
          .offset = at + 1,
          .quoted = true,
          .unclosed = end == std::string_view::npos};
}

}  // namespace

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    if (blanks.find(text[at]) != std::string_view::npos) {
      ++at;
    } else if (text[at] == '\'') {
      words.push_back(quoted_word(text, at));
      at += words.back().text.size() + 2;
    } else {
      const bool mark = marks.find(text[at]) != std::string_view::npos;
      const std::size_t end = mark ? at + 1 : std::min(text.find_first_of(" \t\r\n{};", at), text.size());
      words.push_back({.text = text.substr(at, end - at), .offset = at});
      at = end;
    }
  }
  return words;
}

std::string quoted_if_needed(const std::string& word) {
  const bool plain = !word.empty() && word.front() != '\'' &&
                     word.find_first_of(" \t\r\n{};") == std::string::npos;
  return plain ? word : "'" + word + "'";
}

}  // namespace lockstep::scenarios
