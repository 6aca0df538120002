// left_behind.cpp: the part of Facts that is about what outlives its use.
#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/machine.h"
#include "model/world/facts.h"
#include "model/world/locks_under.h"

namespace lockstep::model {

namespace {

/// What a lock named `orders` may keep beside its own key: `orders:…`, `…{orders}…`.
bool belongs(const std::string& key, const std::string& lock) {
  return key.starts_with(lock + ":") || key.find("{" + lock + "}") != std::string::npos;
}

/// A key that a kind of lock leaves where nobody holds it.
bool stays(const std::string& key, const Setup& setup) {
  return std::any_of(setup.objects.begin(), setup.objects.end(), [&](const LockObject& object) {
    const LockKind& kind = *setup.kinds[object.kind];
    return kind.stays != nullptr && kind.stays(key);
  });
}

}  // namespace

std::optional<std::string> Facts::renewal_without_holder(const Kept& kept) const {
  if (!all_threads_ended() || !silent()) return std::nullopt;
  for (std::size_t p = 0; p < world_.processes.size(); ++p)
    for (std::size_t c = 0; c < world_.processes[p]->clients.size(); ++c)
      for (const auto& [thread, lock] : setup_.libraries[c]->renewing(world_.processes[p]->clients[c]))
        if (!is_kept(lock, sim::make_id<GroupId>(c), kept))
          return fmt::format("process {} still has {} registered for the renewal of {}",
                             setup_.processes[p].name, setup_.thread_name(thread), lock);
  return std::nullopt;
}

/// One of the locks under this key is.
bool Facts::is_kept(const std::string& key, GroupId group, const Kept& kept) const {
  const std::vector<Lying> locks = locks_under(key, group, setup_);
  if (locks.empty()) return kept.contains(resource_name(group, key));
  return std::any_of(locks.begin(), locks.end(), [&](const Lying& one) {
    return kept.contains(resource_name(setup_.objects[one.object].group, one.lock));
  });
}

bool Facts::is_excused(const std::string& key, NodeId node, const Kept& kept) const {
  const GroupId group = setup_.nodes[node.index()].group;
  if (!locks_under(key, group, setup_).empty()) return is_kept(key, group, kept);
  return std::any_of(setup_.objects.begin(), setup_.objects.end(), [&](const LockObject& object) {
    return setup_.kinds[object.kind]->is_lock() && belongs(key, key_of(object)) &&
           kept.contains(resource_name(object.group, object.name));
  });
}

std::optional<std::string> Facts::left_for_good(const Kept& kept) const {
  if (!all_threads_ended() || !silent()) return std::nullopt;
  for (const auto& group : world_.groups) {
    const Look look = setup_.kind_of(group->master).look(*world_.nodes[group->master.index()]);
    for (const std::string& key : look.all()) {
      const std::optional<Stored> stored = look(key);
      if (stored && !stored->left && !stays(key, setup_) && !is_excused(key, group->master, kept))
        return fmt::format("{} stores the key {} for good", setup_.nodes[group->master.index()].name, key);
    }
  }
  return std::nullopt;
}

std::optional<std::string> Facts::left_behind(const Kept& kept) const {
  for (std::size_t n = 0; n < world_.nodes.size(); ++n) {
    if (!(*world_.up)[n]) continue;
    const NodeSetup& node = setup_.nodes[n];
    const auto excused = [&](const std::string& key) {
      return stays(key, setup_) || is_excused(key, sim::make_id<NodeId>(n), kept);
    };
    if (const auto what = node.kind->left_behind(*world_.nodes[n], excused))
      return fmt::format("{} still {}", node.name, *what);
  }
  for (std::size_t p = 0; p < world_.processes.size(); ++p)
    for (std::size_t c = 0; c < world_.processes[p]->clients.size(); ++c)
      if (const auto lock = setup_.libraries[c]->subscribed(world_.processes[p]->clients[c]))
        return fmt::format("process {} still has a subscription for {}", setup_.processes[p].name, *lock);
  return std::nullopt;
}

}  // namespace lockstep::model
