// embedded_scripts.h: the files of lua/scripts as they were when the program was built, byte for byte.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::lua {

struct EmbeddedFile {
  std::string_view name;  // "lock-hset.lua", "set.toml"
  std::string_view text;
};

/// In the order of their names.
std::span<const EmbeddedFile> embedded_scripts();

}  // namespace lockstep::lua
