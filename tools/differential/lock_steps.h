// lock_steps.h: the scripts of lua/scripts as holders of a lock send them, in random order.
//
// Three holders take, renew and release two locks with every script of the set; leases run out, clocks are
// set, and now and then somebody deletes a lock or lets it expire.
#pragma once

#include "tools/differential/random_steps.h"

namespace lockstep::differential {

/// The channel on which the scripts say that a lock is free.
inline constexpr std::string_view lock_channel = "redisson_lock__channel:{lock}";

Step random_lock_step(Dice& dice, const redis::testing::TestClient& model);

}  // namespace lockstep::differential
