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
  model::ConnectionId connection;
  std::int64_t wall_ms = 0;
};

struct InstantsWatch::Result {
  model::Server after;
  model::Served served;
};

namespace {

bool same_pushes(const std::vector<model::Push>& one, const std::vector<model::Push>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const model::Push& a, const model::Push& b) {
                      return a.to == b.to && a.message == b.message;
                    });
}

}  // namespace

InstantsWatch::InstantsWatch(const model::Setup& setup, lua::Engine& engine)
    : setup_(setup), engine_(engine), such_(model::instant_keys(setup)) {}

void InstantsWatch::before(const model::World& world, const model::Move& move) {
  const auto* on = std::get_if<model::Carried>(&move.on);
  if (culprit_ || move.verb.act != model::Act::deliver || on->lane != model::Lane::request) return;
  const NodeId n = on->link.node;
  const auto& server = world.nodes[n.index()];
  const auto moves = setup_.kind_of(n).with_instants_moved;
  const bool holds = moves != nullptr && moves(*server, such_, Duration::zero());
  const Duration wall = world.now.since_start + world.clocks->offset[n.index()];
  for (const model::Flight& flight : world.link(on->link.process, n)->flights) {
    if (flight.connection != on->connection || !flight.request || flight.request->asks_count()) continue;
    if (!holds && model::instants_of(*flight.request, setup_).empty()) continue;
    sim::Encoder key;
    encode(key, server.digest());
    encode(key, *flight.request);
    key.number(n.value);
    if (!met_.insert(sim::digest_bytes(key.bytes())).fresh) continue;
    note_drift(world, n, *flight.request);
    const bool sessions = setup_.kind_of(n).sessions;
    const Given given{*server, *flight.request, n,
                      sessions ? model::connection_of(on->link.process)
                               : sim::make_id<model::ConnectionId>(model::pooled | on->connection.value),
                      setup_.epoch_ms + wall.count()};
    const std::string_view role = model::role_name(flight.request->purpose, setup_);
    for (const Duration by : {Duration{1}, Duration{86'400'007}})
      if (!is_alike(given, by)) culprit_ = fmt::format("the script in the role `{}`", role);
  }
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
  Result expected = result_of(given);
  const Result found = result_of(later);
  if (kind.move_instants != nullptr && !kind.move_instants(expected.served.effects, such_, by)) return false;
  return moved(expected.after) == found.after && expected.served.reply == found.served.reply &&
         same_pushes(expected.served.pushes, found.served.pushes) &&
         expected.served.effects == found.served.effects && expected.served.closed == found.served.closed;
}

InstantsWatch::Result InstantsWatch::result_of(const Given& given) const {
  Result result{given.server, {}};
  result.served =
      setup_.kind_of(given.node)
          .serve(result.after, given.connection, model::words_of(given.request, setup_),
                 {.engine = engine_,
                  .wall_ms = given.wall_ms,
                  .calls = nullptr,
                  .want_effects = setup_.replicates(setup_.group_of(given.node))});
  return result;
}

}  // namespace lockstep::properties
