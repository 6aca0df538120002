#include "model/redis/handling.h"

#include <new>
#include <stdexcept>

#include "model/redis/errors.h"
#include "model/redis/watch.h"

namespace lockstep::redis {

namespace {

/// What a command left half done: aggregates that it had just made, and its transaction.
Reply without_memory(Call& call, const Spec& spec) {
  call.db().erase_empty();
  if (spec.name == "exec" && call.session()) end_transaction(call.session_to_change());
  return errors::no_memory();
}

}  // namespace

Reply handle(Call& call, const Spec& spec, Words words) {
  try {
    return spec.handler(call, words);
  } catch (const std::bad_alloc&) {
    return without_memory(call, spec);
  } catch (const std::length_error&) {
    return without_memory(call, spec);
  }
}

}  // namespace lockstep::redis
