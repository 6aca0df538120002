// command_file.h: files of Redis commands, one a line, and words as redis-cli takes and shows them.
//
// Words are parted by blanks. "…" holds a word together and knows the escapes \n \r \t \a \b \\ \" \xHH; '…'
// does, too, and knows \' only. Blank lines are skipped, and so are lines that begin with #.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/wire.h"
#include "sim/base/result.h"

namespace lockstep::tools {

struct CommandLine {
  std::size_t line = 0;  // from 1
  model::Command words;
};

/// Reads the commands of a text; `name` is what an error calls the file.
sim::Result<std::vector<CommandLine>> read_commands(std::string_view text, const std::string& name);

/// A reply as redis-cli prints it for people, with a line end: (integer) 1 · "text" · (nil) · 1) "a".
std::string printed(const model::Reply& reply);

}  // namespace lockstep::tools
