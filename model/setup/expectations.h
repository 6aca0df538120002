// expectations.h: what a scenario expects of its properties and of the answers of its calls.
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

}  // namespace lockstep::model
