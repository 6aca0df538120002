// WAIT, ROLE, REPLICAOF, REPLCONF and PSYNC (Redis replication.c).
#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"
#include "model/redis/resp/resp.h"
#include "model/redis/replication/resync.h"

namespace lockstep::redis::commands {

namespace {

Error no_master_link() { return Error{"NOMASTERLINK Can't SYNC while not connected with my master"}; }

std::string_view state_word(MasterLink::State state) {
  switch (state) {
    case MasterLink::State::connect:
      return "connect";
    case MasterLink::State::connecting:
      return "connecting";
    case MasterLink::State::handshake:
      return "handshake";
    case MasterLink::State::sync:
      return "sync";
    case MasterLink::State::connected:
      break;
  }
  return "connected";
}

/// The connection becomes a replica's; the first line of the answer is the reply. What follows it (all data,
/// or the bytes of the stream) is for the program that drives the connection.
Reply start_psync(Call& call, const PsyncRequest& request) {
  const Replication& replication = *call.node().replication;
  for (const Replica& replica : replication.replicas) {
    if (replica.connection != call.from()) continue;
    call.outcome().silent = true;  // it is one already
    return Nil{};
  }
  const auto introduced = replication.introduced.find(call.from());
  const Introduction who = introduced == replication.introduced.end() ? Introduction{} : introduced->second;
  const auto answer = redis::psync(call.node(), call.from(), who, request);
  if (!answer) return no_master_link();
  if (const auto* const go_on = std::get_if<Continue>(&*answer)) return Status{"CONTINUE " + go_on->id};
  const auto& all = std::get<FullResync>(*answer);
  return Status{"FULLRESYNC " + all.id + ' ' + std::to_string(all.offset)};
}

/// What a replica wants of the file: nothing else than these; Nil, or what is wrong.
Reply check_filter(std::string_view wanted) {
  const auto parts = split_line(wanted);
  if (!parts) return Error{"ERR Missing rdb-filter-only values"};
  for (const std::string& part : *parts) {
    if (!is_option(part, "functions")) return Error{"ERR Unsupported rdb-filter-only option: " + shown(part)};
  }
  return Nil{};
}

enum class Answered : std::uint8_t { next, done, silently };

/// One option of REPLCONF with its value; sets the error if there is one.
Answered take_option(Call& call, std::string_view option, std::string_view value, Reply& reply) {
  const auto number = parse_integer(value);
  if (is_option(option, "listening-port")) {
    if (!number) {
      reply = errors::not_an_integer();
      return Answered::done;
    }
    call.node().replication.write().introduced[call.from()].port = *number;
  } else if (is_option(option, "ip-address")) {
    call.node().replication.write().introduced[call.from()].address = value;
  } else if (is_option(option, "ack")) {
    if (number) acknowledge(call.node(), call.from(), *number);
    return Answered::silently;
  } else if (is_option(option, "getack")) {
    return Answered::silently;  // only a master may ask, in its stream
  } else if (is_option(option, "rdb-only")) {
    if (number && (*number == 0 || *number == 1)) return Answered::next;
    reply = number ? Reply(Error{"ERR value is out of range, value must between 0 and 1"})
                   : errors::not_an_integer();
    return Answered::done;
  } else if (is_option(option, "rdb-filter-only")) {
    if (Reply problem = check_filter(value); !problem.is_nil()) {
      reply = std::move(problem);
      return Answered::done;
    }
  } else if (!is_option(option, "capa")) {
    reply = Error{"ERR Unrecognized REPLCONF option: " + shown(option)};
    return Answered::done;
  }
  return Answered::next;
}

}  // namespace

/// Negative numbers are satisfied at once, and so are those whose last 32 bits are one: of a client that
/// waits Redis keeps an int. In a transaction nobody waits. A time of 0 is no limit.
Reply wait(Call& call, Words words) {
  if (call.node().role == Role::replica) {
    return Error{
        "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica "
        "is configured to be writable (which is not the default) writes to replicas are just local and are "
        "not propagated."};
  }
  const auto wanted = parse_integer(words[1]);
  if (!wanted) return errors::not_an_integer();
  const auto timeout = parse_integer(words[2]);
  if (!timeout) return Error{"ERR timeout is not an integer or out of range"};
  if (*timeout < 0) return Error{"ERR timeout is negative"};
  const Session* const session = call.session();
  const std::int64_t offset = session ? session->last_offset : 0;
  const std::int64_t have = acknowledged(call.node(), offset);
  const auto kept = static_cast<std::int32_t>(*wanted);
  if (have >= kept || call.in_exec()) return have;
  call.outcome().waiting = Waiting{kept, offset, std::nullopt};
  if (*timeout > 0) call.outcome().waiting->at_most = Duration(*timeout);
  return have;
}

/// A node that does not count its stream does not know its peers: a master lists no replicas, and a replica's
/// master is named "master".
Reply role(Call& call, Words) {
  const Replication& replication = *call.node().replication;
  if (call.node().role == Role::master) {
    Reply::Array replicas;
    for (const Replica& replica : replication.replicas) {
      if (replica.state != Replica::State::online) continue;
      replicas.push_back(Reply::Array{bulk(replica.address), std::to_string(replica.port),
                                      std::to_string(replica.acknowledged)});
    }
    return Reply::Array{bulk("master"), replication.offset, replicas};
  }
  if (!replication.master)
    return Reply::Array{bulk("slave"), bulk("master"), count(6379), bulk("connected"), count(0)};
  const MasterLink& link = *replication.master;
  const bool connected = link.state == MasterLink::State::connected;
  return Reply::Array{bulk("slave"), bulk(link.host), link.port, bulk(state_word(link.state)),
                      connected ? replication.offset : std::int64_t{-1}};
}

Reply replicaof(Call& call, Words words) {
  std::vector<ConnectionId>& closed = call.outcome().closed;
  if (is_option(words[1], "no") && is_option(words[2], "one")) {
    const std::vector<ConnectionId> gone = become_master(call.node());
    closed.insert(closed.end(), gone.begin(), gone.end());
    return lua::ok();
  }
  constexpr std::int64_t port_max = 65'535;
  const auto port = parse_integer(words[2]);
  if (!port || *port < 0 || *port > port_max) return Error{"ERR Invalid master port"};
  if (replicate_from(call.node(), words[1], *port)) return lua::ok();
  return Status{"OK Already connected to specified master"};
}

Reply replconf(Call& call, Words words) {
  if (words.size() % 2 == 0) return errors::syntax();
  for (std::size_t i = 1; i < words.size(); i += 2) {
    Reply reply;
    const Answered answered = take_option(call, words[i], words[i + 1], reply);
    if (answered == Answered::done) return reply;
    if (answered == Answered::next) continue;
    call.outcome().silent = true;
    return Nil{};
  }
  return lua::ok();
}

Reply psync_from_client(Call& call, Words words) {
  if (words.size() < 3) return start_psync(call, {});
  const auto offset = parse_integer(words[2]);
  if (!offset) return errors::not_an_integer();
  return start_psync(call, {std::string(words[1]), *offset});
}

}  // namespace lockstep::redis::commands
