// apart.h: processes that nobody else can reach before they have moved.
//
// Then their own moves are enough of all that may happen next (sim/search/reduction.h): whatever others do
// before, it changes neither which moves the process has nor what these do.
#pragma once

#include <optional>
#include <string>

#include "model/world/world.h"

namespace lockstep::model {

/// What a setup has in which a process may be reached in ways that `is_apart` does not look at.
std::optional<std::string> never_apart(const Setup& setup);

/// Time cannot pass before the process has moved, and nothing can come to it meanwhile: no request of it is
/// under way or served, it hears no messages, and nobody can take its servers away, or put others in charge.
bool is_apart(const World& world, const Setup& setup, ProcessId p);

/// Whether a move is one of the process: it, its threads, timers and links.
bool is_of(const Move& move, const Setup& setup, ProcessId p);

}  // namespace lockstep::model
