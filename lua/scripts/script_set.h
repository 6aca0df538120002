// script_set.h: script texts by role, with what their set.toml says of them.
//
// A role is named by what the script does: "lock", "unlock", "renew", "force-unlock". The text is the exact
// wire bytes; its SHA1 is the one a server knows. Reading set.toml files is the business of
// scenarios/format/script_reader.h.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace lockstep::lua {

struct Script {
  std::string role;
  std::string file;    // where the text came from, for messages and digests: "lua/scripts/lock-hset.lua"
  std::string origin;  // who sends it: "Redisson 3.10.5, RedissonLock.tryLockInnerAsync"
  std::string text;
  std::string sha1;
  std::vector<std::string> keys, args;  // what KEYS[i] and ARGV[i] stand for, in order
  std::string replies;                  // prose: what each reply means
  std::string versions;                 // "3.0.0 .. 3.12.2"
  bool operator==(const Script&) const = default;
};

struct ScriptSet {
  std::string name;    // "redisson@3.10.5"
  std::string stored;  // how its locks are stored: "value of a string"; empty: as their kind is
  std::map<std::string, Script> roles;

  const Script* find(const std::string& role) const {
    const auto found = roles.find(role);
    return found == roles.end() ? nullptr : &found->second;
  }
  bool operator==(const ScriptSet&) const = default;
};

}  // namespace lockstep::lua
