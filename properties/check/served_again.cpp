#include "properties/check/served_again.h"

#include <fmt/format.h>

#include "model/client/process.h"

namespace lockstep::properties {

void Answered::note(const std::vector<model::Push>& pushed, const std::vector<model::ProcessId>& ended) {
  for (const model::Push& push : pushed) pushes[model::process_of(push.to)].push_back(push.message);
  closed = {ended.begin(), ended.end()};
}

Answered serve_again(Asked asked, const model::Setup& setup, lua::Engine& engine) {
  Answered answered{.after = std::move(asked.server), .reply = {}, .pushes = {}, .effects = {}, .closed = {}};
  model::Served served =
      setup.kind_of(asked.node)
          .serve(answered.after, asked.by, asked.words,
                 serving_again(setup, engine, asked.node, asked.wall_ms));
  answered.note(served.pushes, served.closed);
  answered.reply = std::move(served.reply);
  answered.effects = std::move(served.effects);
  return answered;
}

model::Serving serving_again(const model::Setup& setup, lua::Engine& engine, model::NodeId node,
                             std::int64_t wall_ms) {
  return {.engine = engine,
          .wall_ms = wall_ms,
          .calls = nullptr,
          .want_effects = setup.replicates(setup.group_of(node))};
}

model::ConnectionId known_by(const model::Setup& setup, model::LinkId link, model::ConnectionId connection) {
  if (setup.kind_of(link.node).sessions) return model::connection_of(link.process);
  return sim::make_id<model::ConnectionId>(model::pooled | connection.value);
}

std::int64_t wall_ms_of(const model::World& world, const model::Setup& setup, model::NodeId node) {
  return setup.epoch_ms + (world.now.since_start + world.clocks->offset[node.index()]).count();
}

std::string sender_of(const model::Request& request, const model::Setup& setup) {
  const bool is_command = model::plain(request.form) == model::Request::Form::command;
  return fmt::format("the {} in the role `{}`", is_command ? "command" : "script",
                     model::role_name(request.purpose, setup));
}

}  // namespace lockstep::properties
