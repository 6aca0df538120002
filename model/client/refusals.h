// refusals.h: errors by which a server refuses a request for now, without having run any of it. A client that
// knows better sends it again later (RedisRetryException).
#pragma once

#include <span>
#include <string_view>

#include "model/wire.h"

namespace lockstep::model {

struct Refusal {
  std::string_view word;  // the error begins with it
  std::string_view says;
};
std::span<const Refusal> refusals();

bool is_refused_for_now(const Reply& reply);

}  // namespace lockstep::model
