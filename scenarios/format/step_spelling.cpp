#include "scenarios/format/step_spelling.h"

#include <algorithm>
#include <string>

namespace lockstep::scenarios {

namespace {

/// A byte that may stand in names of locks, objects and signals.
bool object_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-.:/@").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 200 && std::all_of(text.begin(), text.end(), object_byte);
}

bool is_lock_name(std::string_view text) {
  std::string letters(text);
  std::erase_if(letters, [](char c) { return c == '{' || c == '}'; });
  return text.size() <= 200 && is_name(letters);
}

bool is_quoted_name(std::string_view text) {
  const bool like_a_place = text.find(" on R") != std::string_view::npos;  // a lock of another server
  return !text.empty() && text.size() <= 200 && !like_a_place &&
         std::none_of(text.begin(), text.end(),
                      [](char c) { return c == '\'' || static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

namespace {

/// The end of a word: a quoted part belongs to it whatever it holds, and so does `{42}` right behind a name.
std::size_t end_of_word(std::string_view text, std::size_t begin) {
  std::size_t at = begin;
  while (at < text.size() && std::string_view(" \t\r\n;}").find(text[at]) == std::string_view::npos) {
    if (text[at] == '\'') {
      at = std::min(text.find('\'', at + 1), text.size() - 1);
    } else if (text[at] == '{') {
      const std::size_t close = text.find_first_of(" \t\r\n;{}'", at + 1);
      const bool tag = close != std::string_view::npos && text[close] == '}' && close > at + 1;
      if (!tag || text.substr(begin, at - begin).find_first_not_of("0123456789") == std::string_view::npos)
        return at;
      at = close;
    }
    ++at;
  }
  return at;
}

}  // namespace

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view marks = "{};";
    if (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') {
      ++at;
      continue;
    }
    const bool mark = marks.find(text[at]) != std::string_view::npos;
    const std::size_t end = mark ? at + 1 : end_of_word(text, at);
    words.push_back({text.substr(at, end - at), at});
    at = end;
  }
  return words;
}

}  // namespace lockstep::scenarios
