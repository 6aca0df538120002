// meanwhile.h: whether to go on, asked by a system while it makes one list of moves.
//
// A system may take long over a list. Such a one has ask_meanwhile(stop): from then on it asks now and then,
// and if it is to stop, it gives up. Then it lists nothing, was_cut() says so until the next list, and the
// state counts as one that nobody has looked at.
#pragma once

#include <functional>
#include <utility>

#include "sim/system.h"

namespace lockstep::sim {

template <System S>
void ask_meanwhile(S& system, std::function<bool()> stop) {
  if constexpr (requires { system.ask_meanwhile(stop); }) system.ask_meanwhile(std::move(stop));
}

template <System S>
bool was_cut(const S& system) {
  if constexpr (requires { system.was_cut(); }) return system.was_cut();
  else return false;
}

}  // namespace lockstep::sim
