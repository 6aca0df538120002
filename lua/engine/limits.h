// limits.h: how a script is kept from running for ever or eating the machine.
//
// A count hook takes VM instructions from Run::steps_left, and the allocator refuses what goes beyond
// memory_max at once or 16 times that in one eval. Either way the eval is *stopped*: Run::stop says why, and
// the error passes every pcall, xpcall and coroutine of the script, because the functions here raise it
// again. A recursion ends about where Redis's Lua 5.1 ends it; Lua 5.4 would let it go twenty times as deep,
// at twenty times the cost. Steps of one coroutine are taken in portions of 1000, so short-lived coroutines
// are undercounted, by a constant factor. One call of a C function is one step, however long it takes; Redis
// cannot interrupt it either. But the ways that a pattern may be tried in are counted under 5.4
// (pattern_steps.h). Where there is an overseer, he is asked every 1000 steps instead (overseer.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "lua/engine/run.h"

namespace lockstep::lua {

/// The allocator of an interpreter whose user data is a Run.
void* allocate(void* run, void* block, std::size_t old_size, std::size_t new_size);

/// Starts the count for the eval that is about to run, and tells Run::lines() where the script is.
void count_steps(lua_State* L);

/// Takes steps from the eval that runs. Returns whether it goes on; if not, Run::stop says why.
bool take_steps(lua_State* L, std::int64_t steps);

/// After a protected call failed: whether the error must go on outwards. Notes a memory stop.
bool is_stopped(lua_State* L, int status);

/// What is answered for an eval that was stopped, unless somebody killed it.
Error stop_error(const Run& run);

/// The replacements for pcall, xpcall and coroutine.resume. As in Redis, pcall gives the text of an error
/// table.
int stoppable_pcall(lua_State* L);
int stoppable_xpcall(lua_State* L);
int stoppable_resume(lua_State* L);  // upvalue 1: Lua's own

}  // namespace lockstep::lua
