// lock_view.h: what a state looks like to someone who only cares about the locks.
//
//   orders: A1 ×2          who holds it on the current master, and how often ("free", "no master")
//   believes: A1           which threads believe that they hold it
//   waits: B1              which live threads are inside a call that waits for it
//   broken: owner-only     properties that were broken on the way
//
// Lines without content are left out. Two states with the same text are one node of the folded state graph.
#pragma once

#include <string>

#include "properties/check/checked.h"

namespace lockstep::tools {

/// Only holders and waiters: neither how often, nor beliefs.
std::string lock_view(const properties::Checked::State& state, const model::Setup& setup,
                      bool holders_only = false);

/// How many hold, believe and wait, without their names: "orders: 1 holds, 1 believes, 2 wait".
std::string lock_numbers(const properties::Checked::State& state, const model::Setup& setup);

}  // namespace lockstep::tools
