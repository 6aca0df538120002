#include "model/redis/sentinel/messages.h"

#include <charconv>

namespace lockstep::redis::sentinel {

namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// 0 if it is no number, as Redis's own reading has it.
std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::uint16_t port(std::string_view text) { return static_cast<std::uint16_t>(number(text)); }

bool take(std::string_view& line, std::string_view prefix) {
  if (line.substr(0, prefix.size()) != prefix) return false;
  line.remove_prefix(prefix.size());
  return true;
}

/// slave0:ip=127.0.0.1,port=6380,state=online,…
std::optional<Address> replica_in(std::string_view line) {
  if (!take(line, "slave") || line.empty() || line[0] < '0' || line[0] > '9') return std::nullopt;
  Address address;
  for (std::string_view part : split(line.substr(std::min(line.find(':'), line.size() - 1) + 1), ',')) {
    if (take(part, "ip=")) address.ip = part;
    else if (take(part, "port=")) address.port = port(part);
  }
  if (address.ip.empty() || address.port == 0) return std::nullopt;
  return address;
}

}  // namespace

Facts facts_of(std::string_view text) {
  Facts facts;
  Address follows;
  for (std::string_view line : split(text, '\n')) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (const auto replica = replica_in(line)) facts.replicas.push_back(*replica);
    else if (take(line, "run_id:")) facts.run_id = line;
    else if (take(line, "role:")) facts.role = line == "slave" ? Role::replica : Role::master;
    else if (take(line, "master_host:")) follows.ip = line;
    else if (take(line, "master_port:")) follows.port = port(line);
    else if (take(line, "master_link_status:")) facts.link_up = line == "up";
    else if (take(line, "slave_priority:")) facts.priority = static_cast<unsigned>(number(line));
    else if (take(line, "slave_repl_offset:")) facts.offset = number(line);
    else if (take(line, "master_link_down_since_seconds:"))
      facts.link_down_for = Duration(static_cast<std::int64_t>(number(line)) * 1'000);
  }
  if (!follows.ip.empty()) facts.follows = follows;
  return facts;
}

std::string text_of(const Hello& hello) {
  return hello.sender.ip + "," + std::to_string(hello.sender.port) + "," + hello.id + "," +
         std::to_string(hello.current_epoch) + "," + hello.master + "," + hello.master_address.ip + "," +
         std::to_string(hello.master_address.port) + "," + std::to_string(hello.config_epoch);
}

std::optional<Hello> hello_of(std::string_view text) {
  const std::vector<std::string_view> words = split(text, ',');
  if (words.size() != 8) return std::nullopt;
  return Hello{{std::string(words[0]), port(words[1])}, RunId(words[2]), number(words[3]),
               std::string(words[4]), {std::string(words[5]), port(words[6])}, number(words[7])};
}

std::vector<model::Command> transaction(const SendReplicaOf& send) {
  const model::Command role =
      send.master ? model::Command{"SLAVEOF", send.master->ip, std::to_string(send.master->port)}
                  : model::Command{"SLAVEOF", "NO", "ONE"};
  return {{"MULTI"},
          role,
          {"CONFIG", "REWRITE"},
          {"CLIENT", "KILL", "TYPE", "normal"},
          {"CLIENT", "KILL", "TYPE", "pubsub"},
          {"EXEC"}};
}

}  // namespace lockstep::redis::sentinel
