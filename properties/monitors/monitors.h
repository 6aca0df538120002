// monitors.h: what watches a run and says which properties have been broken.
//
// A monitor is a small value that is copied and digested with the world. It sees each observation of a step
// in order, and then the facts after the step. A broken property stays broken; what a monitor remembered for
// it is forgotten then, so that states do not differ in what no longer matters. One file for each:
// mutual_exclusion.cpp, owner_only.cpp, reentrancy.cpp, lock_has_ttl.cpp, free_after_crash.cpp,
// granted_in_time.cpp, nothing_left_behind.cpp, all_or_nothing.cpp, writes_in_turn.cpp, tokens_grow.cpp,
// queue.cpp, told_once.cpp, answers.cpp, errors.cpp; on_request.h has the others. calls-return and no-zeno
// are about whole runs, and judged by the search (properties/check).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/beliefs.h"
#include "model/world/facts.h"
#include "properties/monitors/catalog.h"
#include "sim/base/boxed.h"

namespace lockstep::properties {

using model::Beliefs;
using model::Setup;
using model::ThreadId;
using sim::Duration;

/// Collects what one step broke and showed.
struct Findings {
  sim::PropertyMask broken = 0;
  sim::WitnessMask shown = 0;
  std::vector<std::pair<Property, std::string>>* why =
      nullptr;  // if given, a sentence for each broken property

  void breaks(Property property) { broken |= bit(property); }
  template <class Say>
  void breaks(Property property, Say say) {
    broken |= bit(property);
    if (why != nullptr) why->emplace_back(property, say());
  }
  void shows(Witness witness) { shown |= bit(witness); }
};

/// free-after-crash: locks that dead threads hold, and how long they still may.
struct FreeAfterCrash {
  using Holder = model::Claim;
  std::map<Holder, Duration> asked;       // the lease that a holder asked for last
  std::map<Holder, sim::Countdown> left;  // of the dead
  bool operator==(const FreeAfterCrash&) const = default;
  static auto fields(auto& m) { return std::tie(m.asked, m.left); }

  void see(const model::Observation& observation, const model::Facts& facts, Findings& findings);
  void check(const model::Facts& facts, Findings& findings);

  // Its parts: who holds what; what it makes of that; and that nothing will happen any more.
  struct Held {
    std::vector<model::Facts::Holding> holds;
    bool is_sure = false;  // else what is not held may come back
    bool operator==(const Held&) const = default;
  };
  static Held held(const model::Facts& facts);
  void note(const Held& held, const Setup& setup, Findings& findings);
  void stay(Findings& findings) const;

 private:
  void note(const model::Evaluated& seen, const model::Facts& facts);
  void pass(Duration passed, const Setup& setup, Findings& findings);
  void broken(const Holder& holder, const Setup& setup, Findings& findings) const;
};

/// granted-in-time: locks that are free while a thread waits, and how long they still may be.
struct GrantedInTime {
  std::map<std::string, sim::Countdown> left;  // by lock
  bool operator==(const GrantedInTime&) const = default;
  static auto fields(auto& m) { return std::tie(m.left); }

  void see(const model::Observation& observation, Findings& findings);
  void check(const model::Facts& facts, Findings& findings);

  // Its parts: locks that are free while somebody waits, each with an object of it; what it makes of them.
  using Wanted = std::map<std::string, std::uint16_t>;
  static Wanted wanted(const std::vector<model::Facts::Wait>& waits, const model::Facts& facts);
  void note(const Wanted& wanted, const Setup& setup, Findings& findings);
};

/// answers: how often each counted call was answered how.
struct Answers {
  std::vector<std::uint32_t> counts;  // by Setup::answers
  bool operator==(const Answers&) const = default;
  static auto fields(auto& m) { return std::tie(m.counts); }

  void see(const model::Observation& observation, const Setup& setup);
  void check(const model::Facts& facts, Findings& findings) const;
};

/// writes-in-turn: in which turn of a lock each holder is, each write that is under way was sent, and each
/// resource was written to last.
struct WritesInTurn {
  std::map<std::pair<std::string, ThreadId>, std::uint32_t> current;  // by lock and thread
  /// By thread and the number of the write: its turns, by lock.
  std::map<std::pair<ThreadId, std::uint32_t>, std::map<std::string, std::uint32_t>> on_way;
  std::map<std::pair<std::string, std::string>, std::uint32_t> latest;  // by resource and lock
  std::map<std::string, ThreadId> last_writer;                          // by resource
  bool operator==(const WritesInTurn&) const = default;
  static auto fields(auto& m) { return std::tie(m.current, m.on_way, m.latest, m.last_writer); }

  /// `beliefs` are those before the observation.
  void see(const model::Observation& observation, const Beliefs& beliefs, const Setup& setup,
           Findings& findings);

 private:
  template <class Visit>
  void each_turn(Visit visit);
  void begin(const std::string& lock, ThreadId thread);
  void send(const model::Invoked& seen, const Beliefs& beliefs);
  void arrive(const model::Written& seen, const Setup& setup, Findings& findings);
  void leave(const model::Yielded& seen, const Beliefs& beliefs);
  void forget();
};

/// tokens-grow: the tokens that each lock has given, and told somebody.
struct TokensGrow {
  struct Untold {  // granted, and its thread may still be told
    ThreadId thread;
    std::int64_t token = 0;
    std::optional<std::int64_t> before;  // the greatest that was told of earlier grants
    std::optional<std::int64_t> after;   // the least of later ones
    bool operator==(const Untold&) const = default;
    static auto fields(auto& u) { return std::tie(u.thread, u.token, u.before, u.after); }
  };
  struct Given {
    std::optional<std::int64_t> greatest;  // that was told
    std::vector<Untold> untold;            // in the order of their grants
    bool operator==(const Given&) const = default;
    static auto fields(auto& g) { return std::tie(g.greatest, g.untold); }
  };
  std::map<std::string, Given> locks;
  bool operator==(const TokensGrow&) const = default;
  static auto fields(auto& m) { return std::tie(m.locks); }

  void see(const model::Observation& observation, const model::Facts& facts, Findings& findings);

 private:
  void grant(const model::Evaluated& seen, const model::Facts& facts);
  void tell(const model::Gained& seen, const Setup& setup, Findings& findings);
  void forget(const model::Observation& observation, const Setup& setup);
};

/// Whether any of its locks promises tokens.
bool has_tokens(const Setup& setup);
/// Whether its programs write to anything; whether they take locks that are made of others.
bool has_resources(const Setup& setup);
bool has_locks_made_of_others(const Setup& setup);

/// bounded-overtaking: who came to the queue of a lock, in the order of arrival, and how many who came later
/// have got it since.
struct Overtaking {
  /// Somebody who waits, or whose place is stored although its call is over.
  struct Waiter {
    ThreadId thread;
    std::uint16_t incarnation = 0;  // of its process
    std::uint16_t client = 0;       // through which it takes the lock
    std::uint32_t overtaken = 0;
    bool placed = true;  // its place is stored
    bool lives = true;   // its call is not over, or was not when that was last asked
    bool operator==(const Waiter&) const = default;
    static auto fields(auto& w) {
      return std::tie(w.thread, w.incarnation, w.client, w.overtaken, w.placed, w.lives);
    }
  };
  std::map<std::string, std::vector<Waiter>> lines;  // by lock
  bool operator==(const Overtaking&) const = default;
  static auto fields(auto& m) { return std::tie(m.lines); }

  void see(const model::Observation& observation, const model::Facts& facts, Findings& findings);

 private:
  void evaluated(const model::Evaluated& seen, const model::Facts& facts, Findings& findings);
  void granted(const model::Evaluated& seen, const model::Facts& facts, Findings& findings);
  template <class IsOver>
  void end(const IsOver& is_over);
};

bool has_red_locks(const Setup& setup);

/// How often a thread holds a lock in truth; absent while nobody is in charge of it.
std::optional<std::int64_t> holds_in_truth(ThreadId thread, std::uint16_t object, const std::string& key,
                                           const model::Facts& facts);
/// How many members of a lock that is made of others a thread holds in truth; one whose server is down does
/// not count.
std::size_t members_held(ThreadId thread, const model::LockObject& whole, const model::Facts& facts);

/// Whether it has locks with a queue: no others are judged by the three properties of queues.
bool has_queues(const Setup& setup);
void see_queue(const model::Observation& observation, const model::Facts& facts, Findings& findings);

// The others remember nothing but the beliefs.
void check_mutual_exclusion(const Beliefs& beliefs, const Setup& setup, Findings& findings);
void see_owner_only(const model::Observation& observation, const model::Facts& facts, Findings& findings);
void see_reentrancy(const Beliefs& beliefs, const model::Observation& observation, const model::Facts& facts,
                    Findings& findings);
void check_lock_has_ttl(const model::Facts& facts, Findings& findings);
void check_nothing_left_behind(const Beliefs& beliefs, const model::Facts& facts, Findings& findings);
void see_all_or_nothing(const model::Observation& observation, const Beliefs& beliefs,
                        const model::Facts& facts, Findings& findings);
void see_told_once(const model::Observation& observation, const Setup& setup, Findings& findings);
void see_expectation(const model::Observation& observation, const Setup& setup, Findings& findings);
void see_errors(const model::Observation& observation, const Setup& setup, Findings& findings);

/// The bound of granted-in-time: the scenario's, or what its network and faults make reasonable, and in that
/// case how long locks of this object's kind may take to notice.
Duration grant_bound(const Setup& setup, std::uint16_t object);

/// The longest lease that a program of the scenario can ask for.
Duration longest_lease(const Setup& setup);

/// What is checked of the facts behind a step, one by one.
enum class FactCheck : std::uint8_t {
  lock_has_ttl,
  free_after_crash,
  granted_in_time,
  nothing_left_behind,
  on_request,
  answers
};
inline constexpr std::size_t fact_checks = 6;

struct OnRequestTag {
  static constexpr bool kind_is_fixed = true;
};

struct Monitors {
  sim::PropertyMask broken = 0;
  Beliefs beliefs;
  FreeAfterCrash free_after_crash;
  GrantedInTime granted_in_time;
  Answers answers;
  WritesInTurn writes_in_turn;
  Overtaking overtaking;
  TokensGrow tokens_grow;
  sim::Boxed<OnRequestTag> on_request;  // on_request.h; empty where none of those is watched

  bool operator==(const Monitors&) const = default;
  static auto fields(auto& m) {
    return std::tie(m.broken, m.beliefs, m.free_after_crash, m.granted_in_time, m.answers, m.writes_in_turn,
                    m.overtaking, m.tokens_grow, m.on_request);
  }

  /// Takes in one step. `watched` says which properties are looked at.
  void see(const std::vector<model::Observation>& seen, const model::Facts& facts, sim::PropertyMask watched,
           Findings& findings);

  // Its parts: the observations in their order; the facts behind the step; what is broken now.
  void watch(const std::vector<model::Observation>& seen, const model::Facts& facts,
             sim::PropertyMask watched, Findings& findings);
  void check(const model::Facts& facts, sim::PropertyMask watched, Findings& findings);
  void check(FactCheck which, const model::Facts& facts, sim::PropertyMask watched, Findings& findings);
  void settle(sim::PropertyMask watched, Findings& findings);
};
static_assert(sim::State<Monitors>);

Monitors initial_monitors(const Setup& setup, sim::PropertyMask watched);

/// The properties that are watched in a scenario: those that are asked for, or as usual all that are not on
/// request and those that it asks for itself.
sim::PropertyMask watched_in(const Setup& setup, sim::PropertyMask asked);

/// Whether the premise of the property can occur in the scenario at all: it has a lock, a resource or a
/// bound of the kind that the property is about.
bool concerns(Property property, const Setup& setup);

}  // namespace lockstep::properties
