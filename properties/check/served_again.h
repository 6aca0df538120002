// served_again.h: a request that is about to be served, to be served once more with something in it changed.
//
// Searches rest on servers treating alike what interchangeable actors are called, what calls draw, and what
// time it is: with f a request that is served and g the change, f(g x) = g f(x). Who watches that
// (names_watch.h, words_watch.h, instants_watch.h) says what g is; x and f stand here. Nothing of it changes
// a world.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lua/engine/engine.h"
#include "model/client/request.h"
#include "model/world/move.h"
#include "model/world/world.h"
#include "sim/base/fields.h"
#include "sim/base/rename.h"

namespace lockstep::properties {

/// A server that is asked, where and when.
struct Asked {
  model::Server server;
  model::Command words;
  model::NodeId node;
  model::ConnectionId by;  // as the server knows who asks
  std::int64_t wall_ms = 0;
};

/// What comes out of it. What goes to several processes has no order among them.
struct Answered {
  model::Server after;
  model::Reply reply;
  std::map<model::ProcessId, std::vector<model::Reply>> pushes;
  model::Effects effects;
  std::set<model::ProcessId> closed;

  void note(const std::vector<model::Push>& pushed, const std::vector<model::ProcessId>& ended);
  bool operator==(const Answered&) const = default;
  static auto fields(auto& a) { return std::tie(a.after, a.reply, a.pushes, a.effects, a.closed); }
};

Answered serve_again(Asked asked, const model::Setup& setup, lua::Engine& engine);

/// What a server uses that does something again.
model::Serving serving_again(const model::Setup& setup, lua::Engine& engine, model::NodeId node,
                             std::int64_t wall_ms);
/// By which connection a server knows who asks on one of a link.
model::ConnectionId known_by(const model::Setup& setup, model::LinkId link, model::ConnectionId connection);
/// What the wall clock of a node says.
std::int64_t wall_ms_of(const model::World& world, const model::Setup& setup, model::NodeId node);
/// "the script in the role `lock`".
std::string sender_of(const model::Request& request, const model::Setup& setup);

/// Calls `visit` with each request that a move is about to bring to its server, and how it comes there.
template <class Visit>
void each_request_of(const model::World& world, const model::Move& move, Visit visit) {
  const auto* on = std::get_if<model::Carried>(&move.on);
  if (on == nullptr || move.verb.act != model::Act::deliver || on->lane != model::Lane::request) return;
  for (const model::Flight& flight : world.link(on->link.process, on->link.node)->flights)
    if (flight.connection == on->connection && flight.request && !flight.request->asks_count())
      visit(*flight.request, *on);
}

template <class T>
T renamed(T value, const sim::Names& names) {
  sim::rename(value, sim::Renaming(names));
  return value;
}

}  // namespace lockstep::properties
