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

std::optional<double> failure_rate_bound(const CheckResult& result) {
  const auto sampled = [](const PropertyResult& one) { return one.verdict == "passed"; };
  if (std::none_of(result.properties.begin(), result.properties.end(), sampled)) return std::nullopt;
  if (result.runs <= result.cut) return std::nullopt;
  return -std::expm1(std::log(0.05) / static_cast<double>(result.runs - result.cut));
}

}  // namespace lockstep::reports
