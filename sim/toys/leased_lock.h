// leased_lock.h: clients of one reentrant lock with a lease and a watchdog, by messages and ticks.
//
// The same abstraction as the Promela model in tools/bench/leased_lock.pml, move for move, so the search is
// held against SPIN: 5,929, 353,244 and 19,301,051 states for two, three and four clients (SPIN counts one
// more, of the process that starts the others). A client sends a command, the server carries it out, the
// client takes the answer; one that is refused subscribes, asks again, and waits for a message or for the
// time that it was told. Inside it takes the lock once more or gives it back. The watchdog renews after a
// third of the lease; an answer that comes for an earlier hold is of no account. One client may crash.
// Property 0: two are inside.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

struct LeasedClient {
  enum class At : std::uint8_t {
    outside,
    asking,
    answered,
    subscribing,
    subscribed,
    asking_again,
    answered_again,
    waiting,
    inside,
    releasing,
    released,
    dead
  };
  /// Of the watchdog's command; the last two are of a hold that has ended.
  enum class Renewal : std::uint8_t { none, sent, kept, refused, sent_late, answered_late };

  At at = At::outside;
  std::uint8_t holds = 0, answer = 0;
  Renewal renewal = Renewal::none;
  std::uint8_t wait_left = 0;
  std::uint8_t watchdog = 0;   // ticks until it is due, plus one; zero: off
  std::uint8_t under_way = 0;  // messages to it and from it
  bool listens = false, is_told = false, may_try = false;

  bool operator==(const LeasedClient&) const = default;
  static auto fields(auto& c) {
    return std::tie(c.at, c.holds, c.answer, c.renewal, c.wait_left, c.watchdog, c.under_way, c.listens,
                    c.is_told, c.may_try);
  }
};

struct LeasedLockState {
  std::vector<LeasedClient> clients;
  std::uint8_t owner = 0;  // its number, plus one
  std::uint8_t count = 0, left = 0, crashes = 1, inside = 0;
  bool operator==(const LeasedLockState&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.clients, s.owner, s.count, s.left, s.crashes, s.inside);
  }
};

enum class LeasedVerb { go_on, take_again, hear, send_renewal, serve_renewal, take_renewal, crash, tick };
inline constexpr Verb leased_verbs[] = {{"go-on", Nature::timeless},
                                        {"take-again", Nature::timeless},
                                        {"hear", Nature::timeless},
                                        {"send-renewal", Nature::timeless},
                                        {"serve-renewal", Nature::timeless},
                                        {"take-renewal", Nature::timeless},
                                        {"crash", Nature::fault},
                                        {"tick"}};

struct LeasedLock : SymmetricToy<LeasedLock, LeasedLockState, leased_verbs> {
  using At = LeasedClient::At;
  using Renewal = LeasedClient::Renewal;
  static constexpr std::uint8_t lease = 3, period = 1, holds_max = 2;
  std::size_t clients = 2;

  explicit LeasedLock(std::size_t count) : clients(count) {}

  State initial() const { return {.clients = std::vector<LeasedClient>(clients)}; }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    const auto offer = [&](bool may, std::size_t who, LeasedVerb verb) {
      if (may) moves.push_back(move(who, verb));
    };
    bool quiet = true;
    for (std::size_t i = 0; i < clients; ++i) {
      const LeasedClient& c = s.clients[i];
      const bool waits = c.at == At::waiting && !c.may_try && c.wait_left > 0;
      offer(c.at != At::dead && !waits, i, LeasedVerb::go_on);
      offer(c.at == At::inside && c.holds < holds_max, i, LeasedVerb::take_again);
      offer(c.is_told, i, LeasedVerb::hear);
      offer(c.watchdog == 1 && c.renewal == Renewal::none, i, LeasedVerb::send_renewal);
      const bool sent = c.renewal == Renewal::sent || c.renewal == Renewal::sent_late;
      offer(sent, i, LeasedVerb::serve_renewal);
      offer(!sent && c.renewal != Renewal::none, i, LeasedVerb::take_renewal);
      offer(s.crashes > 0 && c.at != At::dead, i, LeasedVerb::crash);
      quiet = quiet && c.under_way == 0 && c.watchdog != 1;
    }
    offer(quiet, clients, LeasedVerb::tick);
  }

  WitnessMask apply(State& s, const Move& m) const {
    if (static_cast<LeasedVerb>(m.verb) == LeasedVerb::tick) return tick(s), 0;
    LeasedClient& c = s.clients[m.who];
    const auto me = static_cast<std::uint8_t>(m.who + 1);
    switch (static_cast<LeasedVerb>(m.verb)) {
      case LeasedVerb::go_on: go_on(s, c, me); break;
      case LeasedVerb::take_again: c.at = At::asking, ++c.under_way; break;
      case LeasedVerb::hear: c.is_told = false, c.may_try = true, --c.under_way; break;
      case LeasedVerb::send_renewal: c.renewal = Renewal::sent, ++c.under_way; break;
      case LeasedVerb::serve_renewal: serve_renewal(s, c, me); break;
      case LeasedVerb::take_renewal:
        if (c.renewal != Renewal::answered_late && c.watchdog > 0)
          c.watchdog = c.renewal == Renewal::kept ? period + 1 : 0;
        c.renewal = Renewal::none;
        --c.under_way;
        break;
      case LeasedVerb::crash: crash(s, c, me); break;
      case LeasedVerb::tick: break;
    }
    return 0;
  }

  PropertyMask violated(const State& s) const { return s.inside > 1 ? 1 : 0; }

  ActorClasses classes() const { return {{class_of(clients)}, {}}; }
  Digest signature(const State& s, std::size_t client) const {
    return digest_of(std::pair{s.clients[client], s.owner == client + 1});
  }
  static State permuted(const State& s, Permutation p) {
    State renamed = s;
    for (std::size_t i = 0; i < s.clients.size(); ++i) renamed.clients[p.outer[i]] = s.clients[i];
    if (s.owner > 0) renamed.owner = static_cast<std::uint8_t>(p.outer[s.owner - 1] + 1);
    return renamed;
  }

 private:
  static std::uint8_t acquire(State& s, std::uint8_t me) {
    if (s.owner != 0 && s.owner != me) return s.left;
    s.owner = me;
    ++s.count;
    s.left = lease;
    return 0;
  }

  static std::uint8_t release(State& s, std::uint8_t me) {
    if (s.owner != me) return 0;
    if (--s.count > 0) return s.left = lease, std::uint8_t{1};
    s.owner = s.left = 0;
    for (LeasedClient& one : s.clients)
      if (one.listens && !one.is_told) one.is_told = true, ++one.under_way;
    return 2;
  }

  static void enter(State& s, LeasedClient& c) {
    if (c.holds == 0) ++s.inside, c.watchdog = period + 1;
    ++c.holds;
    c.answer = 0;
    c.at = At::inside;
  }

  static void go_on(State& s, LeasedClient& c, std::uint8_t me) {
    switch (c.at) {
      case At::outside: c.at = At::asking, ++c.under_way; break;
      case At::asking: c.answer = acquire(s, me), c.at = At::answered; break;
      case At::answered:
        if (c.answer > 0) c.answer = 0, c.at = At::subscribing;
        else --c.under_way, enter(s, c);
        break;
      case At::subscribing: c.listens = true, c.at = At::subscribed; break;
      case At::subscribed: c.at = At::asking_again; break;
      case At::asking_again: c.answer = acquire(s, me), c.at = At::answered_again; break;
      case At::answered_again: take_answer(s, c); break;
      case At::waiting:
        c.may_try = false, c.wait_left = 0;
        c.at = At::asking_again, ++c.under_way;
        break;
      case At::inside:
        c.at = At::releasing, ++c.under_way;
        if (c.holds == 1) --s.inside;
        break;
      case At::releasing: c.answer = release(s, me), c.at = At::released; break;
      case At::released: leave(s, c); break;
      case At::dead: break;
    }
  }

  static void take_answer(State& s, LeasedClient& c) {
    --c.under_way;
    if (c.answer > 0) {
      c.wait_left = std::exchange(c.answer, 0);
      c.at = At::waiting;
      return;
    }
    if (c.is_told) --c.under_way;
    c.listens = c.is_told = c.may_try = false;
    enter(s, c);
  }

  /// Nothing of it was held: then what it believed to hold is gone.
  static void leave(State& s, LeasedClient& c) {
    --c.under_way;
    if (c.answer == 0 && c.holds > 1) --s.inside;
    c.holds = c.answer == 0 ? 0 : static_cast<std::uint8_t>(c.holds - 1);
    c.answer = 0;
    c.at = c.holds > 0 ? At::inside : At::outside;
    if (c.holds > 0) return;
    c.watchdog = 0;
    if (c.renewal == Renewal::sent) c.renewal = Renewal::sent_late;
    else if (c.renewal == Renewal::kept || c.renewal == Renewal::refused) c.renewal = Renewal::answered_late;
  }

  static void serve_renewal(State& s, LeasedClient& c, std::uint8_t me) {
    const bool late = c.renewal == Renewal::sent_late, its = s.owner == me;
    if (its) s.left = lease;
    c.renewal = late ? Renewal::answered_late : its ? Renewal::kept : Renewal::refused;
    if (c.at == At::dead) c.renewal = Renewal::none, c.under_way = 0;
  }

  /// An acquire that was sent still arrives; what else it has sent, but for a renewal, is dropped.
  static void crash(State& s, LeasedClient& c, std::uint8_t me) {
    --s.crashes;
    const bool given_back = c.holds == 1 && (c.at == At::releasing || c.at == At::released);
    if (c.holds > 0 && !given_back) --s.inside;
    if (c.at == At::asking || c.at == At::asking_again) acquire(s, me);
    const bool sent = c.renewal == Renewal::sent || c.renewal == Renewal::sent_late;
    c = {.at = At::dead,
         .renewal = sent ? c.renewal : Renewal::none,
         .under_way = static_cast<std::uint8_t>(sent ? 1 : 0)};
  }

  static void tick(State& s) {
    if (s.left > 0 && --s.left == 0) s.owner = s.count = 0;
    for (LeasedClient& c : s.clients) {
      if (c.watchdog > 1) --c.watchdog;
      if (c.wait_left > 0) --c.wait_left;
    }
  }
};
static_assert(System<LeasedLock> && SymmetricSystem<LeasedLock>);

}  // namespace lockstep::sim::toys
