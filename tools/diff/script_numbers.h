// script_numbers.h: the numbers by which a script may go, for a comparison to come to them (driven_pair.h).
#pragma once

#include <cstdint>
#include <set>

#include "lua/scripts/script_set.h"

namespace lockstep::tools {

/// All that its text has up to a thousand million, also within quotes; but not which of its words it reads
/// (`KEYS[4]`), nor what it replies (`return 7`). None of a text that is no Lua.
std::set<std::int64_t> numbers_in(const lua::Script& script);

/// Whether two scripts differ in blanks and comments only.
bool same_words(const lua::Script& one, const lua::Script& other);

}  // namespace lockstep::tools
