// token.h: acquires that ask for the token of their grant (`lock fenced:orders token`: lockAndGetToken).
//
// A kind that promises tokens has two rows of Intent::acquire: the first is sent by lock() and tryLock(), the
// second by *AndGetToken. Of an acquire, Step::words holds `token` or nothing.
#pragma once

#include "model/client/lock_kind.h"

namespace lockstep::model {

inline constexpr const char* asks_for_token = "token";

inline bool wants_token(const Step& step) {
  return intent_of(step.kind) == Intent::acquire && !step.words.empty();
}

/// The row that tells the token; nothing for kinds that have none.
inline const Role* role_that_tells(const LockKind& kind) {
  return kind.promises.tokens ? role_for(kind, Intent::acquire, 1) : nullptr;
}

}  // namespace lockstep::model
