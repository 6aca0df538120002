// Votes: one for each epoch and master, for the one who asks first (sentinel.c, sentinelVoteLeader,
// sentinelGetLeader).
#include <algorithm>

#include "model/redis/sentinel/turn.h"

namespace lockstep::redis::sentinel {

const RunId& vote(Turn& turn, Master& master, Epoch epoch, const RunId& candidate) {
  Sentinel& self = turn.self;
  if (epoch > self.current_epoch) {
    self.current_epoch = epoch;
    tell(turn, "+new-epoch", std::to_string(epoch));
  }
  if (master.leader_epoch < epoch && self.current_epoch <= epoch) {
    master.leader = candidate;
    master.leader_epoch = self.current_epoch;
    tell(turn, "+vote-for-leader", candidate + " " + std::to_string(epoch));
    if (candidate != self.id) master.since_start = -turn.desync;  // leaves the other time to finish
  }
  return master.leader;
}

RunId leader_of(Turn& turn, Master& master, Epoch epoch) {
  std::map<RunId, std::size_t> votes;
  for (const auto& [id, peer] : master.peers) {
    if (!peer.leader.empty() && peer.leader_epoch == turn.self.current_epoch) ++votes[peer.leader];
  }
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto ahead = std::max_element(votes.begin(), votes.end(), fewer);
  const RunId favourite = ahead == votes.end() ? turn.self.id : ahead->first;
  const RunId& mine = vote(turn, master, epoch, favourite);
  if (!mine.empty() && master.leader_epoch == epoch) ++votes[mine];
  const auto winner = std::max_element(votes.begin(), votes.end(), fewer);
  if (winner == votes.end()) return {};
  const std::size_t majority = (master.peers.size() + 1) / 2 + 1;
  const bool won = winner->second >= majority && winner->second >= turn.watch(master).quorum;
  return won ? winner->first : RunId{};
}

}  // namespace lockstep::redis::sentinel
