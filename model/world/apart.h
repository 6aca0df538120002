// apart.h: processes that nobody else can reach before they have moved.
//
// Then their own moves are enough of all that may happen next (sim/search/reduction.h): whatever others do
// before, it changes neither which moves the process has nor what these do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/world/world.h"

namespace lockstep::model {

/// What a setup has in which a process may be reached in ways that `is_apart` does not look at.
std::optional<std::string> never_apart(const Setup& setup);

/// Whether others may do something that the moves of a process depend on, before it moves; and if only by
/// publishing. It follows from the process, its links, and what is nobody's alone.
enum class Reach : std::uint8_t { apart, by_publishing, reached };
Reach reach_of(const World& world, const Setup& setup, ProcessId p);

/// Time cannot pass before the process has moved, and nothing can come to it meanwhile: no request of it is
/// under way or served, it hears no messages, and nobody can take its servers away, or put others in charge.
bool is_apart(const World& world, const Setup& setup, ProcessId p);

/// A SUBSCRIBE or UNSUBSCRIBE is served: a server then knows something else of this one listener, and nothing
/// else changes in it.
bool is_about_channels(const Move& move);

/// Whether a move is one of the process: it, its threads, timers and links.
bool is_of(const Move& move, const Setup& setup, ProcessId p);

}  // namespace lockstep::model
