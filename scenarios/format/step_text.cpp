#include "scenarios/format/step_text.h"

#include <algorithm>

namespace lockstep::scenarios {

namespace {

/// A byte that may stand in names of locks, objects and signals.
bool object_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-.:/@").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t end_of_word(std::string_view text, std::size_t begin) {
  std::size_t at = begin;
  while (at < text.size() && !is_blank(text[at]) && text[at] != ';' && text[at] != '}') {
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
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    const bool mark = text[at] == '{' || text[at] == '}' || text[at] == ';';
    const std::size_t end = mark ? at + 1 : end_of_word(text, at);
    words.push_back({text.substr(at, end - at), at});
    at = end;
  }
  return words;
}

bool is_unclosed(const Word& word) {
  return std::count(word.text.begin(), word.text.end(), '\'') % 2 != 0;
}

std::string_view unquoted(const Word& word) {
  const bool quoted = word.text.size() >= 2 && word.text.front() == '\'' && word.text.back() == '\'';
  return quoted ? word.text.substr(1, word.text.size() - 2) : word.text;
}

std::string quoted_if_needed(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" \t\r\n{};'") == std::string::npos;
  return plain ? word : "'" + word + "'";
}

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
         std::none_of(text.begin(), text.end(), [](char c) {
           return c == '\'' || static_cast<unsigned char>(c) < ' ' || c == 0x7f;
         });
}

}  // namespace lockstep::scenarios
