// order.h: the one order in which a script sees the keys of a table.
//
// Lua walks the hash part of a table in an order that depends on addresses and a random seed. Here it is
// defined: first 1 .. n without a gap, then the rest: booleans (false, true), numbers by value, strings by
// bytes. Keys that are tables, functions or coroutines have nothing but an address to be ordered by, so at
// most one of them is allowed; walking a table with more is an error that says so, because any order would be
// an accident.
#pragma once

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// Pushes an array of all keys of the table at `index`, in order; returns how many. May raise.
int push_keys(lua_State* L, int index);

/// next(table [, key]) in that order. Each step sorts all keys; loops use pairs, which sorts once.
int ordered_next(lua_State* L);

/// pairs(table): the keys present at the start, in order, each with its value of that moment, skipping
/// removed ones.
int ordered_pairs(lua_State* L);

/// table.foreach(table, function).
int ordered_foreach(lua_State* L);

}  // namespace lockstep::lua
