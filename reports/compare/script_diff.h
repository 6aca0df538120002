// script_diff.h: how two sets of lock scripts compare, as plain data with two readers: text and JSON.
//
// Compared are the scripts that kinds of locks send, kind by kind: either their texts are the same, or both
// were driven by the same calls. What differs is told by the shortest sequence of calls that shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/diagrams/script_pair.h"

namespace lockstep::reports {

/// What one side made of a call. Everything is printable.
struct SideShown {
  std::string reply;
  std::vector<std::string> commands;    // that its script called
  std::vector<std::string> messages;    // published, "channel: message"
  std::vector<std::string> replicated;  // the commands that replicas receive
  std::vector<std::string> stored;      // one line for each key, afterwards
};

struct StepShown {
  std::string call;  // "A: unlock"
  SideShown a, b;
};

struct ScriptDifference {
  std::vector<std::string> in;  // "replies", "what is stored", "messages", "the order of messages", "effects"
  std::vector<StepShown> steps;  // the last shows it
};

struct KindCompared {
  std::string kind;                // "plain", "read, write"
  std::vector<std::string> roles;  // whose scripts are not the same text
  std::uint64_t states = 0, transitions = 0;
  bool complete = false;
  std::string limit;  // why it is not
  std::string beyond_reach;  // by what a changed script may go that no state has; empty: by nothing
  std::string note;   // replicas are sent other commands that come to the same
  std::optional<ScriptDifference> difference;
  bool only_minor = false;  // nothing but the difference in the order of messages, or in effects
  std::optional<PairedScripts> lines{};  // the changed scripts, if their lines were counted

  /// All that may tell them apart was met.
  bool covers_all() const { return complete && beyond_reach.empty(); }
};

enum class Compared { same, differ, unknown };

struct ScriptDiff {
  std::string a, b;  // what the user called them
  std::string bounds;
  std::vector<std::string> same;            // roles whose scripts are the same text
  std::vector<std::string> only_a, only_b;  // roles for which the other has no script
  std::vector<std::string> unsent;          // changed, and sent by no kind of lock
  std::vector<KindCompared> kinds;
};

Compared outcome_of(const ScriptDiff& diff);

std::string diff_text(const ScriptDiff& diff);
std::string diff_json(const ScriptDiff& diff);

}  // namespace lockstep::reports
