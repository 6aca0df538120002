// rebasing.h: instants of the clients' clocks, told from now on, so that equal situations at different times
// are one.
//
// Time is kept as what remains of it, with one exception: a script may be told what time it is by its
// sender's clock, and store that (the deadlines of the fair lock). Such numbers lie in requests, and, where
// kinds of locks say so, as scores of sorted sets and in fields of hashes (Word::instant, LockKind::
// scores_instants, field_instants); servers keep these, and hand them to replicas. The normal form of a
// world is the same world at the beginning of time: all of these are moved back by as much as `now`.
//
// That is sound if nobody can tell the two apart: with f any step and g a move of all instants and of now,
// f(g x) = g f(x). Clients put their clocks into words and never look at one again, and all else in a world
// is what remains. Servers may look at instants: properties/check/instants_watch.h holds each step that a
// script takes against this law, and if one does not keep to it, `now` counts in the identity of states.
#pragma once

#include "model/server/server.h"
#include "model/setup/setup.h"
#include "model/world/world.h"

namespace lockstep::model {

/// Whether a script of the scenario is told what time it is.
bool tells_instants(const Setup& setup);

/// What servers keep that is an instant.
InstantKeys instant_keys(const Setup& setup);

void move_instants(Request& request, const Setup& setup, Duration by);

/// How long until the clock of a process shows an instant that a server stores, or `never`.
Duration next_instant(const World& world, const Setup& setup);

/// How far ahead of now the last of the instants is that a server stores under these keys.
std::optional<Duration> farthest_instant(const World& world, const Setup& setup, NodeId node,
                                         const std::vector<std::string>& keys);

/// The same world at the beginning of time, or, on a lattice, at the same place of it.
void rebase(World& world, const Setup& setup);

}  // namespace lockstep::model
