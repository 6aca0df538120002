// lock_steps.h: the scripts of lua/scripts as holders of a lock send them, in random order.
//
// Three holders take, renew and release two locks with every script of the set; leases run out, clocks are
// set, and now and then somebody deletes a lock or lets it expire.
#pragma once

#include "tools/differential/random_steps.h"

namespace lockstep::differential {

/// Sequences of such steps. In the first, client 1 subscribes to the channel on which the scripts say that a
/// lock is free; client 0 does the rest.
class LockSteps {
 public:
  Step next(Dice& dice, const redis::testing::TestClient& model);

 private:
  bool listening_ = false;
};

}  // namespace lockstep::differential
