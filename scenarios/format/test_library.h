// test_library.h: script sets, a file system and a vocabulary for the tests of this layer.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "properties/monitors/catalog.h"
#include "properties/monitors/witness.h"
#include "scenarios/format/reader.h"
#include "scenarios/format/script_reader.h"

namespace lockstep::scenarios {

/// Serves these files and no others.
inline FileLoader files(std::map<std::string, std::string> content) {
  return [content = std::move(content)](const std::string& path) -> sim::Result<std::string> {
    const auto found = content.find(path);
    if (found == content.end()) return sim::Problem{"no such file"};
    return found->second;
  };
}

/// The sets "redisson@3.0.0", "redisson@3.10.5", "redisson@3.12.2", "redisson@3.12.3", "redisson@3.15.0",
/// "redisson@3.19.0" and "redisson@4.4.0" with every role that programs can use, and the file my/lock.lua.
inline ScriptLibrary test_library() {
  lua::ScriptSet set{.name = "redisson@3.10.5", .roles = {}};
  set.roles["lock"] = {.role = "lock", .file = "lock.lua", .text = "return 1", .sha1 = "11"};
  set.roles["unlock"] = {.role = "unlock", .file = "unlock.lua", .text = "return 2", .sha1 = "22"};
  set.roles["renew"] = {.role = "renew", .file = "renew.lua", .text = "return 4", .sha1 = "44"};
  set.roles["force-unlock"] = {.role = "force-unlock", .file = "force.lua", .text = "return 5", .sha1 = "55"};
  for (const std::string role : {"read-lock", "read-unlock", "read-renew", "read-force-unlock", "write-lock",
                                 "write-unlock", "write-force-unlock"})
    set.roles[role] = {.role = role, .file = role + ".lua", .text = "return '" + role + "'", .sha1 = role};
  lua::ScriptSet first = set;
  first.name = "redisson@3.0.0";
  lua::ScriptSet between = set;
  between.name = "redisson@3.12.2";
  lua::ScriptSet later = set;
  later.name = "redisson@3.12.3";
  lua::ScriptSet latest = set;
  latest.name = "redisson@3.15.0";
  latest.roles["spin-unlock"] = {.role = "spin-unlock", .file = "spin.lua", .text = "return 6", .sha1 = "66"};
  latest.roles["spin-force-unlock"] = {
      .role = "spin-force-unlock", .file = "spin-force.lua", .text = "return 7", .sha1 = "77"};
  lua::ScriptSet fenced = latest;
  fenced.name = "redisson@3.19.0";
  fenced.roles["fenced-lock"] = {
      .role = "fenced-lock", .file = "fenced-lock.lua", .text = "return 10", .sha1 = "aa"};
  fenced.roles["fenced-lock-token"] = {
      .role = "fenced-lock-token", .file = "fenced.lua", .text = "return 8", .sha1 = "88"};
  lua::ScriptSet once = fenced;
  once.name = "redisson@4.4.0";
  once.roles["non-reentrant-lock"] = {
      .role = "non-reentrant-lock", .file = "once.lua", .text = "return 9", .sha1 = "99"};
  return {.sets = {{first.name, first},
                   {set.name, set},
                   {between.name, between},
                   {later.name, later},
                   {latest.name, latest},
                   {fenced.name, fenced},
                   {once.name, once}},
          .load = files({{"my/lock.lua", "return 3"}})};
}

/// The names that the properties library knows.
inline ScenarioVocabulary test_vocabulary() {
  ScenarioVocabulary vocabulary;
  for (const properties::PropertyInfo& one : properties::catalog)
    vocabulary.properties.emplace_back(one.name);
  for (const std::string_view name : properties::witness_names) vocabulary.witnesses.emplace_back(name);
  return vocabulary;
}

/// What the reader says about a scenario file x.toml that it refuses.
inline std::string shown(std::string_view text) {
  const auto setup = read_scenario(text, "x.toml", test_library(), test_vocabulary());
  return setup.ok() ? "no error" : setup.problem().text;
}

}  // namespace lockstep::scenarios
