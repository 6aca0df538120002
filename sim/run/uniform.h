// uniform.h: a random walk in which every move is as likely as every other.
//
// The plain baseline that every cleverer policy has to beat.
#pragma once

#include "sim/base/random.h"
#include "sim/run/policy.h"

namespace lockstep::sim {

template <System S>
class Uniform final : public Policy<S> {
 public:
  explicit Uniform(Random random) : random_(random) {}

  std::optional<std::size_t> pick(const S&, const typename S::State&,
                                  std::span<const typename S::Move> moves) override {
    return random_.below(moves.size());
  }

 private:
  Random random_;
};

}  // namespace lockstep::sim
