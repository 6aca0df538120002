// departures.h: what a script does otherwise here than on a Redis server, as far as its text says
// (FIDELITY.md, "Departures", Lua).
//
// Told is what may show and nothing else: a script that only mentions it in a comment is faultless. What is
// computed (a metamethod's name put together, a step that is a variable) is not seen.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::lua {

/// The first of them, with its line: "line 3: `arg` …".
std::optional<std::string> departure_in(std::string_view script);

}  // namespace lockstep::lua
