// expectations.h: what a scenario expects of its properties and of the answers of its calls, and what it
// promises itself.
#pragma once

#include <cstdint>
#include <string>

#include "model/setup/program.h"

namespace lockstep::model {

enum class Expected : std::uint8_t { proved, passed, holds, violated };

/// How often calls on a lock must have been answered in one way once all programs have ended.
struct AnswerCount {
  StepKind call = StepKind::try_lock;
  std::uint16_t kind = 0;   // of the lock
  GroupId group;
  std::string name;  // of the lock; every `via` counts
  Answer answer = Answer::yes;
  std::uint32_t exactly = 0;
  bool operator==(const AnswerCount&) const = default;
};

/// A promise that a scenario makes itself: what Lua says of each state (properties/check/predicates.h).
enum class PredicateKind : std::uint8_t {
  always,     // true in every state
  never,      // in none
  sometimes,  // in some: a witness that must be seen
  eventually  // in some state of every run that ends
};
struct Predicate {
  std::string name;
  PredicateKind kind = PredicateKind::always;
  std::string lua;
  bool operator==(const Predicate&) const = default;
};

}  // namespace lockstep::model
