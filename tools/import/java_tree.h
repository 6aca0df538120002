// java_tree.h: the Java sources below a folder, and folders that are written whole or not at all.
//
// Read are files called *.java, in the order of their paths; folders whose name begins with a dot and those
// called src/test are not entered, and links to folders are not followed. One file that cannot be read makes
// the answer a problem: a set that is imported from half of the sources would be wrong in silence.
#pragma once

#include <string>

#include "sim/base/result.h"
#include "tools/import/imported_set.h"
#include "tools/import/java/program.h"

namespace lockstep::tools {

/// All sources below `path`, or the one file that it is.
sim::Result<java::Program> read_java(const std::string& path);

/// Makes a directory with these files. It must not exist yet, or be empty; on a problem nothing is left.
std::optional<sim::Problem> write_directory(const std::string& path, const Files& files);

}  // namespace lockstep::tools
