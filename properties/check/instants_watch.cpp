#include "properties/check/instants_watch.h"

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/world/rebasing.h"
#include "sim/base/encode.h"

namespace lockstep::properties {

using model::NodeId;
using sim::Duration;

struct InstantsWatch::Given {
  model::Server server;
  model::Request request;
  NodeId node;
  model::ConnectionId by;
  std::int64_t wall_ms = 0;
};

InstantsWatch::InstantsWatch(const model::Setup& setup, lua::Engine& engine)
    : setup_(setup), engine_(engine), such_(model::instant_keys(setup)) {}

void InstantsWatch::before(const model::World& world, const model::Move& move) {
  if (culprit_) return;
  each_request_of(world, move, [&](const model::Request& request, const model::Carried& on) {
    look_at(world, on.link, on.connection, request);
  });
}

void InstantsWatch::look_at(const model::World& world, model::LinkId link, model::ConnectionId connection,
                            const model::Request& request) {
  const NodeId n = link.node;
  const auto& server = world.nodes[n.index()];
  const auto moves = setup_.kind_of(n).with_instants_moved;
  const bool holds = moves != nullptr && moves(*server, such_, Duration::zero());
  if (!holds && model::instants_of(request, setup_).empty()) return;
  sim::Encoder key;
  encode(key, server.digest());
  encode(key, request);
  key.number(n.value);
  if (!met_.insert(sim::digest_bytes(key.bytes())).fresh) return;
  note_drift(world, n, request);
  const Given given{*server, request, n, known_by(setup_, link, connection), wall_ms_of(world, setup_, n)};
  for (const Duration by : {Duration{1}, Duration{86'400'007}})
    if (!is_alike(given, by)) culprit_ = sender_of(request, setup_);
}

void InstantsWatch::note_drift(const model::World& world, NodeId node, const model::Request& request) {
  const model::LockObject& object = setup_.objects[request.purpose.object];
  const model::LockKind& kind = *setup_.kinds[object.kind];
  if (const auto ahead = model::farthest_instant(world, setup_, node, request.keys))
    drift_.note(fmt::format("{}{}:{}", kind.queues ? "the queue of " : "", kind.name, object.name), *ahead);
}

bool InstantsWatch::is_alike(const Given& given, Duration by) const {
  const model::ServerKind& kind = setup_.kind_of(given.node);
  const auto moved = [&](const model::Server& server) {
    if (kind.with_instants_moved == nullptr) return server;
    auto result = kind.with_instants_moved(server, such_, by);
    return result ? *std::move(result) : server;
  };
  Given later = given;
  later.server = moved(given.server);
  model::move_instants(later.request, setup_, by);
  later.wall_ms += by.count();
  Answered expected = result_of(given);
  if (kind.move_instants != nullptr && !kind.move_instants(expected.effects, such_, by)) return false;
  expected.after = moved(expected.after);
  return expected == result_of(later);
}

Answered InstantsWatch::result_of(const Given& given) const {
  return serve_again({.server = given.server,
                      .words = model::words_of(given.request, setup_),
                      .node = given.node,
                      .by = given.by,
                      .wall_ms = given.wall_ms},
                     setup_, engine_);
}

}  // namespace lockstep::properties
