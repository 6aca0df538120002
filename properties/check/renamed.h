// renamed.h: remembered states with actors called by other names.
//
// What lies in each slot is renamed by itself, put in order, and remembered by its digest.
#pragma once

#include <map>
#include <vector>

#include "properties/check/recollection.h"
#include "sim/search/symmetry.h"

namespace lockstep::properties {

class Renamed {
 public:
  /// Both must outlive it.
  Renamed(const Checked& checked, Recollection& known) : setup_(checked.setup()), known_(known) {}

  /// Of the state in which each actor is called what the permutation says, but for `now`.
  sim::Digest digest(const sim::Row& row, sim::Permutation permutation);
  /// The functions of `known` have no numbers any more.
  void forget();

 private:
  using Function = Recollection::Function;
  /// Who is called what, and the first of the functions that call the components so, one for each slot.
  struct Called {
    std::vector<std::uint16_t> outer, inner;
    sim::Names names;
    Function first = 0;
  };

  const Called& called(sim::Permutation permutation);
  std::size_t rename(Checked::State& state, std::size_t slot, const sim::Names& names) const;

  const Setup& setup_;
  Recollection& known_;
  std::map<std::uint64_t, std::vector<Called>> called_;  // by hash
  std::vector<sim::Digest> digests_;                     // by what the functions say
};

}  // namespace lockstep::properties
