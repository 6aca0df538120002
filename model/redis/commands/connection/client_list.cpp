// CLIENT LIST, INFO and KILL (Redis networking.c, catClientInfoString and clientKillCommand). Only
// connections that were announced are listed and found, and the caller. What their buffers hold belongs to
// the program that has the sockets: here they are those of a connection that is at rest.
#include "model/redis/commands/connection/client_list.h"

#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

struct Client {
  ConnectionId connection;
  const Session* session;
};

const Peer& peer_of(const Client& client) {
  static const Peer unannounced;
  return client.session->peer ? *client.session->peer : unannounced;
}

const Session& no_session() {
  static const Session none;
  return none;
}

/// In the order in which they came.
std::vector<Client> clients_of(const Call& call) {
  std::vector<Client> clients;
  bool listed = false;
  for (const auto& [connection, session] : *call.node().sessions) {
    if (!session.peer && connection != call.from()) continue;
    listed = listed || connection == call.from();
    clients.push_back({connection, &session});
  }
  if (!listed) clients.push_back({call.from(), &no_session()});
  std::sort(clients.begin(), clients.end(), [](const Client& a, const Client& b) {
    return client_id(a.session, a.connection) < client_id(b.session, b.connection);
  });
  return clients;
}

std::string flags_of(const Node& node, const Client& client) {
  const Session& session = *client.session;
  std::string flags;
  if (node.monitors->contains(client.connection)) flags += 'O';
  if (is_subscriber(node.pubsub, client.connection)) flags += 'P';
  if (session.transaction) flags += 'x';
  if (session.tracking) flags += 't';
  if (session.tracking && session.tracking->broadcasts) flags += 'B';
  if (session.disturbed) flags += 'd';
  if (peer_of(client).is_local()) flags += 'U';
  if (session.reads_replicas) flags += 'r';
  if (session.never_evicted) flags += 'e';
  return flags.empty() ? "N" : flags;
}

std::string line_of(Call& call, const Client& client) {
  const Node& node = call.node();
  const Session& session = *client.session;
  const Peer& peer = peer_of(client);
  const std::int64_t now = session.peer ? call.now() : 0;
  const auto seconds_since = [&](std::int64_t then) { return std::to_string((now - then) / 1000); };
  const auto subscribed = [&](const PubSub::Listeners& listeners) {
    return std::to_string(count_subscriptions(listeners, client.connection));
  };
  const std::string_view own = call.in_exec() ? "exec" : call.name();
  const std::string_view command = client.connection == call.from() ? own : peer.last_command;
  std::string line = "id=" + std::to_string(client_id(&session, client.connection));
  line += " addr=" + peer.address + " laddr=" + peer.local_address + " fd=" + std::to_string(peer.file);
  line += " name=" + session.name + " age=" + seconds_since(peer.since_ms);
  line += " idle=" + seconds_since(peer.active_ms) + " flags=" + flags_of(node, client);
  line += " db=" + std::to_string(session.database) + " sub=" + subscribed(node.pubsub.channels);
  line += " psub=" + subscribed(node.pubsub.patterns) + " ssub=" + subscribed(node.pubsub.shard_channels);
  line += " multi=" + (session.transaction ? std::to_string(session.transaction->queued.size()) : "-1");
  line +=
      " qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=1024 rbp=0 obl=0 oll=0 omem=0 tot-mem=1944 events=r "
      "cmd=";
  line += std::string(command) + " user=default redir=" + (session.tracking ? "0" : "-1") +
          (session.resp3 ? " resp=3\n" : " resp=2\n");
  return line;
}

enum class Type : std::uint8_t { normal, replica, master, pubsub };

std::optional<Type> read_type(std::string_view word) {
  if (is_option(word, "normal")) return Type::normal;
  if (is_option(word, "slave") || is_option(word, "replica")) return Type::replica;
  if (is_option(word, "master")) return Type::master;
  if (is_option(word, "pubsub")) return Type::pubsub;
  return std::nullopt;
}

Type type_of(const Node& node, const Client& client) {
  return is_subscriber(node.pubsub, client.connection) ? Type::pubsub : Type::normal;
}

Reply unknown_type(std::string_view word) { return Error{"ERR Unknown client type '" + shown(word) + "'"}; }

}  // namespace

std::int64_t client_id(const Session* session, ConnectionId connection) {
  return session && session->peer ? session->peer->id : static_cast<std::int64_t>(connection.value) + 1;
}

std::optional<ConnectionId> find_client(const Call& call, std::int64_t id) {
  for (const Client& client : clients_of(call)) {
    if (client_id(client.session, client.connection) == id) return client.connection;
  }
  return std::nullopt;
}

std::size_t count_clients(const Node& node) {
  const auto announced = std::count_if(node.sessions->begin(), node.sessions->end(),
                                       [](const auto& session) { return session.second.peer.has_value(); });
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(announced, 1));
}

Reply client_info(Call& call, Words) {
  return line_of(call, {call.from(), call.session() ? call.session() : &no_session()});
}

Reply client_list(Call& call, Words words) {
  std::optional<Type> type;
  std::vector<std::int64_t> ids;
  const bool by_id = words.size() > 3 && is_option(words[2], "id");
  if (words.size() == 4 && is_option(words[2], "type")) {
    type = read_type(words[3]);
    if (!type) return unknown_type(words[3]);
  } else if (by_id) {
    for (const std::string_view word : words.subspan(3)) {
      const auto id = parse_integer(word);
      if (!id) return Error{"ERR Invalid client ID"};
      ids.push_back(*id);
    }
  } else if (words.size() != 2) {
    return errors::syntax();
  }
  std::string lines;
  const std::vector<Client> clients = clients_of(call);
  for (const std::int64_t id : ids) {
    for (const Client& client : clients) {
      if (client_id(client.session, client.connection) == id) lines += line_of(call, client);
    }
  }
  for (const Client& client : clients) {
    if (!by_id && (!type || type_of(call.node(), client) == *type)) lines += line_of(call, client);
  }
  return lines;
}

namespace {

struct Filter {
  std::optional<std::int64_t> id;
  std::optional<Type> type;
  std::optional<std::string_view> address, local_address;
  bool skips_caller = true;

  bool takes(const Call& call, const Client& client) const {
    const Peer& peer = peer_of(client);
    return !(skips_caller && client.connection == call.from()) &&
           (!id || *id == client_id(client.session, client.connection)) &&
           (!type || *type == type_of(call.node(), client)) && (!address || *address == peer.address) &&
           (!local_address || *local_address == peer.local_address);
  }
};

/// One word and its value; Nil, or what is wrong with them.
Reply read_filter(std::string_view word, std::string_view value, Filter& filter) {
  if (is_option(word, "id")) {
    filter.id = parse_integer(value);
    if (!filter.id || *filter.id < 1) return Error{"ERR client-id should be greater than 0"};
  } else if (is_option(word, "type")) {
    filter.type = read_type(value);
    if (!filter.type) return unknown_type(value);
  } else if (is_option(word, "addr")) {
    filter.address = value;
  } else if (is_option(word, "laddr")) {
    filter.local_address = value;
  } else if (is_option(word, "user")) {
    if (value != "default") return Error{"ERR No such user '" + shown(value) + "'"};
  } else if (is_option(word, "skipme")) {
    filter.skips_caller = is_option(value, "yes");
    if (!filter.skips_caller && !is_option(value, "no")) return errors::syntax();
  } else {
    return errors::syntax();
  }
  return Nil{};
}

std::size_t kill(Call& call, const Filter& filter) {
  std::size_t killed = 0;
  for (const Client& client : clients_of(call)) {
    if (!filter.takes(call, client)) continue;
    ++killed;
    call.outcome().closed.push_back(client.connection);
  }
  for (const ConnectionId connection : call.outcome().closed) {
    if (connection != call.from()) disconnect(call.node(), connection);
  }
  return killed;
}

}  // namespace

Reply client_kill(Call& call, Words words) {
  Filter filter;
  if (words.size() == 3) {
    filter.address = words[2];
    filter.skips_caller = false;
    return kill(call, filter) > 0 ? lua::ok() : Reply(Error{"ERR No such client"});
  }
  for (std::size_t i = 2; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return errors::syntax();
    if (Reply problem = read_filter(words[i], words[i + 1], filter); !problem.is_nil()) return problem;
  }
  return count(kill(call, filter));
}

}  // namespace lockstep::redis::commands
