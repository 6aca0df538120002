// The library `bit`: Lua BitOp 1.0.2, as Debian packages it for each Lua. Its functions keep their own
// frames, so that errors name the script's line; they are C, with unwind tables, through which exceptions
// pass.
#include "lua/libraries/libraries.h"

extern "C" {
#include <lua-bitop.h>
}

namespace lockstep::lua {

void open_bit(lua_State* L) { open_library(L, "bit", luaopen_bit); }

}  // namespace lockstep::lua
