// free_order.h: replies whose order is not Redis's promise.
//
// A hash table answers in an order that each server seeds anew, so there the comparison is between sets. The
// compact forms (listpack, intset) have an order, and it is compared.
#pragma once

#include "model/redis/node.h"

namespace lockstep::differential {

/// Whether the command's reply may come in any order from this node, as it is before the command runs.
bool order_is_free(const redis::Node& node, const model::Command& command);

/// Whether the replies are equal, in any order; the fields and values of HGETALL stay together.
bool equal_in_some_order(const model::Command& command, const model::Reply& one, const model::Reply& other);

}  // namespace lockstep::differential
