// random_commands.h: commands for tests that compare the model with something else.
//
// A line of the grammar is a command with holes. The pools behind the holes are small, so that keys collide,
// types clash, and every kind of badly formed number and option turns up.
#pragma once

#include <span>
#include <string_view>

#include "model/wire.h"
#include "sim/base/random.h"

namespace lockstep::redis::testing {

/// Families of commands, to be mixed as a test needs them.
std::span<const std::string_view> key_commands();
std::span<const std::string_view> expiry_commands();
std::span<const std::string_view> string_commands();
std::span<const std::string_view> bit_commands();
std::span<const std::string_view> hash_commands();
std::span<const std::string_view> list_commands();
std::span<const std::string_view> set_commands();
std::span<const std::string_view> sorted_set_commands();

using Dice = sim::Random;

/// A command of any family.
model::Command random_command(Dice& dice);

/// A command whose effects say all that it did: BITFIELD … OVERFLOW FAIL makes a key of which Redis tells
/// nobody (bitops.c).
model::Command random_replicated_command(Dice& dice);

/// A command of the given lines.
model::Command random_command(Dice& dice, std::span<const std::string_view> lines);

}  // namespace lockstep::redis::testing
