// Who is down: by one's own measure, and by that of a quorum (sentinel.c, sentinelCheckSubjectivelyDown,
// sentinelCheckObjectivelyDown, sentinelAskMasterStateToOtherSentinels).
#include "model/redis/sentinel/turn.h"

namespace lockstep::redis::sentinel {

namespace {

/// A link on which half of the time allowed is used up is renewed: perhaps the link itself is the trouble.
void renew_silent_link(Turn& turn, const Master& master, Instance& instance) {
  Link& link = instance.link;
  const Duration half_allowed = turn.watch(master).down_after / 2;
  if (!link.connected || !older(link.since_attempt, turn.settings.reconnect_after)) return;
  if (!older(link.since_unanswered, half_allowed) || link.since_pong <= half_allowed) return;
  link.connected = false;
  turn.out.push_back(Close{target(master, instance)});
}

Duration silence(const Link& link) {
  if (link.since_unanswered) return *link.since_unanswered;
  return link.connected ? no_time : link.since_available;
}

}  // namespace

bool judge_sdown(Turn& turn, const Master& master, Instance& instance, bool is_master) {
  const Duration down_after = turn.watch(master).down_after;
  const Duration silent = silence(instance.link);
  renew_silent_link(turn, master, instance);
  const bool other_role = is_master && instance.role_reported == Role::replica &&
                          instance.since_role > down_after + 2 * turn.settings.info_period;
  const bool down = silent > down_after || other_role;
  if (down == instance.sdown) return false;
  instance.sdown = down;
  if (down) instance.since_sdown = no_time;
  else instance.script_kill_sent = false;
  return true;
}

void judge_odown(Turn& turn, Master& master) {
  std::size_t agree = 1;
  for (const auto& [id, peer] : master.peers) agree += peer.says_down ? 1 : 0;
  const std::size_t quorum = turn.watch(master).quorum;
  const bool down = master.instance.sdown && agree >= quorum;
  if (down == master.odown) return;
  master.odown = down;
  if (down) {
    master.since_odown = no_time;
    tell(turn, "+odown",
         described(master) + " #quorum " + std::to_string(agree) + "/" + std::to_string(quorum));
  } else {
    tell(turn, "-odown", described(master));
  }
}

void ask_others(Turn& turn, Master& master, Asking asking) {
  for (auto& [id, peer] : master.peers) {
    if (peer.since_answer > turn.settings.answer_validity) {
      peer.says_down = false;
      peer.leader.clear();
    }
    if (!master.instance.sdown || !peer.instance.link.connected) continue;
    if (asking == Asking::when_due && peer.since_answer < turn.settings.ask_period) continue;
    const RunId candidate = master.failover == Failover::none ? "*" : turn.self.id;
    turn.out.push_back(SendQuestion{
        target(master, peer.instance), id, {master.instance.address, turn.self.current_epoch, candidate}});
  }
}

}  // namespace lockstep::redis::sentinel
