// renamed.h: remembered states with actors called by other names.
//
// What lies in each slot is renamed by itself, put in order, and remembered by its digest. Who is called what
// has a number, and so has what must be known to tell by which names a state is to be called (symmetry.h).
#pragma once

#include <map>
#include <vector>

#include "properties/check/recollection.h"
#include "sim/search/seen_set.h"
#include "sim/search/symmetry.h"

namespace lockstep::properties {

class Renamed {
 public:
  /// Both must outlive it.
  Renamed(const Checked& checked, Recollection& known)
      : checked_(checked), setup_(checked.setup()), known_(known) {
    signature_ = known_.functions(setup_.processes.size());
  }

  /// Of the state in which each actor is called what the permutation says, but for `now`.
  sim::Digest digest(const sim::Row& row, sim::Permutation permutation) {
    return digest(row, number_of(permutation));
  }
  sim::Digest digest(const sim::Row& row, std::uint32_t permutation);

  /// By which names to call a state that is in its normal form; absent if there are too many ways.
  template <class Compute>
  const std::vector<std::uint32_t>* orders(const sim::Row& row, Compute compute) {
    const sim::Row alike = signatures(row);
    const sim::Slots all = (sim::Slots{1} << setup_.processes.size()) - 1;
    auto at = orders_known_.find(0, alike);
    if (!at) {
      at = static_cast<std::uint32_t>(orders_.size());
      std::vector<std::uint32_t>& numbers = orders_.emplace_back();
      for (const sim::Order& order : compute()) numbers.push_back(number_of(order.permutation()));
      orders_known_.note(0, alike, all, *at);
    }
    return orders_[*at].empty() ? nullptr : &orders_[*at];
  }

  /// The functions of `known` have no numbers any more.
  void forget();
  std::uint64_t bytes() const { return bytes_ + orders_known_.bytes() + orders_.size() * sizeof(orders_[0]); }

 private:
  using Function = Recollection::Function;
  /// What lies in one slot, by its number: its digest when it is called so.
  struct Place {
    std::vector<sim::Digest> digests;
    bool alone = true;  // nothing else was ever read
  };
  /// Who is called what, and the first of the functions that call the components so, one for each slot.
  struct Called {
    sim::Order order;
    sim::Names names;
    Function first = 0;
    std::vector<Place> places;
  };

  std::uint32_t number_of(sim::Permutation permutation);
  sim::Digest learn(const sim::Row& row, Called& called, std::size_t slot);
  std::size_t rename(Checked::State& state, std::size_t slot, const sim::Names& names) const;
  /// Of each process a number for all that its order among others follows from.
  sim::Row signatures(const sim::Row& row);

  const Checked& checked_;
  const Setup& setup_;
  Recollection& known_;
  std::vector<Called> called_;                                     // by number
  std::map<std::uint64_t, std::vector<std::uint32_t>> called_by_;  // by hash: their numbers
  std::vector<sim::Digest> digests_;                               // by what the functions say
  Function signature_{};                                           // the first, by process
  sim::DigestSet signatures_;
  sim::Recall orders_known_;
  std::vector<std::vector<std::uint32_t>> orders_;
  std::uint64_t bytes_ = 0;  // of places
};

}  // namespace lockstep::properties
