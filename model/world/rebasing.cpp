#include "model/world/rebasing.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "model/client/lock_kind.h"

namespace lockstep::model {

bool tells_instants(const Setup& setup) {
  const auto told = [&](const LockKind& kind, const lua::ScriptSet& set, const Role& role) {
    const lua::Script* script = script_for(role, set);
    if (script == nullptr) return false;
    const std::vector<std::string>& names = script->args;
    return std::any_of(kind.args.begin(), kind.args.end(), [&](const Word& word) {
      return word.instant && std::find(names.begin(), names.end(), word.name) != names.end();
    });
  };
  for (const LockObject& object : setup.objects) {
    const LockKind& kind = *setup.kinds[object.kind];
    if (kind.field_instants != nullptr) return true;  // its shape looks at them, whatever its scripts do
    for (const lua::ScriptSet* set : setup.script_sets())
      for (const Role& role : kind.roles)
        if (told(kind, *set, role)) return true;
  }
  return false;
}

InstantKeys instant_keys(const Setup& setup) {
  const auto any_kind = [&setup](const auto& such) {
    return std::any_of(setup.objects.begin(), setup.objects.end(),
                       [&](const LockObject& object) { return such(*setup.kinds[object.kind], object); });
  };
  return {[any_kind](std::string_view key) {
            return any_kind([&](const LockKind& kind, const LockObject&) {
              return kind.scores_instants != nullptr && kind.scores_instants(key);
            });
          },
          [any_kind](std::string_view key, std::string_view field) {
            return any_kind([&](const LockKind& kind, const LockObject& object) {
              return kind.field_instants != nullptr && key == key_of(object) && kind.field_instants(field);
            });
          }};
}

void move_instants(Request& request, const Setup& setup, Duration by) {
  for (const std::size_t i : instants_of(request, setup))
    request.args[i] = std::to_string(std::stoll(request.args[i]) + by.count());
}

namespace {

void move_in_processes(World& world, const Setup& setup, Duration by) {
  for (auto& process : world.processes) {
    bool says_instants = false;
    for (const Client& client : process->clients)
      for_each_unanswered(
          client, [&](const auto& one) { says_instants |= !instants_of(one.request, setup).empty(); });
    if (!says_instants) continue;
    for (Client& client : process.write().clients)
      for_each_unanswered(client, [&](auto& one) { move_instants(one.request, setup, by); });
  }
  for (auto& link : world.links)
    for (std::size_t i = 0; i < link->flights.size(); ++i)
      if (const auto& request = link->flights[i].request; request && !instants_of(*request, setup).empty())
        move_instants(*link.write().flights[i].request, setup, by);
}

void move_in_servers(World& world, const Setup& setup, Duration by) {
  const InstantKeys such = instant_keys(setup);
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const ServerKind& kind = *setup.nodes[n].kind;
    if (kind.with_instants_moved == nullptr) continue;
    if (auto moved = kind.with_instants_moved(*world.nodes[n], such, by)) world.nodes[n] = *std::move(moved);
    if (world.streams[n]->batches.empty()) continue;
    for (Stream::Batch& batch : world.streams[n].write().batches)
      kind.move_instants(batch.effects, such, by);
  }
}

}  // namespace

namespace {

constexpr auto whole_numbers_max = 9'007'199'254'740'992.0;  // 2^53

/// The instants among what lies under a key, in ms since 1970.
std::vector<std::int64_t> instants_in(const std::string& key, const Stored& stored, const InstantKeys& such) {
  std::vector<std::int64_t> found;
  if (such.scores(key))
    for (const auto score : stored.scores)
      if (std::abs(score) <= whole_numbers_max) found.push_back(static_cast<std::int64_t>(score));
  if (stored.form != Stored::Form::hash) return found;
  for (const auto& [field, text] : stored.items) {
    if (!such.fields(key, field)) continue;
    std::int64_t instant = 0;
    std::from_chars(text.data(), text.data() + text.size(), instant);
    found.push_back(instant);
  }
  return found;
}

}  // namespace

Duration next_instant(const World& world, const Setup& setup) {
  const InstantKeys such = instant_keys(setup);
  Duration next = sim::never;
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const Look look = setup.nodes[n].kind->look(*world.nodes[n]);
    for (const std::string& key : look.all()) {
      const std::optional<Stored> stored = look(key);
      for (const std::int64_t instant : instants_in(key, *stored, such))
        for (const ProcessSetup& process : setup.processes) {
          const Duration now = world.now.since_start + process.clock_offset;
          const Duration left = Duration{instant - setup.epoch_ms} - now;
          if (left > Duration::zero()) next = std::min(next, left);
        }
    }
  }
  return next;
}

std::optional<Duration> farthest_instant(const World& world, const Setup& setup, NodeId node,
                                         const std::vector<std::string>& keys) {
  const InstantKeys such = instant_keys(setup);
  const Look look = setup.kind_of(node).look(*world.nodes[node.index()]);
  std::optional<Duration> farthest;
  for (const std::string& key : keys)
    if (const std::optional<Stored> stored = look(key))
      for (const std::int64_t instant : instants_in(key, *stored, such)) {
        const Duration ahead = Duration{instant - setup.epoch_ms} - world.now.since_start;
        farthest = std::max(farthest.value_or(ahead), ahead);
      }
  return farthest;
}

void rebase(World& world, const Setup& setup) {
  const Duration now = world.now.since_start;
  const Duration left = setup.lattice ? now % setup.lattice->spacing : Duration::zero();
  const Duration by = left - now;
  world.now = {left};
  if (by == Duration::zero()) return;
  move_in_processes(world, setup, by);
  move_in_servers(world, setup, by);
}

}  // namespace lockstep::model
