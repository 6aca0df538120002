// renamed.h: remembered states with actors called by other names.
//
// What lies in each slot is renamed by itself, put in order, and remembered by its digest. Mostly few actors
// are named in it: ways to call all actors that call these alike have one digest, and where these keep their
// own names, it is there already. A process that knows nobody but itself is renamed once, to the first of its
// class: its digest by any name follows from that one and the name. Who is called what has a number, and so
// has what must be known to tell by which names a state is to be called (symmetry.h).
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "properties/check/by_numbers.h"
#include "properties/check/recollection.h"
#include "sim/search/seen_set.h"
#include "sim/search/symmetry.h"

namespace lockstep::properties {

class Renamed {
 public:
  /// Both must outlive it.
  Renamed(const Checked& checked, Recollection& known);

  /// Of the state in which each actor is called what the permutation says, but for `now`.
  sim::Digest digest(const sim::Row& row, sim::Permutation permutation) {
    return digest(row, number_of(permutation));
  }
  sim::Digest digest(const sim::Row& row, std::uint32_t permutation);

  /// By which names to call a state that is in its normal form; absent if there are too many ways.
  const std::vector<std::uint32_t>* orders(const sim::Row& row, sim::Ranking& ranking);

  /// The functions of `known` have no numbers any more.
  void forget();
  std::uint64_t bytes() const {
    return bytes_ + of_two_.bytes() + orders_of_few_.bytes() + orders_known_.bytes() +
           orders_.size() * sizeof(orders_[0]);
  }

 private:
  using Function = Recollection::Function;
  using NodeId = model::NodeId;
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};

  /// Who is named in what lies in a slot, and the ways to call all of which its digest was learned.
  struct Content {
    enum class Whom : std::uint8_t { unknown, itself, others };
    sim::Named named;
    bool are_known = false;  // those that are named
    Whom whom = Whom::unknown;  // of a process: whom it knows at most
    sim::Digest as_first;       // of one that knows itself at most: when it is called the first of its class
    std::vector<std::uint32_t> learned;
  };
  /// What lies in one slot, by its number: its digest when it is called so.
  struct Place {
    std::vector<sim::Digest> digests;
    bool alone = true;  // nothing else was ever read
  };
  /// Who is called what, and the first of the functions that call the components so, one for each slot.
  struct Called {
    sim::Order order;
    sim::Names names;
    std::size_t of_nodes = 0;  // in `nodes_`
    Function first = 0;
    std::vector<Place> places;
    bool alone = true;    // all of them
    bool is_own = false;  // everybody has the own name
    sim::Row row;       // that was called so last, if they are alone
    sim::Digest sum;    // of that
  };

  /// An outer actor that is ranked, where it lies, and what else its signature mostly follows from.
  struct Ranked {
    std::size_t actor, slot, beside;
  };

  std::vector<Ranked> ranked_in(const sim::ActorClasses& classes) const;
  static std::vector<std::size_t> firsts_of(const Setup& setup, const sim::ActorClasses& classes);
  std::size_t number_of_nodes(const std::vector<NodeId>& nodes);
  std::uint32_t number_of(sim::Permutation permutation);
  sim::Digest digest_anew(const sim::Row& row, Called& so);
  sim::Digest learn(const sim::Row& row, Called& called, std::size_t slot);
  bool is_process(std::size_t slot) const {
    return slot >= known_.stage().process(0) && slot < known_.stage().other();
  }
  /// What a state is called by its own names is what it is.
  bool is_in_order() const { return !checked_.rebases(); }
  void learn_whom(const sim::Row& row, std::size_t process, Content& content);
  sim::Digest learn_as_first(const sim::Row& row, std::size_t process, Content& content,
                             std::size_t of_nodes);
  const sim::Digest& as_first(const sim::Row& row, std::size_t process, Content& content,
                              std::size_t of_nodes);
  bool is_itself(const sim::Named& named, std::size_t process) const;
  sim::Digest rename_anew(const sim::Row& row, Called& so, std::size_t slot, Content& content);
  const sim::Digest* learned_alike(const Content& content, std::uint32_t number, const Called& so,
                                   std::size_t slot) const;
  bool are_alike(const sim::Named& named, const sim::Names& one, const sim::Names& other) const;
  bool call_nodes_alike(std::size_t slot, const sim::Names& one, const sim::Names& other) const;
  void call(Checked::State& state, std::size_t slot, const sim::Renaming& renaming) const;
  std::size_t rename(Checked::State& state, std::size_t slot, const sim::Renaming& renaming) const;
  sim::Digest digest_of(const sim::Row& row, Called& called, std::size_t slot) {
    const std::vector<sim::Digest>& digests = called.places[slot].digests;
    const std::uint32_t number = row[slot];
    const bool known = number < digests.size() && (digests[number].high | digests[number].low) != 0;
    return known ? digests[number] : learn(row, called, slot);
  }
  std::uint32_t learn_signature(const sim::Row& row, const Ranked& its, sim::Ranking& ranking,
                                std::uint64_t key);
  std::uint32_t orders_by_pattern(sim::Ranking& ranking);
  /// A number for all that the rank of an outer actor follows from, and the order of its threads.
  std::uint32_t signature(const sim::Row& row, const Ranked& its, sim::Ranking& ranking);
  sim::Row pattern() const;

  const Checked& checked_;
  const Setup& setup_;
  Recollection& known_;
  std::vector<Called> called_;                                     // by number
  std::vector<std::vector<Content>> contents_;                     // by slot and number
  std::map<std::uint64_t, std::vector<std::uint32_t>> called_by_;  // by hash: their numbers
  std::vector<sim::Digest> digests_;                               // by what the functions say
  Function signature_{};                                           // the first, by outer actor
  sim::DigestSet signatures_;
  std::vector<sim::Digest> ranks_;  // by signature
  ByNumbers<std::uint32_t> of_two_;  // signatures by process and what lies in two slots, if these say it
  std::vector<Ranked> actors_;       // all processes, and equal nodes
  std::vector<bool> has_choice_;     // by process: some of its threads may be exchanged
  std::vector<std::vector<sim::ActorClass>> in_groups_;  // by process: its threads, by their places
  sim::Names own_;                     // everybody's
  std::vector<std::size_t> firsts_;    // by process: the first of its class
  /// By slot, number and the number of the names of nodes, from the second on: Content::as_first by those.
  std::map<std::tuple<std::size_t, std::uint32_t, std::size_t>, sim::Digest> as_first_among_;
  std::vector<std::optional<sim::Names>> as_first_;  // by process: it is called so, and that one like it
  std::vector<std::vector<NodeId>> nodes_;           // names of nodes, by number; none: their own
  Function whom_{};                                  // the first, by process
  unsigned signature_bits_ = 0;  // in a key of all of them
  std::vector<std::uint32_t> its_;                       // signatures by place in `actors_`, of `ranked_`
  sim::Row ranked_;
  bool follow_from_two_ = true;  // what lies in two slots says each of them
  ByNumbers<std::uint32_t> orders_of_few_;               // by signatures, where these fit into a key
  sim::Recall orders_known_;                             // by pattern
  std::vector<std::vector<std::uint32_t>> orders_;
  std::uint64_t bytes_ = 0;  // of places
};

}  // namespace lockstep::properties
