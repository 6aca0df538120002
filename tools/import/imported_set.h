// imported_set.h: the files of an imported script set: set.toml, the scripts, and a record of all that was
// found.
//
//   set.toml        what `--scripts DIR` reads
//   ROLE.lua        the wire text of each role, byte for byte
//   imported.json   every script of the sources: place, conditions, text and SHA1, the Java expressions of
//                   KEYS and ARGV, and its role or why it has none
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "tools/import/places.h"

namespace lockstep::tools {

using Files = std::map<std::string, std::string>;  // content by name

/// The record.
std::string import_record(const std::vector<FoundScript>& found, const Placement& placement);

/// All files of the set, read back and compiled before they are given. A problem is about the set's name.
sim::Result<Files> imported_files(const std::string& set_name, const std::vector<FoundScript>& found,
                                  const Placement& placement);

/// What people read: what was placed, and all that was not.
std::string import_report(const std::vector<FoundScript>& found, const Placement& placement);

}  // namespace lockstep::tools
