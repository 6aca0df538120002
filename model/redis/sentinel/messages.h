// messages.h: what a Sentinel is told, and what it wants done.
//
// A Target names an instance from the view of one watched master: the master, a replica or another Sentinel.
// Connections are opened by the outside on `Connect`; what is sent behind it counts as sent, and a connection
// that cannot be opened is reported as `Disconnected`, later or never.
// Sources: Redis 7.0.15 sentinel.c.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/redis/sentinel/sentinel.h"
#include "model/wire.h"

namespace lockstep::redis::sentinel {

struct Target {
  std::string master;
  Address address;
  auto operator<=>(const Target&) const = default;
  static auto fields(auto& t) { return std::tie(t.master, t.address); }
};

/// What a Sentinel reads in INFO.
struct Facts {
  RunId run_id;
  Role role = Role::master;
  std::vector<Address> replicas;   // of a master: slave0:ip=…,port=…
  std::optional<Address> follows;  // of a replica, like all that follows
  bool link_up = false;
  Duration link_down_for{};
  unsigned priority = 100;
  std::uint64_t offset = 0;
  bool operator==(const Facts&) const = default;
  static auto fields(auto& f) {
    return std::tie(f.run_id, f.role, f.replicas, f.follows, f.link_up, f.link_down_for, f.priority,
                    f.offset);
  }
};

/// The facts in the text that INFO answers; lines that do not matter are passed over.
Facts facts_of(std::string_view text);

/// What Sentinels publish on __sentinel__:hello.
struct Hello {
  Address sender;
  RunId id;
  Epoch current_epoch = 0;
  std::string master;
  Address master_address;
  Epoch config_epoch = 0;
  bool operator==(const Hello&) const = default;
  static auto fields(auto& h) {
    return std::tie(h.sender, h.id, h.current_epoch, h.master, h.master_address, h.config_epoch);
  }
};

inline constexpr std::string_view hello_channel = "__sentinel__:hello";

std::string text_of(const Hello& hello);
std::optional<Hello> hello_of(std::string_view text);

// What a Sentinel is told.

/// Time passed by its wall clock; negative if that was set back.
struct Passed { Duration time{}; };
/// The timer fires; Redis does that 10 to 20 times a second. `desync` is a number of ms below 1000 that Redis
/// draws when a failover begins or a vote is given, so that Sentinels do not begin together.
struct Tick { Duration desync{}; };
struct Disconnected { Target from; };
enum class Pong : std::uint8_t { pong, loading, master_down, busy, other };
struct PingAnswer { Target from; Pong pong = Pong::pong; };
struct InfoAnswer { Target from; Facts facts; };
/// Our hello was published through that instance.
struct HelloTaken { Target from; };
/// A hello arrives, through any instance, from any Sentinel.
struct HelloHeard { Hello hello; };
/// SENTINEL IS-MASTER-DOWN-BY-ADDR, with the run id "*" if no vote is asked for.
struct Question {
  Address master;
  Epoch epoch = 0;
  RunId candidate;
};
struct Asked { RunId from; Question question; Duration desync{}; };
struct Answer {
  bool down = false;
  RunId leader;  // "*": none
  Epoch leader_epoch = 0;
};
struct Answered { std::string master; RunId from; Answer answer; };

using Input = std::variant<Passed, Tick, Disconnected, PingAnswer, InfoAnswer, HelloTaken, HelloHeard, Asked,
                           Answered>;

// What it wants done.

struct Connect { Target to; };  // and SUBSCRIBE __sentinel__:hello, unless it is a Sentinel
struct Close { Target to; };
struct SendPing { Target to; };
struct SendInfo { Target to; };
struct SendHello { Target to; Hello hello; };
struct SendScriptKill { Target to; };
struct SendQuestion { Target to; RunId peer; Question question; };
struct SendAnswer { RunId to; Answer answer; };
/// REPLICAOF, as the transaction that `transaction` spells out; no master: NO ONE.
struct SendReplicaOf { Target to; std::optional<Address> master; };
/// Published on the channel of that name, and logged.
struct Event { std::string channel, message; };

using Output = std::variant<Connect, Close, SendPing, SendInfo, SendHello, SendScriptKill, SendQuestion,
                            SendAnswer, SendReplicaOf, Event>;
using Outputs = std::vector<Output>;

/// MULTI, SLAVEOF, CONFIG REWRITE, CLIENT KILL of normal and of pub/sub clients, EXEC: a server that changes
/// its role changes its configuration with it and drops the clients that believe otherwise.
std::vector<model::Command> transaction(const SendReplicaOf& send);

/// What a Sentinel does about one input. Everything that happens is in the sentinel afterwards or in the
/// outputs, in this order.
Outputs step(Sentinel& sentinel, const Input& input, const Settings& settings);

}  // namespace lockstep::redis::sentinel
