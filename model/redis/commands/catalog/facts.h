// facts.h: what COMMAND tells of each command, beside the table of what runs it (table.cpp).
//
// The rows are what redis-server 7.0.15 answers to COMMAND and COMMAND DOCS, for all of its commands, whether
// they exist here or not; a command here that has no row fails a test, and so does one whose flags or keys
// differ. Lists are words between blanks. Key specifications are separated by " | "; each is its flags, where
// to begin, how to go on, and perhaps a note, separated by "; ":
//   index N · keyword WORD FROM · unknown
//   range LAST STEP LIMIT · keynum NUMBER FIRST STEP · unknown
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/redis/command.h"

namespace lockstep::redis::commands {

struct Facts {
  std::string_view name;  // in lower case; sub-commands as "config|get"
  int arity;
  std::string_view flags;
  int first_key, last_key, key_step;
  std::string_view categories;  // of the ACL
  std::string_view tips;
  std::string_view since;
  std::string_view keys;

  bool has_flag(std::string_view flag) const;
};

/// The commands of one group of the documentation, sorted by name.
struct Group {
  std::string_view name;
  std::span<const Facts> facts;
};

extern const Group string_group, hash_group, list_group, set_group, sorted_set_group, stream_group, geo_group,
    bitmap_group, hyperloglog_group, generic_group, pubsub_group, transactions_group, scripting_group,
    connection_group, server_group, cluster_group;

struct Found {
  const Facts* facts = nullptr;  // nullptr: Redis 7.0.15 has no such command
  std::string_view group;
};
Found find_facts(std::string_view name);

/// One way to find keys among the words of a command.
struct KeySpec {
  enum class Begin : std::uint8_t { index, keyword, unknown };
  enum class Find : std::uint8_t { range, keynum, unknown };

  std::vector<std::string_view> flags;
  Begin begin = Begin::unknown;
  std::string_view keyword;
  int from = 0;  // index: the word; keyword: where to look for it, backwards if negative
  Find find = Find::unknown;
  int a = 0, b = 0, c = 0;  // the numbers of `find`, in order
  std::string_view note;

  bool has_flag(std::string_view flag) const;
};
std::vector<KeySpec> key_specs(const Facts& facts);

/// The parts of a text between separators; none if the text is empty.
std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator);

/// A key among the words of a command, and what happens to it.
struct FoundKey {
  std::string_view key;
  std::vector<std::string_view> flags;
};
/// The keys of a command whose words fit (Redis getKeysFromCommandWithSpecs); nullopt if Redis cannot say.
std::optional<std::vector<FoundKey>> find_keys(const Facts& facts, Words words);

}  // namespace lockstep::redis::commands
