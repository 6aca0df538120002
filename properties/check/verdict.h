// verdict.h: what a check may say of a property (README.md).
//
// proved    every schedule inside the scenario's bounds was explored, and none breaks it
// passed    the sampled schedules did not break it
// violated  one does, and there is a trail of it
// unknown   a limit was hit before anything could be said; never green
//
// Vacuous is a flag on proved and passed: the premise of the property never occurred.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/setup/setup.h"

namespace lockstep::properties {

enum class Verdict : std::uint8_t { proved, passed, unknown, violated };

constexpr std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved: return "proved";
    case Verdict::passed: return "passed";
    case Verdict::unknown: return "unknown";
    case Verdict::violated: return "violated";
  }
  return "";
}

constexpr std::string_view name_of(model::Expected expected) {
  switch (expected) {
    case model::Expected::proved: return "proved";
    case model::Expected::passed: return "passed";
    case model::Expected::holds: return "holds";
    case model::Expected::violated: return "violated";
  }
  return "";
}

/// Whether the verdict is what the scenario expects. A proof is more than the sampling that was asked for.
constexpr bool meets(Verdict verdict, model::Expected expected) {
  switch (expected) {
    case model::Expected::proved: return verdict == Verdict::proved;
    case model::Expected::passed:
    case model::Expected::holds: return verdict == Verdict::proved || verdict == Verdict::passed;
    case model::Expected::violated: return verdict == Verdict::violated;
  }
  return false;
}
static_assert(!meets(Verdict::unknown, model::Expected::holds));

}  // namespace lockstep::properties
