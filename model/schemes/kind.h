// kind.h: a kind of lock made of a scheme.
#pragma once

#include <memory>
#include <string>

#include "model/client/lock_kind.h"

namespace lockstep::schemes {

/// A scheme and the rows that are made of it; `kind` points into the rest, so it stays where it is.
struct OwnKind {
  model::Scheme scheme;
  std::vector<model::Role> roles;
  model::Shape shape;
  model::LockKind kind;
};

/// Names the requests of the scheme by their roles, and turns them into rows. On several masters what one
/// grants is only part of the lock.
std::unique_ptr<const OwnKind> made_of(model::Scheme scheme);

}  // namespace lockstep::schemes
