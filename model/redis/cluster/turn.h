// turn.h: one step of a node on the bus while it is under way, for the files of this folder.
//
// cron.cpp watches the others, hearing.cpp takes messages in, failing.cpp judges who is down and whether the
// cluster serves, claims.cpp settles who owns which slots, replica.cpp stands for election and votes.
#pragma once

#include "model/redis/cluster/bus.h"

namespace lockstep::redis::cluster {

struct Turn {
  Bus& self;
  const Settings& settings;
  Outputs& out;
  bool state_is_due = false;  // clusterUpdateState is to be done at the end of the step

  Map& map() const { return self.map; }
  Member& me() const { return self.map.me(); }
};

inline bool is_master(const Member& member) { return member.kind == Kind::master; }
inline bool is_voter(const Member& member) { return is_master(member) && !member.slots.empty(); }

/// A message that says what this node is.
Message message_of(const Turn& turn);
Gossip gossip_of(const Turn& turn, const NodeName& to);

/// Sent if there is a connection, even one that is not open yet.
void send(Turn& turn, const NodeName& to, Message message);
void send_ping(Turn& turn, const NodeName& to);
void send_notice_to_all(Turn& turn);

void cron(Turn& turn, const Cron& now);
void hear(Turn& turn, const Message& message);

/// Marks the suspect as failed if a majority of the masters suspects it.
void mark_if_agreed(Turn& turn, const NodeName& name);
void set_failing(Turn& turn, const NodeName& name);
void clear_failing_if_due(Turn& turn, const NodeName& name);
void update_state(Turn& turn);

void become_master(Member& member);
void follow(Turn& turn, const NodeName& master);
/// The sender owns these slots in its epoch: believes it where the epoch known here is lower.
void settle_claims(Turn& turn, const NodeName& owner, Epoch epoch, const SlotSet& claimed);

void stand_for_election(Turn& turn, std::optional<Duration> jitter);
void vote_if_right(Turn& turn, const Message& request);

}  // namespace lockstep::redis::cluster
