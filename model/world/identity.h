// identity.h: the normal form of a world: what decides its future, and nothing else.
//
// Two worlds with one normal form have the same moves, up to the numbers of connections, and these lead to
// worlds with one normal form again; observations, facts and witnesses are the same. So a search may take one
// for the other. The normal form is used for the identity of a state only, never as the state: which of
// several equal moves is listed first, and so the default schedule, stays as it is.
//
// It is made in two parts, because interchangeable processes are renamed in between: what is forgotten does
// not depend on names, but an order by content does. Law: forget_unread after renaming is renaming after
// forget_unread.
//
// Each reduction is one function in identity.cpp, with the reason why nobody can tell the difference. Not
// merged: equal requests that were given up and are still under way. An increment twice is not an increment
// once, and the two may run at different times.
#pragma once

#include "model/world/world.h"

namespace lockstep::model {

/// Blanks what nobody will read. Its parts concern a process and its links; what a server keeps; and nodes
/// that are down for good, and what their replicas have not seen.
void forget_unread(World& world, const Setup& setup);
void forget_unread(World& world, const Setup& setup, ProcessId p);
void forget_unread(World& world, const Setup& setup, NodeId n);
void forget_gone_nodes(World& world, const Setup& setup);

/// Puts lists whose order nobody reads into the order of their contents, and numbers connections anew.
void put_in_order(World& world, const Setup& setup);
void put_in_order(World& world, const Setup& setup, ProcessId p);

/// Nothing the process does will ever matter again, unless it is started anew: all its threads have ended,
/// and nothing is under way, awaited, armed, subscribed or in session. Whether it learns who is master, or
/// connects again, makes no difference to anybody.
bool is_done(const World& world, const Setup& setup, ProcessId p);

/// What clients may send.
Traffic traffic_of(const Setup& setup);

/// A node that is down for good.
bool is_gone(const World& world, const Setup& setup, NodeId n);

}  // namespace lockstep::model
