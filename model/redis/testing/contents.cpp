#include "model/redis/testing/contents.h"

#include <algorithm>

namespace lockstep::redis::testing {

Value contents(Value value) {
  if (Set* const set = std::get_if<Set>(&value)) {
    set->integers = false;
    std::sort(set->members.begin(), set->members.end());
  }
  if (String* const text = std::get_if<String>(&value)) text->form = Form::given;
  if (auto* const sorted = std::get_if<SortedSet>(&value)) sorted->compact = true;
  return value;
}

std::map<std::string, Entry> contents(const Keyspace& db) {
  std::map<std::string, Entry> all;
  for (const auto& [key, entry] : db.entries())
    all.emplace(key, Entry{contents(entry.value), entry.remaining});
  return all;
}

std::map<std::string, Entry> visible(const Keyspace& db) {
  std::map<std::string, Entry> shown = contents(db);
  std::erase_if(shown, [](const auto& entry) { return entry.second.dead(); });
  return shown;
}

}  // namespace lockstep::redis::testing
