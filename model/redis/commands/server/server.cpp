#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/server/sections.h"
#include "model/redis/errors.h"
#include "model/redis/resp/resp3.h"

namespace lockstep::redis::commands {

Reply ping(Call& call, Words words) {
  if (words.size() > 2) return errors::wrong_arity(call.name());
  const std::string_view text = words.size() == 2 ? words[1] : std::string_view();
  const bool listens = call.source() == Call::Source::client && is_subscriber(call.pubsub(), call.from());
  if (listens && !speaks_resp3(call.node(), call.from())) { return Reply::Array{bulk("pong"), bulk(text)}; }
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
  node.snapshot = snapshot_of(node);
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

}  // namespace lockstep::redis::commands
