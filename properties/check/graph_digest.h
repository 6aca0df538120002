// graph_digest.h: one number for all that a search went through.
//
// It is the sum of the digests of all transitions, so their order is of no account. A state counts by its
// normal form (model/world/identity.h), which leaves out what nobody can ask for: the texts of scripts,
// unless clients send EVALSHA. So two scripts that do the same in every situation give the same digest.
// The systems of a scenario (checked.h, remembered.h) give numbers of their own, which are not compared.
#pragma once

#include <vector>

#include "sim/base/encode.h"
#include "sim/search/outcome.h"
#include "sim/system.h"

namespace lockstep::properties {

template <sim::NormalisingSystem S>
class GraphDigest {
 public:
  /// The system must outlive it.
  explicit GraphDigest(const S& system) : system_(system), states_{digest_of_state(system.initial())} {}

  void add(const sim::Edge<S>& edge) {
    if (edge.fresh) states_.push_back(digest_of_state(edge.state));
    out_.clear();
    for (const sim::Digest& state : {states_[edge.from], states_[edge.to]}) {
      out_.number(state.high);
      out_.number(state.low);
    }
    out_.text(system_.show(edge.move));
    const sim::Digest one = sim::digest_bytes(out_.bytes());
    sum_.high += one.high;
    sum_.low += one.low;
  }

  sim::Digest digest() const { return sum_; }

 private:
  sim::Digest digest_of_state(const typename S::State& state) const {
    return system_.digest(system_.normal(state));
  }

  const S& system_;
  std::vector<sim::Digest> states_;
  sim::Digest sum_;
  sim::Encoder out_;
};

}  // namespace lockstep::properties
