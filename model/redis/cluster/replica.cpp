// A replica stands for election; masters vote (cluster.c, clusterHandleSlaveFailover, clusterGetSlaveRank,
// clusterSendFailoverAuthIfNeeded, clusterFailoverReplaceYourMaster).
#include <algorithm>

#include "model/redis/cluster/turn.h"

namespace lockstep::redis::cluster {

namespace {

/// How many other replicas of the same master have more data.
std::size_t rank_of_me(const Map& map) {
  std::size_t rank = 0;
  for (const NodeName& name : replicas_of(map, map.me().master)) {
    const Member& other = map.members.at(name);
    rank += name != map.myself && !other.no_failover && other.offset > map.me().offset ? 1 : 0;
  }
  return rank;
}

/// Whether the data is fresh enough to replace a master's. Redis counts its age in whole seconds.
bool data_is_valid(const Turn& turn) {
  const Settings& settings = turn.settings;
  if (settings.validity_factor == 0) return true;
  if (!turn.self.since_master_heard) return false;
  Duration age = std::chrono::floor<std::chrono::seconds>(*turn.self.since_master_heard);
  if (age > settings.node_timeout) age -= settings.node_timeout;
  return age <= settings.replica_ping + settings.validity_factor * settings.node_timeout;
}

void plan(Turn& turn, Duration jitter) {
  const Map& map = turn.map();
  Election election;
  election.rank = rank_of_me(map);
  const Duration behind = static_cast<std::int64_t>(election.rank) * turn.settings.rank_delay;
  election.since_due = -(turn.settings.election_delay + jitter + behind);
  election.epoch = turn.self.election.epoch;
  turn.self.election = election;
  for (const NodeName& other : replicas_of(map, map.me().master)) {  // so that they know our offset
    if (other == map.myself) continue;
    Message message = message_of(turn);
    message.body = Notice{gossip_of(turn, other)};
    send(turn, other, std::move(message));
  }
}

void ask_for_votes(Turn& turn) {
  Map& map = turn.map();
  Election& election = turn.self.election;
  election.epoch = ++map.current_epoch;
  election.asked = true;
  turn.out.push_back(Asking{election.epoch});
  for (const auto& [name, member] : map.members) {
    if (name == map.myself) continue;
    Message message = message_of(turn);
    message.body = VoteRequest{};
    send(turn, name, std::move(message));
  }
}

void replace_master(Turn& turn) {
  Map& map = turn.map();
  const NodeName old = map.me().master;
  become_master(map.me());
  map.me().config_epoch = std::max(map.me().config_epoch, turn.self.election.epoch);
  assign(map, map.myself, map.members.at(old).slots);
  turn.out.push_back(Promoted{map.me().config_epoch});
  turn.self.election = {};
  turn.self.master_link = false;
  turn.self.since_master_heard.reset();
  update_state(turn);
  send_notice_to_all(turn);
}

bool may_stand(const Turn& turn) {
  const Member& me = turn.me();
  if (is_master(me) || me.no_failover) return false;
  const Member* const master = find(turn.map(), me.master);
  return master && master->health == Health::fail && !master->slots.empty() && data_is_valid(turn);
}

}  // namespace

void stand_for_election(Turn& turn, std::optional<Duration> jitter) {
  if (!may_stand(turn)) return;
  Election& election = turn.self.election;
  const Duration timeout = std::max(2 * turn.settings.node_timeout, turn.settings.vote_timeout_min);
  if (!election.since_due || *election.since_due > 2 * timeout) {
    if (jitter) plan(turn, *jitter);  // a vote that comes too late plans nothing: the timer does
    return;
  }
  if (!election.asked) {
    const std::size_t rank = rank_of_me(turn.map());
    if (rank > election.rank) {
      *election.since_due -= static_cast<std::int64_t>(rank - election.rank) * turn.settings.rank_delay;
      election.rank = rank;
    }
  }
  if (*election.since_due < Duration::zero() || *election.since_due > timeout) return;
  if (!election.asked) ask_for_votes(turn);
  else if (election.votes >= majority(turn.map())) replace_master(turn);
}

void vote_if_right(Turn& turn, const Message& request) {
  Bus& self = turn.self;
  Map& map = self.map;
  if (!is_voter(map.me())) return;
  if (request.current_epoch < map.current_epoch || self.last_vote == map.current_epoch) return;
  const Member& candidate = map.members.at(request.sender);
  const Member* const master = find(map, candidate.master);
  if (is_master(candidate) || !master || master->health != Health::fail) return;
  const auto before = self.since_vote.find(candidate.master);
  if (before != self.since_vote.end() && before->second < 2 * turn.settings.node_timeout) return;
  for (const auto& [name, member] : map.members) {
    if (member.config_epoch > request.config_epoch && member.slots.meets(request.slots)) return;
  }
  self.since_vote[candidate.master] = Duration::zero();
  self.last_vote = map.current_epoch;
  turn.out.push_back(Voted{request.sender, map.current_epoch});
  Message message = message_of(turn);
  message.body = Vote{};
  send(turn, request.sender, std::move(message));
}

}  // namespace lockstep::redis::cluster
