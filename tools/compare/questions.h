// questions.h: what `lockstep compare` asks of every scheme: one question for all rows of a column.
//
// A question is a scenario in which `{lock}` stands for the lock. The deployment is that of the scheme: one
// server, or three masters where it wants several; a failover brings a replica along for each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/lock_kind.h"
#include "sim/base/result.h"
#include "sim/system.h"

namespace lockstep::tools {

struct Question {
  std::string_view key, says;
  std::string_view text;        // processes, faults and bounds
  sim::PropertyMask asked = 0;  // it holds if all of these do
  bool replicated = false;      // each master has a replica
  /// Whether the kind promises it at all; absent: every lock is asked.
  bool (*offered)(const model::LockKind& kind) = nullptr;
};

/// The columns, in their order.
std::span<const Question> questions();

/// A row.
struct Contestant {
  std::string name;
  std::string head;      // the keys in front of all tables: scripts, or schemes
  std::string lock;      // "spin:orders"
  bool several = false;  // it wants several masters
  bool waits = false;    // for a replica behind each script (WAIT)
  bool listens = false;  // to events of its key
  std::string says;
  std::string servers{};     // the section of servers that are not Redis
  std::string replicated{};  // the same, each master with a replica
  bool elects = false;       // they replace a master by themselves
};

/// Redisson's locks and the schemes that come with the program.
std::vector<Contestant> usual_contestants();
/// Those that a word stands for: one of the usual, or a file of schemes.
sim::Result<std::vector<Contestant>> contestants_of(const std::string& word);

/// The text of the scenario that asks this of that.
std::string scenario_of(const Contestant& contestant, const Question& question);
/// One thread takes the lock and gives it back; or two do, the second while the first has it.
std::string cost_scenario(const Contestant& contestant, bool contended);

}  // namespace lockstep::tools
