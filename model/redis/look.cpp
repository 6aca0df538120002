#include "model/redis/look.h"

#include "sim/base/overloaded.h"

namespace lockstep::redis {

namespace {

using model::Stored;

std::optional<Stored> find(const void* server, const std::string& name) {
  const Entry* entry = static_cast<const Node*>(server)->db.find(name);
  if (entry == nullptr || entry->dead()) return std::nullopt;
  Stored stored{.form = Stored::Form::other, .items = {}, .left = entry->remaining, .scores = {}};
  std::visit(sim::overloaded{
                 [&](const String& string) {
                   stored.form = Stored::Form::string;
                   stored.items.emplace_back("", string.bytes);
                 },
                 [&](const List& list) {
                   stored.form = Stored::Form::list;
                   for (const auto& item : list.items) stored.items.emplace_back("", item);
                 },
                 [&](const Set& set) {
                   stored.form = Stored::Form::set;
                   for (const auto& member : set.members) stored.items.emplace_back("", member);
                 },
                 [&](const Hash& hash) {
                   stored.form = Stored::Form::hash;
                   for (const auto& [field, value] : hash.pairs) stored.items.emplace_back(field, value);
                 },
                 [&](const SortedSet& set) {
                   stored.form = Stored::Form::sorted_set;
                   for (const auto& scored : set.entries) {
                     stored.items.emplace_back(scored.member, "");
                     stored.scores.push_back(scored.score);
                   }
                 },
             },
             entry->value);
  return stored;
}

std::vector<std::string> names(const void* server) {
  std::vector<std::string> all;
  for (const auto& [key, entry] : static_cast<const Node*>(server)->db.entries())
    if (!entry.dead()) all.push_back(key);
  return all;
}

}  // namespace

model::Look look_at(const Node& node) { return {&node, find, names}; }

}  // namespace lockstep::redis
