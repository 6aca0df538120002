#include "model/redis/watch.h"

#include <algorithm>

namespace lockstep::redis {

namespace {

const Entry* find_entry(const Node& node, const Watch& watch) {
  const Keyspace* const db = find_database(node, watch.database);
  return db ? db->find(watch.key) : nullptr;
}

/// It watches nothing any more.
void disturb(Session& session) {
  session.disturbed = true;
  session.watched.clear();
}

/// Calls for the session of each connection that watches something; it may be disturbed by that.
template <class Visit>
void for_each_watcher(Node& node, Visit visit) {
  const std::set<model::ConnectionId> watchers = *node.watchers;
  for (const model::ConnectionId connection : watchers) {
    Session& session = node.sessions.write().at(connection);
    visit(session);
    if (session.watched.empty()) node.watchers.write().erase(connection);
  }
}

}  // namespace

bool anybody_watches(const Node& node) { return !node.watchers->empty(); }

void touch_watched(Node& node, std::uint8_t database, std::string_view key) {
  for_each_watcher(node, [&](Session& session) {
    const auto at = std::find_if(session.watched.begin(), session.watched.end(), [&](const Watch& watch) {
      return watch.database == database && watch.key == key;
    });
    if (at == session.watched.end()) return;
    if (!at->expired) disturb(session);
    else if (!find_entry(node, *at)) at->expired = false;
  });
}

/// A key that had expired before it was watched is only now really gone, which changes nothing for those who
/// watch it; making it anew does (multi.c, touchAllWatchedKeysInDb).
void touch_watched_database(Node& node, std::uint8_t database) {
  for_each_watcher(node, [&](Session& session) {
    bool loses_one = false;
    for (Watch& watch : session.watched) {
      if (watch.database != database || !find_entry(node, watch)) continue;
      loses_one = loses_one || !watch.expired;
      watch.expired = false;
    }
    if (loses_one) disturb(session);
  });
}

namespace {

/// Whether the watched key is another one once the databases are swapped; a key that is absent or expired on
/// both sides is not (Redis touchAllWatchedKeysInDb).
bool swapping_disturbs(const Node& node, Watch& watch, std::uint8_t counterpart) {
  const Entry* const before = find_entry(node, watch);
  const Entry* const after = find_entry(node, {counterpart, watch.key, false});
  if (!before && !after) return false;
  if (watch.expired) {
    if (!after) watch.expired = false;
    return after && !after->dead();
  }
  if (!before && after->dead()) {
    watch.expired = true;
    return false;
  }
  return true;
}

}  // namespace

void touch_swapped_databases(Node& node, std::uint8_t one, std::uint8_t other) {
  for_each_watcher(node, [&](Session& session) {
    bool disturbed = false;
    for (Watch& watch : session.watched) {
      if (watch.database != one && watch.database != other) continue;
      disturbed = swapping_disturbs(node, watch, watch.database == one ? other : one) || disturbed;
    }
    if (disturbed) disturb(session);
  });
}

bool watched_key_expired(const Node& node, const Session& session) {
  return std::any_of(session.watched.begin(), session.watched.end(), [&](const Watch& watch) {
    const Entry* const entry = find_entry(node, watch);
    return !watch.expired && entry && entry->dead();
  });
}

void end_transaction(Session& session) {
  session.transaction.reset();
  session.watched.clear();
  session.disturbed = false;
}

}  // namespace lockstep::redis
