// witness.h: the occurrences that show a check was not empty.
//
// A property whose premise never occurred is vacuous: that nobody broke it says nothing. Each property names
// the witness of its premise (catalog.h), and a scenario may demand others under `sometimes`. A witness is
// one bit of the mask that each step returns.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/system.h"

namespace lockstep::properties {

enum class Witness : std::uint8_t {
  lock_held,               // some thread believed to hold a lock
  contention,              // an acquire was refused
  parked,                  // a thread waited on the latch
  woken_by_message,        // and went on because of an unlock message
  woken_by_timer,          // or because it had waited long enough
  reentry,                 // a thread acquired what it held already
  released,                // a last unlock freed the lock
  unlock_by_stranger,      // an unlock script ran while another held the lock
  not_the_owner,           // unlock threw IllegalMonitorStateException
  refused_in_time,         // trylock returned false
  expectation_checked,     // an `expect` step was reached
  renewed,                 // the watchdog extended a lease
  renewal_refused,         // the watchdog found nothing to renew
  expired,                 // a key died of its TTL
  expired_while_believed,  // while a thread believed to hold it
  free_with_waiter,        // a lock was free while a thread waited for it
  process_crashed,
  crashed_while_holding,
  process_paused,
  node_crashed,
  failover,
  writes_lost,  // the promoted node had not seen all writes
  demoted,      // an old master became a replica
  message_lost,
  resent,  // a request was sent again after its time-out
  interrupted,
  at_rest,      // every program ended, nobody holds anything, nothing is under way
  all_answered,  // every program ended
  answered,      // a server answered a request of a lock client
  written_by_another,  // a resource took a write of another thread than the last one
  shared,              // two threads believed at once that they hold one lock, both of them as readers do
  gathered,               // a thread was given a lock that is made of others
  queued,                 // a thread had a place in the queue of a lock
  granted_before_others,  // a thread got a lock while others waited in its queue
  another_token,          // a lock that had given a token gave another
  stale_write_refused,    // a resource refused a write for its token
  // Faults, besides those above.
  process_restarted,
  message_held,
  link_cut,
  node_restarted,
  replica_lagged,
  clock_jumped,
  node_paused,
  thread_stalled,
  connection_broken,
  replica_cut,
  evicted,
  scripts_flushed,
  saved,
  power_lost,
  node_isolated,
  votes_split,
  slots_moved
};

inline constexpr std::array<std::string_view, 53> witness_names{
    "lock-held", "contention", "parked", "woken-by-message", "woken-by-timer", "reentry", "released",
    "unlock-by-stranger", "not-the-owner", "refused-in-time", "expectation-checked", "renewed",
    "renewal-refused", "expired", "expiry-while-working", "free-with-waiter", "process-crashed",
    "crashed-while-holding", "process-paused", "node-crashed", "failover", "writes-lost", "demoted",
    "message-lost", "resent", "interrupted", "at-rest", "all-answered", "answered", "written-by-another",
    "shared", "gathered", "queued", "granted-before-others", "another-token", "stale-write-refused",
    "process-restarted", "message-held", "link-cut",
    "node-restarted", "replica-lagged", "clock-jumped", "node-paused", "thread-stalled", "connection-broken",
    "replica-cut", "evicted", "scripts-flushed", "saved", "power-lost",
    "node-isolated", "votes-split", "slots-moved"};

/// That a fault which the scenario fixes found what it was to befall, has a bit from the top, as far as
/// there is room beside what scenarios bring along (all_properties.h).
inline constexpr std::size_t fixed_faults_seen_max = 60 - witness_names.size();
inline sim::WitnessMask fixed_fault_bit(std::size_t number) {
  return number < fixed_faults_seen_max ? sim::WitnessMask{1} << (63 - number) : 0;
}

constexpr sim::WitnessMask bit(Witness witness) {
  return sim::WitnessMask{1} << static_cast<unsigned>(witness);
}
constexpr std::string_view name_of(Witness witness) {
  return witness_names[static_cast<std::size_t>(witness)];
}

constexpr std::optional<Witness> find_witness(std::string_view name) {
  for (std::size_t i = 0; i < witness_names.size(); ++i)
    if (witness_names[i] == name) return static_cast<Witness>(i);
  return std::nullopt;
}
static_assert(name_of(Witness::slots_moved) == "slots-moved");

/// That a fault has occurred, by its key (model/world/faults/table.h); each that the program knows has one.
constexpr std::optional<Witness> witness_of_fault(std::string_view key) {
  using Row = std::pair<std::string_view, Witness>;
  constexpr std::array rows{
      Row{"pause-process", Witness::process_paused},
      Row{"crash-process", Witness::process_crashed},
      Row{"restart-process", Witness::process_restarted},
      Row{"delay-message", Witness::message_held},
      Row{"lose-message", Witness::message_lost},
      Row{"cut-link", Witness::link_cut},
      Row{"crash-node", Witness::node_crashed},
      Row{"restart-node", Witness::node_restarted},
      Row{"failover", Witness::failover},
      Row{"replica-lag", Witness::replica_lagged},
      Row{"clock-jump", Witness::clock_jumped},
      Row{"interrupt-thread", Witness::interrupted},
      Row{"pause-node", Witness::node_paused},
      Row{"stall-thread", Witness::thread_stalled},
      Row{"break-connection", Witness::connection_broken},
      Row{"cut-replica", Witness::replica_cut},
      Row{"evict-key", Witness::evicted},
      Row{"flush-scripts", Witness::scripts_flushed},
      Row{"save", Witness::saved},
      Row{"power-loss", Witness::power_lost},
      Row{"isolate-node", Witness::node_isolated},
      Row{"split-votes", Witness::votes_split},
      Row{"move-slots", Witness::slots_moved},
  };
  for (const auto& [fault, witness] : rows)
    if (fault == key) return witness;
  return std::nullopt;
}

}  // namespace lockstep::properties
