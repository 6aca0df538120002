// linearizable.h: whether a history is one that a specification explains.
//
// Wing and Gong's search with Lowe's cache: one of the calls that may come first is taken, then one of those
// that may come next, and what is left is never looked at twice for the same calls taken and the same state.
// The cache compares whole keys, no digests. Locks are independent, so each is asked for itself. A limit ends
// in unknown.
//
// What is not explained comes with the longest prefix that is: every order of its calls is told that cannot
// go on, with what the next answer could have been there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "properties/histories/history.h"

namespace lockstep::histories {

enum class Explained : std::uint8_t { yes, unknown, no };

struct JudgeOptions {
  LockSpec spec = LockSpec::mutex;
  /// Grants end by themselves: after the lease that they ask for, else after this one.
  std::optional<Time> lease;
  Time clock_error = 0;  // a lease may end so much too soon, by the clock of the history
  std::uint64_t states_max = 1'000'000;
  std::function<bool()> stop = {};  // asked now and then
};

/// A state in which the prefix may end.
struct Ending {
  std::string state;     // "held by A1"
  std::string possible;  // what could have been answered: "refused"; empty: nothing, it had to wait
  bool operator==(const Ending&) const = default;
};

struct LockVerdict {
  std::string lock;
  Explained explained = Explained::unknown;
  std::string why;  // of unknown
  std::uint64_t calls = 0, pending = 0, states = 0;
  std::vector<std::size_t> order;  // operations as they may have taken effect: all, or those of the prefix
  // Of what is not explained:
  std::optional<std::size_t> stuck;  // the operation whose answer no order explains
  std::uint64_t last_line = 0;       // of the longest prefix that is explained; 0: not even the first event
  bool perhaps_further = false;      // a limit was met in asking for more: a longer one may be explained
  std::vector<Ending> endings;       // different ones, the first few
};

/// One verdict for each lock, by name.
std::vector<LockVerdict> judge(const History& history, const JudgeOptions& options);

/// The worst of them.
Explained all_explained(const std::vector<LockVerdict>& verdicts);

}  // namespace lockstep::histories
