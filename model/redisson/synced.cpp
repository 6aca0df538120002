#include "model/redisson/synced.h"

#include <algorithm>

#include "model/client/token.h"
#include "model/redisson/library.h"

namespace lockstep::redisson {

extern const model::LockKind spin;
extern const model::Role asks_locked, asks_time;

namespace {

using model::Intent;
using model::Syncing;

bool is_synced(Intent intent) {
  return intent == Intent::acquire || intent == Intent::release || intent == Intent::force_release ||
         intent == Intent::renew || intent == Intent::give_up;
}

std::uint16_t replicas_in(const Setup& setup, model::GroupId group) {
  const auto count = std::count_if(setup.nodes.begin(), setup.nodes.end(),
                                   [&](const model::NodeSetup& node) { return node.group == group; });
  return static_cast<std::uint16_t>(count - 1);
}

Syncing::Count count_by(std::uint16_t replica_count) {
  switch (replica_count) {
    case 0: return Syncing::Count::none;
    case 1: return Syncing::Count::fixed;
    case 2: return Syncing::Count::asked;
    default: return Syncing::Count::cached;
  }
}

}  // namespace

Syncing syncing(const Setup& setup, const model::Purpose& purpose) {
  const auto group = sim::make_id<model::GroupId>(purpose.client);
  const model::Role& role = model::role_of(purpose, setup);
  if (role.command != nullptr || !is_synced(role.intent) || !setup.replicates(group)) return {};
  const Settings& settings = setup.client_of(setup.process_of(purpose.thread));
  const model::LockKind& kind = *setup.kinds[purpose.kind];
  const bool of_token = &role == model::role_that_tells(kind);
  const bool acquires = role.intent == Intent::acquire;
  const bool call = acquires || role.intent == Intent::release || role.intent == Intent::force_release;
  Syncing rule{.count = count_by(settings.replica_count),
               .replicas = replicas_in(setup, group),
               .wait = settings.sync_timeout,
               .needs = static_cast<Syncing::Needs>(settings.wait_needs),
               .undone = settings.sync_undone && acquires && !of_token,
               .repeated = settings.sync_repeated && call && !of_token && !(acquires && &kind == &spin),
               .repeats_request = settings.repeats_request};
  const std::optional<std::uint16_t> wait = setup.wait_of(setup.process_of(purpose.thread));
  if (!wait) return rule;
  rule.count = *wait == 0 ? Syncing::Count::none : Syncing::Count::fixed;
  rule.replicas = *wait;
  return rule;
}

model::Asked asked(const Setup& setup, const model::Purpose& purpose) {
  const auto words = model::role_of(purpose, setup).command;  // a read/write lock asks its master who reads
  if (words == nullptr || (words != asks_locked.command && words != asks_time.command))
    return model::Asked::master;
  return static_cast<model::Asked>(setup.client_of(setup.process_of(purpose.thread)).read_mode);
}

sim::Duration lease_of_undo(model::ClientStep step, const model::Purpose& acquire) {
  return lease_of(of(step.own()), step.context, acquire.object, acquire.thread);
}

void undone(model::ClientStep step, const model::Purpose& undo, const model::Items& items) {
  if (settings_of(step.context).deletes_latch && !says(items, Meaning::failed)) delete_latch(step, undo);
}

}  // namespace lockstep::redisson
