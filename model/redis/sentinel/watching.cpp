// Links, and the commands that Sentinels send again and again (sentinel.c, sentinelReconnectInstance,
// sentinelSendPeriodicCommands, sentinelSendHello).
#include <algorithm>

#include "model/redis/sentinel/turn.h"

namespace lockstep::redis::sentinel {

Target target(const Master& master, const Instance& instance) { return {master.name, instance.address}; }

void send_ping(Turn& turn, const Target& to, Link& link) {
  turn.out.push_back(SendPing{to});
  link.since_ping = no_time;
  if (!link.since_unanswered) link.since_unanswered = no_time;
}

void keep_link(Turn& turn, const Master& master, Instance& instance) {
  Link& link = instance.link;
  if (link.connected || instance.address.port == 0) return;  // no port: known to be a wrong address
  if (link.since_attempt && *link.since_attempt < turn.settings.ping_period) return;
  link.since_attempt = no_time;
  link.connected = true;
  turn.out.push_back(Connect{target(master, instance)});
  send_ping(turn, target(master, instance), link);
}

void send_periodic(Turn& turn, const Master& master, Instance& instance, Duration info_period,
                   bool to_sentinel) {
  Link& link = instance.link;
  if (!link.connected) return;
  const Target to = target(master, instance);
  const Duration ping_period = std::min(turn.watch(master).down_after, turn.settings.ping_period);
  if (!to_sentinel && (!instance.since_info || *instance.since_info > info_period))
    turn.out.push_back(SendInfo{to});
  if (link.since_pong > ping_period && (!link.since_ping || *link.since_ping > ping_period / 2))
    send_ping(turn, to, link);
  if (instance.since_hello > turn.settings.hello_period) {
    turn.out.push_back(SendHello{to,
                                 {turn.self.address, turn.self.id, turn.self.current_epoch, master.name,
                                  current_master(master), master.config_epoch}});
  }
}

}  // namespace lockstep::redis::sentinel
