// script_reader.h: reads script sets: a set.toml and the script files beside it.
//
//   format = 1
//   [[script]]
//   file     = "lock-hset.lua"               beside this file
//   role     = "lock"                        what it does
//   origin   = "Redisson, RedissonLock.tryLockInnerAsync"
//   keys     = ["lock"]                      what KEYS[i] and ARGV[i] stand for: the first word is the name
//   that args     = ["lease in ms", "holder"]     clients go by ("lease"), the rest explains it replies  =
//   "nil: granted; otherwise the remaining time in ms" versions = "3.0.0 .. 3.12.2"
//
//   [set."redisson@3.10.5"]                  a set: which script serves in which role
//   lock = "lock-hset.lua"
//   like = "redisson@3.10.5"               optional: the set whose scripts serve in the roles not named
//
// A script file holds the wire bytes and nothing else. Files are read through a callback, so that built-in
// sets (embedded in the program) and directories are read alike and this layer touches no file system.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lua/scripts/script_set.h"
#include "sim/base/result.h"

namespace lockstep::scenarios {

/// The content of the file at a path, or a clause that says why not ("no such file").
using FileLoader = std::function<sim::Result<std::string>(const std::string& path)>;

/// All sets that a scenario may name, and access to the files it may name.
struct ScriptLibrary {
  std::map<std::string, lua::ScriptSet> sets;
  FileLoader load;  // may be empty: then a scenario can name built-in sets only
  std::vector<lua::Script> scripts{};  // all that come with the program, in a set or not, by file name
  std::string folder{};  // in front of the files that find_script loads: "" or "schemes/"
};

/// Reads one set.toml; the paths of its script files are `directory`/file.
sim::Result<std::map<std::string, lua::ScriptSet>> read_script_sets(std::string_view text,
                                                                    const std::string& directory,
                                                                    const FileLoader& load);

/// The library of the sets that come with the program, with `load` for files that users name.
sim::Result<ScriptLibrary> built_in_scripts(FileLoader load);

/// Finds a set: "redisson@3.10.5" in the library, or "DIR" or "DIR#SET" with its set.toml. A word with a `/`
/// or a `.` in front is a directory. A release of Redisson between two sets has the scripts of the older.
sim::Result<lua::ScriptSet> find_script_set(const std::string& word, const ScriptLibrary& library);

/// A script for a request that says itself what it sends: one that comes with the program, by its file name
/// or path, or a file. Its KEYS and ARGV are not known yet.
sim::Result<lua::Script> find_script(const std::string& word, const ScriptLibrary& library);

/// A script that reads a word which its role is not sent would get nil, and do something that no server
/// does: a clause that says so, or nothing.
std::optional<std::string> unsent_word(const lua::Script& script);

/// The name of a set with replaced scripts, taken apart: "redisson@3.10.5+lock+unlock".
struct SetName {
  std::string base;
  std::set<std::string> replaced;  // roles
};
SetName split_set_name(const std::string& name);

/// Puts the script in `path` in place of the one that serves as `role`; the set's name then has "+role"
/// behind it. Problems here and below are clauses without a place, or complete errors about a set.toml.
sim::Result<lua::ScriptSet> replace_script(lua::ScriptSet set, const std::string& role,
                                           const std::string& path, const FileLoader& load);

/// `--scripts SET|DIR|ROLE=FILE`: another set, or one script of `set` replaced.
sim::Result<lua::ScriptSet> apply_override(lua::ScriptSet set, const std::string& spec,
                                           const ScriptLibrary& library);

}  // namespace lockstep::scenarios
