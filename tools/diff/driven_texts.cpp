#include "tools/diff/driven_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/redis/kind.h"
#include "reports/text/text.h"
#include "sim/trace.h"

namespace lockstep::tools {

namespace {

std::string life_of(const redis::Entry& entry) {
  return entry.remaining ? fmt::format("{} ms left", entry.remaining->count()) : "no TTL";
}

}  // namespace

std::string text_of_message(const model::Reply& message) {
  std::string text;
  if (const model::Reply::Array* parts = message.array())
    for (std::size_t i = 2; i < parts->size(); ++i)
      if (const std::string* bulk = (*parts)[i].bulk())
        text += (i == 2 ? "" : ": ") + reports::printable(*bulk);
  return text;
}

std::vector<std::string> sorted_texts(const std::vector<redis::Push>& messages) {
  std::vector<std::string> texts;
  for (const redis::Push& push : messages) texts.push_back(text_of_message(push.message));
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::string text_of_words(const model::Command& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + reports::printable(word);
  return text;
}

std::string text_of_effect(const model::Effect& effect) {
  model::Command words = effect.words;
  if (effect.time_word) words[*effect.time_word] = fmt::format("(in {} ms)", effect.remaining.count());
  return text_of_words(words);
}

std::vector<std::string> stored_in(const redis::Node& node) {
  std::vector<std::string> lines;
  for (const sim::KeyChange& key : redis::key_changes("", redis::Node{}, node)) {
    std::string line = reports::printable(key.key) + " {";
    for (std::size_t i = 0; i < key.fields.size(); ++i)
      line += fmt::format("{}{}{}{}", i == 0 ? "" : ", ", reports::printable(key.fields[i].first),
                          key.fields[i].first.empty() ? "" : " = ", reports::printable(key.fields[i].second));
    lines.push_back(line + "} " + life_of(*node.db.find(key.key)));
  }
  return lines;
}

}  // namespace lockstep::tools
