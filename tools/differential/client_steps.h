// client_steps.h: three clients at once: transactions, watched keys, databases, subscriptions.
//
// What no server promises is not asked for: nobody has two patterns, which could match one message in either
// order, and nobody leaves several channels by one UNSUBSCRIBE without names.
#pragma once

#include "tools/differential/random_steps.h"

namespace lockstep::differential {

inline constexpr std::size_t clients_count = 3;

Step random_client_step(Dice& dice, const redis::testing::TestClient& model);

}  // namespace lockstep::differential
