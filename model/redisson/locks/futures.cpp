#include "model/redisson/locks/futures.h"

namespace lockstep::redisson {

bool is_cancelled(Caller caller) {
  const bool own = caller.call().outer.empty();
  return own && caller.thread().futures.at(caller.task).fate == model::Future::Fate::cancelled;
}

void give_back(Caller caller) {
  const Duration lease = lease_of(of(caller.client()), caller.context, caller.call().object, caller.id);
  model::send(caller, model::Intent::release, lease);
  model::Outgoing& unlock = caller.context.out.requests.back();
  unlock.caller_gone = true;
  unlock.request.purpose.task = 0;
}

}  // namespace lockstep::redisson
