// Prints what every script does under Lua 5.1, the library that Redis embeds, for dialect_diff_test.
#include <iostream>

#include "lua/engine/engine.h"
#include "lua/testing/script_traces.h"

int main() {
  std::cout << lockstep::lua::Engine::library() << '\n' << lockstep::lua::script_traces();
  return std::cout.good() ? 0 : 1;
}
