#include "reports/result/result.h"

#include <algorithm>
#include <cmath>

namespace lockstep::reports {

Outcome outcome_of(const PropertyResult& result) {
  if (result.verdict == "unknown") return Outcome::unknown;
  if (!result.as_expected) return Outcome::different;
  // A property that the scenario does not name may be vacuous.
  return result.vacuous && result.named ? Outcome::vacuous : Outcome::as_expected;
}

std::string_view words_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::as_expected: return "as expected";
    case Outcome::vacuous: return "vacuous";
    case Outcome::unknown: return "unknown";
    case Outcome::different: return "not as expected";
  }
  return "";
}

Outcome outcome_of(const CheckResult& result) {
  Outcome worst = result.unseen.empty() ? Outcome::as_expected : Outcome::vacuous;
  for (const PropertyResult& one : result.properties) worst = std::max(worst, outcome_of(one));
  return worst;
}

namespace {

bool rests_on_samples(const CheckResult& result) {
  return std::any_of(result.properties.begin(), result.properties.end(),
                     [](const PropertyResult& one) { return one.verdict == "passed"; });
}

/// Of runs that all came to an end: those that do not may be the ones that fail.
std::optional<double> bound_of(std::uint64_t runs, std::uint64_t cut) {
  if (runs == 0 || cut > 0) return std::nullopt;
  return -std::expm1(std::log(0.05) / static_cast<double>(runs));
}

}  // namespace

std::optional<double> failure_rate_bound(const CheckResult& result) {
  const bool independent = std::all_of(result.sampled_by.begin(), result.sampled_by.end(),
                                       [](const SampledBy& by) { return by.independent; });
  return rests_on_samples(result) && independent ? bound_of(result.runs, result.cut) : std::nullopt;
}

std::optional<double> failure_rate_bound(const CheckResult& result, const SampledBy& by) {
  return rests_on_samples(result) && by.independent ? bound_of(by.runs, by.cut) : std::nullopt;
}

}  // namespace lockstep::reports
