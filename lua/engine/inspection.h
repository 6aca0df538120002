// inspection.h: puts an inspector (inspector.h) between scripts and the functions that look into texts.
#pragma once

#include "lua/dialect/compat.h"
#include "lua/engine/inspector.h"

namespace lockstep::lua {

/// Replaces them in the open libraries, before the sandbox is closed. The inspector outlives the interpreter.
void install_inspection(lua_State* L, Inspector& inspector);

}  // namespace lockstep::lua
