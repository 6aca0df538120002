// embedded_scripts.h: the files of lua/scripts as they were when the program was built, byte for byte.
#pragma once

#include "sim/base/embedded.h"

namespace lockstep::lua {

using sim::EmbeddedFile;

/// In the order of their names: "lock-hset.lua", "set.toml".
std::span<const EmbeddedFile> embedded_scripts();

}  // namespace lockstep::lua
