// covered.h: what sampled runs met of the product of ways of scripts, states of locks and faults, and what of
// it they never did.
//
// One table for each role of requests and script that served it: a row for each way of each condition, a
// column for each kind of fault that had come by then, and in its cells the states that the lock was in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::reports {

/// The states that a lock may be in, in the order of their bits.
struct LockWord {
  const char *letter, *words;
};
const std::vector<LockWord>& lock_words();

struct CoveredWay {
  int line = 0;      // of the script; 0: the request as a whole
  std::string text;  // of this line
  bool holds = false;
  std::vector<std::uint8_t> seen;  // by fault: the states of the lock, as bits

  std::uint8_t seen_at_all() const {
    std::uint8_t all = 0;
    for (const std::uint8_t locks : seen) all |= locks;
    return all;
  }
};

struct CoveredRole {
  std::string role, script;  // its SHA1; empty: requests that are no scripts
  std::uint8_t locks = 0;    // the states that are asked for, as bits
  std::vector<CoveredWay> ways;  // the first is the request as a whole
};

struct Covered {
  std::vector<std::string> faults;  // the first: none
  std::vector<CoveredRole> roles;

  struct Count {
    std::uint64_t ways_met = 0, ways = 0;
    std::uint64_t met = 0, all = 0;  // of what was met, with each state and each fault
  };
  Count count() const;
};

/// Nothing if nothing was watched.
std::string covered_text(const Covered& covered);

}  // namespace lockstep::reports
