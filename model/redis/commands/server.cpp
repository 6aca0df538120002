#include <array>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
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

/// A client goes on in that database; what a script selects holds until it ends.
Reply select(Call& call, Words words) {
  constexpr std::int64_t int_max = 2'147'483'647;
  const auto index = parse_integer(words[1]);
  if (!index) return errors::not_an_integer();
  if (*index > int_max || *index < -int_max - 1) {
    return Error{"ERR value is out of range, value must between -2147483648 and 2147483647"};
  }
  if (*call.node().cluster && *index != 0) return Error{"ERR SELECT is not allowed in cluster mode"};
  if (*index < 0 || *index >= databases_max) return Error{"ERR DB index is out of range"};
  const auto number = static_cast<std::uint8_t>(*index);
  if (call.source() == Call::Source::client && (number != 0 || call.session()))
    call.session_to_change().database = number;
  call.select(number);
  return lua::ok();
}

Reply save(Call& call, Words) {
  call.node().snapshot = snapshot_of(call.node());
  return lua::ok();
}

Reply bgsave(Call& call, Words words) {
  if (words.size() > 2 || (words.size() == 2 && !is_option(words[1], "schedule"))) return errors::syntax();
  call.node().snapshot = snapshot_of(call.node());
  return Status{"Background saving started"};
}

namespace {

std::string server_section(const Node& node) {
  return std::string("# Server\r\nredis_version:7.0.15\r\nredis_mode:") +
         (*node.cluster ? "cluster" : "standalone") + "\r\n";
}

std::string cluster_section(const Node& node) {
  return std::string("# Cluster\r\ncluster_enabled:") + (*node.cluster ? "1" : "0") + "\r\n";
}

std::string keyspace_section(const Node& node) {
  std::size_t expires = 0;
  for (const auto& [key, entry] : node.db.entries()) expires += entry.remaining ? 1 : 0;
  if (node.db.size() == 0) return "# Keyspace\r\n";
  return "# Keyspace\r\ndb0:keys=" + std::to_string(node.db.size()) + ",expires=" + std::to_string(expires) +
         ",avg_ttl=0\r\n";
}

struct Section {
  std::string_view name;
  std::string (*text)(const Node&);
};
constexpr std::array<Section, 4> sections{{{"server", server_section},
                                           {"replication", replication_section},
                                           {"cluster", cluster_section},
                                           {"keyspace", keyspace_section}}};

bool asks_for(Words words, std::string_view section) {
  if (words.size() == 1) return true;
  for (const std::string_view word : words.subspan(1)) {
    if (is_option(word, section) || is_option(word, "all") || is_option(word, "default") ||
        is_option(word, "everything")) {
      return true;
    }
  }
  return false;
}

}  // namespace

/// Only what does not depend on memory, processor or wall clock, and what a node knows of itself.
Reply info(Call& call, Words words) {
  std::string text;
  for (const Section& section : sections) {
    if (!asks_for(words, section.name)) continue;
    if (!text.empty()) text += "\r\n";
    text += section.text(call.node());
  }
  return text;
}

}  // namespace lockstep::redis::commands
