#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/sections.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

Reply ping(Call& call, Words words) {
  if (words.size() > 2) return errors::wrong_arity(call.name());
  const std::string_view text = words.size() == 2 ? words[1] : std::string_view();
  if (call.source() == Call::Source::client && is_subscriber(call.pubsub(), call.from())) {
    return Reply::Array{bulk("pong"), bulk(text)};
  }
  return words.size() == 2 ? bulk(text) : Reply(Status{"PONG"});
}

Reply echo(Call&, Words words) { return bulk(words[1]); }

Reply time(Call& call, Words) {
  const std::int64_t now = call.now();
  return Reply::Array{std::to_string(now / 1000),
                      std::to_string(now % 1000 * 1000 + call.environment().wall_us)};
}

namespace {

void write_snapshot(Call& call) {
  Node& node = call.node();
  node.snapshot = call.db();
  if (!node.functions->empty() || !node.saved_functions->empty()) node.saved_functions = node.functions;
  if (!node.statistics->counts) return;
  Statistics& statistics = node.statistics.write();
  statistics.saved_ms = call.now();
  ++statistics.saves;
}

}  // namespace

Reply save(Call& call, Words) {
  write_snapshot(call);
  return lua::ok();
}

Reply bgsave(Call& call, Words words) {
  if (words.size() > 2 || (words.size() == 2 && !is_option(words[1], "schedule"))) return errors::syntax();
  write_snapshot(call);
  return Status{"Background saving started"};
}

std::string replication_section(const Node& node) {
  std::string text = "# Replication\r\n";
  if (node.role == Role::replica) {
    return text + "role:slave\r\nmaster_link_status:up\r\nslave_read_only:1\r\nconnected_slaves:0\r\n";
  }
  return text + "role:master\r\nconnected_slaves:0\r\n";
}

/// A node does not know its peers: a master lists no replicas, and a replica's master is named "master".
Reply role(Call& call, Words) {
  if (call.node().role == Role::master) return Reply::Array{bulk("master"), count(0), empty_array()};
  return Reply::Array{bulk("slave"), bulk("master"), count(6379), bulk("connected"), count(0)};
}

}  // namespace lockstep::redis::commands
