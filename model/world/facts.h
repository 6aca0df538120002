// facts.h: what an omniscient outsider sees of a world between two steps.
//
// "Truth" is the current master of the lock's group: the node that was made master last, while it is up. A
// key that is dead by that node's clock is not there. Facts are computed when asked for and hold nothing.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/observation.h"
#include "model/world/world.h"

namespace lockstep::model {

/// Who holds the lock of a request in truth, if the node that serves it is taken for the master of its group.
std::optional<Truth> truth_served_by(const World& world, const Setup& setup, NodeId node,
                                     const Purpose& purpose);

/// All locks that are stored on a node, as truth_served_by sees them.
struct StoredLock {
  std::uint16_t object = 0;
  std::string key;
  Truth truth;
};
std::vector<StoredLock> locks_served_by(const World& world, const Setup& setup, NodeId node);

class Facts {
 public:
  Facts(const World& world, const Setup& setup) : world_(world), setup_(setup) {}

  const Setup& setup() const { return setup_; }
  /// Of a group; absent while it is down.
  std::optional<NodeId> master(GroupId group = {}) const;
  bool all_masters_up() const;
  /// Who holds the lock with this key of an object; absent while nobody is in charge.
  std::optional<Truth> truth(std::uint16_t object, const std::string& lock) const;
  bool held_by(std::uint16_t object, const std::string& lock, ThreadId thread) const;

  /// A lock that promises to expire and is stored without a time to live, on any node that is up: its key.
  std::optional<std::string> lock_without_ttl() const;

  /// Who holds what on the servers in charge, of every lock of the scenario; fresh keys count. Not what has
  /// lapsed: that is gone with the hold that keeps it.
  struct Holding {
    std::string lock;  // as observations call it
    ThreadId thread;
    Mode mode = Mode::exclusive;
    bool dead = false;  // of a process that crashed, even if it was started again
    bool operator==(const Holding&) const = default;
  };
  std::vector<Holding> all_holds() const;

  /// Of every lock of which anything is stored where somebody is in charge; fresh keys count.
  struct Held {
    std::string lock;  // as observations call it
    std::string key;
    GroupId group;
    Truth truth;
  };
  std::vector<Held> truths() const;
  /// The thread that stores, or stored, this name for itself; else the name.
  std::string who(const std::string& holder) const;
  bool is_a_thread(const std::string& holder) const { return thread_of(holder).has_value(); }

  struct Wait {
    ThreadId thread;
    std::uint16_t object = 0;
    std::string key;
    std::string lock;  // as observations call it
    /// The same for each of several that it wants at once.
    std::vector<std::string> locks(const Setup& setup) const;
    bool operator==(const Wait&) const = default;
  };
  /// Of running processes that can reach the master: threads inside a call which waits for a lock, and those
  /// for which a future does.
  std::vector<Wait> live_waiters() const;
  /// One of those for each lock that threads of this process wait for: a thousand may.
  std::vector<Wait> waited_for(ProcessId process) const;

  /// The same of all processes that are not dead, whether anything of it can take a step or not.
  std::vector<Wait> waiters() const;
  /// What the process awaits the answers to, through all its clients.
  std::vector<Purpose> awaited(ProcessId process) const;
  /// The call that made this request has no answer yet, so this copy of it may be what it is answered by.
  bool still_asks(const Purpose& purpose) const;
  /// Other calls of the thread for the same hold that have not returned to it: acquires, those of them that a
  /// server has granted, and releases whose request may not have been served.
  struct Unreturned {
    std::int64_t acquires = 0, granted = 0, releases = 0;
  };
  Unreturned unreturned_beside(const Purpose& purpose) const;
  /// Nothing of its links to the nodes of the group is cut.
  bool links_whole(ProcessId process, GroupId group) const;
  /// A message that is published on the node now is sent to the process, if of the channels that it has
  /// subscribed to; to nobody who has subscribed to none.
  bool hears(ProcessId process, NodeId node) const;
  /// A message of a channel is on its way to the process.
  bool message_under_way(ProcessId process) const;
  /// The lease of the call that the thread is in, the outermost: its own, or the watchdog's.
  Duration lease_of_call(ThreadId thread) const;

  /// A thread of a living process calls itself so now, and a call of it waits for the lock.
  bool waits_as(const std::string& holder, const std::string& lock) const;
  /// A call of it waits for some lock.
  bool waits(ThreadId thread) const;
  /// What time it is by the clock of a process, in ms since 1970.
  std::int64_t clock_of(ProcessId process) const;

  bool process_dead(ProcessId process) const;
  /// How often the process of the thread was started again.
  std::uint16_t incarnation(ThreadId thread) const;
  /// The process that sent this request has died since, even if it was started again.
  bool sender_dead(const Purpose& purpose) const;
  bool process_paused(ProcessId process) const;
  /// The process would send to the current masters.
  bool knows_master(ProcessId process) const;
  bool has_ended(ThreadId thread) const;
  bool all_threads_ended() const;
  /// No message is under way and no request unanswered.
  bool silent() const;
  bool silent(ProcessId process) const;
  /// Every program has ended, and nothing will happen by itself any more.
  bool at_rest() const;
  /// Nothing will happen by itself any more, not even that time passes, whatever threads may still wait for.
  bool stuck() const;

  /// What each thread that has not ended waits for, for people: "A1 waits for b, which B1 holds; …".
  std::string unended() const;

  /// Something that outlives its use, for "nothing left behind": a sentence, or nothing.
  /// What concerns one of the locks that are `kept` is excused.
  using Kept = std::set<std::string>;
  std::optional<std::string> renewal_without_holder(const Kept& kept) const;
  std::optional<std::string> left_for_good(const Kept& kept) const;  // a key without a TTL
  std::optional<std::string> left_behind(const Kept& kept) const;    // at rest

 private:
  std::string what_it_does(ThreadId id) const;
  /// Calls visit(wait) for each lock that a thread waits for; `in_force`: that it can wait for now.
  template <class Visit>
  void for_each_wait(ThreadId thread, bool in_force, Visit visit) const;
  bool is_kept(const std::string& key, GroupId group, const Kept& kept) const;
  bool is_excused(const std::string& key, NodeId node, const Kept& kept) const;
  struct Known {
    ThreadId thread;
    bool dead = false;
  };
  /// The thread that stores, or stored, this name for itself.
  std::optional<Known> thread_of(const std::string& holder) const;

  const World& world_;
  const Setup& setup_;
};

}  // namespace lockstep::model
