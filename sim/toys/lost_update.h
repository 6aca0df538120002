// lost_update.h: clients that add one to a number by reading it and writing it back.
//
// Property 0: when all have written, the number is how many they are. It is violated as soon as two reads
// come before either write. Witness 0: one client wrote between the read and the write of another.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

enum class Updating : std::uint8_t { to_read, to_write, done };

struct Updater {
  Updating at = Updating::to_read;
  int read = 0;
  auto operator<=>(const Updater&) const = default;
  static auto fields(auto& u) { return std::tie(u.at, u.read); }
};

struct LostUpdateState {
  int number = 0;
  std::vector<Updater> clients;
  bool operator==(const LostUpdateState&) const = default;
  static auto fields(auto& s) { return std::tie(s.number, s.clients); }
};

enum class UpdateVerb { read, write };
inline constexpr Verb update_verbs[] = {{"read"}, {"write"}};

struct LostUpdate : SymmetricToy<LostUpdate, LostUpdateState, update_verbs> {
  std::size_t clients = 2;

  explicit LostUpdate(std::size_t count) : clients(count) {}

  State initial() const { return {0, std::vector<Updater>(clients)}; }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    for (std::size_t i = 0; i < clients; ++i) {
      if (s.clients[i].at == Updating::to_read) moves.push_back(move(i, UpdateVerb::read));
      if (s.clients[i].at == Updating::to_write) moves.push_back(move(i, UpdateVerb::write));
    }
    // The client that is furthest goes on first, so that in the default schedule they take turns.
    std::stable_sort(moves.begin(), moves.end(),
                     [](const Move& a, const Move& b) { return a.verb > b.verb; });
  }

  WitnessMask apply(State& s, const Move& m) const {
    Updater& client = s.clients[m.who];
    if (client.at == Updating::to_read) {
      client = {Updating::to_write, s.number};
      return 0;
    }
    const bool is_stale = client.read != s.number;
    s.number = client.read + 1;
    client = {Updating::done, 0};  // what it read does not matter any more
    return is_stale ? 1 : 0;
  }

  PropertyMask violated(const State& s) const {
    for (const Updater& client : s.clients) {
      if (client.at != Updating::done) return 0;
    }
    return s.number == static_cast<int>(clients) ? 0 : 1;
  }

  // Clients are interchangeable, and no client's number occurs in the state, so a client's own part is its
  // signature.
  ActorClasses classes() const { return {{class_of(clients)}, {}}; }
  Digest signature(const State& s, std::size_t client) const { return digest_of(s.clients[client]); }
  static State permuted(const State& s, Permutation p) {
    State renamed = s;
    for (std::size_t i = 0; i < s.clients.size(); ++i) renamed.clients[p.outer[i]] = s.clients[i];
    return renamed;
  }
};
static_assert(System<LostUpdate>);

}  // namespace lockstep::sim::toys
