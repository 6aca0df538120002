// build_identity.h: which build of Lockstep runs, as its linker wrote it into the program.
#pragma once

#include <string>

namespace lockstep::tools {

/// The build id in hexadecimal digits: a digest of all that was linked. Empty if the program has none; then
/// nothing that another run found may be used.
std::string build_identity();

}  // namespace lockstep::tools
