// test_library.h: script sets, a file system and a vocabulary for the tests of this layer.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "scenarios/reader.h"
#include "scenarios/script_reader.h"

namespace lockstep::scenarios {

/// Serves these files and no others.
inline FileLoader files(std::map<std::string, std::string> content) {
  return [content = std::move(content)](const std::string& path) -> sim::Result<std::string> {
    const auto found = content.find(path);
    if (found == content.end()) return sim::Problem{"no such file"};
    return found->second;
  };
}

/// The sets "redisson@3.10.5" and "redisson@3.12.3" with the roles lock and unlock, and the file my/lock.lua.
inline ScriptLibrary test_library() {
  lua::ScriptSet set{.name = "redisson@3.10.5", .roles = {}};
  set.roles["lock"] = {.role = "lock", .file = "lock.lua", .text = "return 1", .sha1 = "11"};
  set.roles["unlock"] = {.role = "unlock", .file = "unlock.lua", .text = "return 2", .sha1 = "22"};
  lua::ScriptSet later = set;
  later.name = "redisson@3.12.3";
  return {.sets = {{set.name, set}, {later.name, later}}, .load = files({{"my/lock.lua", "return 3"}})};
}

inline ScenarioVocabulary test_vocabulary() {
  return {
      .properties = {"mutual-exclusion", "mutual-exclusion-within-lease", "owner-only", "granted-in-time"},
      .witnesses = {"contention", "expiry"}};
}

/// What the reader says about a scenario file x.toml that it refuses.
inline std::string shown(std::string_view text) {
  const auto setup = read_scenario(text, "x.toml", test_library(), test_vocabulary());
  return setup.ok() ? "no error" : setup.problem().text;
}

}  // namespace lockstep::scenarios
