#include "tools/diff/driven_alike.h"

#include <algorithm>

#include "model/redisson/unlock_answers.h"

namespace lockstep::tools {

namespace {

model::Reply comparable(const model::Reply& reply) {
  const lua::Error* error = reply.error();
  if (error == nullptr) return reply;
  return lua::Error{error->text.substr(0, error->text.find(" script: "))};
}

bool is_understood(const model::Items& read) {
  return !read.empty() && !says(read, model::Meaning::unknown) && !says(read, model::Meaning::failed);
}

}  // namespace

bool same_reply(const model::Reply& one, const model::Reply& other) {
  return comparable(one) == comparable(other);
}

bool read_alike(const model::Items& one, const model::Items& other, const model::LockKind& kind,
                model::Intent intent, const std::vector<redisson::Settings>& clients) {
  if (!is_understood(one) || !is_understood(other)) return false;
  if (one == other || intent != model::Intent::release) return one == other;
  return std::all_of(clients.begin(), clients.end(), [&](const redisson::Settings& client) {
    return redisson::taken_by(client, kind, one) == redisson::taken_by(client, kind, other);
  });
}

bool same_stored(const redis::Node& one, const redis::Node& other) {
  return one.db == other.db && one.other_dbs == other.other_dbs;
}

bool same_but_for_answers(const redis::Node& one, const redis::Node& other,
                          const std::set<std::string>& keys) {
  const auto &mine = one.db.entries(), &its = other.db.entries();
  if (mine.size() != its.size() || one.other_dbs != other.other_dbs) return false;
  return std::equal(mine.begin(), mine.end(), its.begin(), [&](const auto& left, const auto& right) {
    const auto is_text = [](const redis::Entry& entry) {
      return std::holds_alternative<redis::String>(entry.value);
    };
    return left == right || (left.first == right.first && keys.contains(left.first) &&
                             is_text(left.second) && is_text(right.second) &&
                             left.second.remaining == right.second.remaining);
  });
}

}  // namespace lockstep::tools
