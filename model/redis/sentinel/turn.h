// turn.h: one step of a Sentinel while it is under way, for the files of this folder.
//
// The parts of a step in the order in which Redis takes them: links and periodic commands (watching.cpp), who
// is down (down.cpp), votes (election.cpp), the failover itself (failover.cpp). INFO is read in facts.cpp and
// hellos are in hello.cpp.
#pragma once

#include <string>
#include <string_view>

#include "model/redis/sentinel/messages.h"

namespace lockstep::redis::sentinel {

struct Turn {
  Sentinel& self;
  const Settings& settings;
  Outputs& out;
  Duration desync{};

  const Watch& watch(const Master& master) const { return settings.masters.at(master.name); }
  bool tilt() const { return self.since_tilt.has_value(); }
};

inline constexpr Duration no_time = Duration::zero();

/// Whether that was longer ago than `limit`; what never was is not.
inline bool older(const Age& age, Duration limit) { return age && *age > limit; }

// The "%@" of Redis's log: "master NAME IP PORT", "slave IP:PORT IP PORT @ NAME IP PORT".
std::string described(const Master& master);
std::string described(const Master& master, const Replica& replica);
std::string described(const Master& master, const Peer& peer);

void tell(Turn& turn, std::string_view channel, const std::string& message);

Target target(const Master& master, const Instance& instance);

/// Links and periodic commands of one instance.
void keep_link(Turn& turn, const Master& master, Instance& instance);
void send_periodic(Turn& turn, const Master& master, Instance& instance, Duration info_period,
                   bool to_sentinel);
void send_ping(Turn& turn, const Target& to, Link& link);

/// Returns whether the instance became or stopped being subjectively down.
bool judge_sdown(Turn& turn, const Master& master, Instance& instance, bool is_master);
void judge_odown(Turn& turn, Master& master);

enum class Asking : std::uint8_t { when_due, at_once };
void ask_others(Turn& turn, Master& master, Asking asking);
/// Returns whom this Sentinel votes for, or voted for before; the epoch of that vote is master.leader_epoch.
const RunId& vote(Turn& turn, Master& master, Epoch epoch, const RunId& candidate);
/// Who won the epoch as far as this Sentinel knows; empty: nobody yet.
RunId leader_of(Turn& turn, Master& master, Epoch epoch);

/// Returns whether a failover began.
bool start_failover_if_needed(Turn& turn, Master& master);
void go_on_with_failover(Turn& turn, Master& master);
/// The replica to promote, or nullptr.
Replica* select_replica(const Turn& turn, Master& master);

/// Watches the master at another address from now on; who was master becomes a replica.
void switch_master(Turn& turn, Master& master, const Address& address);

void read_facts(Turn& turn, Master& master, const InfoAnswer& answer);
void hear_hello(Turn& turn, const Hello& hello);

}  // namespace lockstep::redis::sentinel
