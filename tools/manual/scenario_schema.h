// scenario_schema.h: the scenario format as a JSON Schema (draft-07), for editors that complete and check.
//
// Keys of faults, knobs, properties, witnesses, versions and script sets are those of the program's own
// tables; the other keys stand here in rows, each with a sentence. A test holds the rows against what the
// reader says it knows, and every scenario that comes with the program against the schema. What depends on
// several keys at once, such as a fault that needs a replica, only the reader knows: the schema takes more
// than the reader does.
#pragma once

#include <string>

namespace lockstep::tools {

/// With an indentation of two, and a line end.
std::string scenario_schema();

}  // namespace lockstep::tools
