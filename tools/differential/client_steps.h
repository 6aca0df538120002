// client_steps.h: three clients at once: transactions, watched keys, databases, subscriptions.
//
// What no server promises is not asked for: nobody has two patterns, which could match one message in either
// order, and nobody leaves several channels by one UNSUBSCRIBE without names.
#pragma once

#include "tools/differential/random_steps.h"

namespace lockstep::differential {

inline constexpr std::size_t clients_count = 3;

/// Whether every server must answer the command in the same way, now, in this client's transaction if it is
/// in one.
bool is_promised(const redis::Node& node, model::ConnectionId client, const model::Command& command);

Step random_client_step(Dice& dice, const redis::testing::TestClient& model);

}  // namespace lockstep::differential
