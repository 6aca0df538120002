// compared.h: two verdicts on one property, and what a gate says of them.
//
//   base          head       outcome     weighs
//   held          violated   regressed   failed      held: proved, passed; of a witness: seen
//   held          unknown    regressed   unknown     and proved → passed, which says less
//   not vacuous   vacuous    regressed   failed      of a property that the scenario names; seen → unseen
//   unknown       violated   regressed   failed
//   violated      violated   same        nothing
//   violated      unknown    unknown     unknown     so does unknown → unknown: unknown is never green
//   violated      held       fixed       nothing     so does unknown → held
//   vacuous       vacuous    same        vacuous     of a property that the scenario names; unseen → unseen
//   none          any        new         as the scenario expects it; regressed if it does not
//   any           none       gone        nothing
//
// A violation that is accepted weighs nothing until its day is over; then it weighs as a regression, also if
// the base has it too: whoever accepted it promised to look again.
#pragma once

#include <optional>
#include <string>

#include "reports/findings/findings.h"
#include "tools/gate/baseline.h"

namespace lockstep::tools {

struct OneVerdict {
  std::string verdict;
  bool vacuous = false;
};

struct Judgement {
  std::string outcome = "same";
  reports::Weight weight = reports::Weight::fine;
  std::string why;
};

struct AskedProperty {
  bool named = false;  // by the scenario, so that it must not be vacuous
  bool meets = true;   // the verdict of the head is what the scenario expects
};

Judgement compare_verdicts(const std::optional<OneVerdict>& base, const std::optional<OneVerdict>& head,
                           const AskedProperty& asked);

/// The same, given that somebody accepts what the head breaks. `today` is a day.
Judgement with_acceptance(Judgement judgement, const OneVerdict& head, const Acceptance& accepted,
                          const std::string& today);

}  // namespace lockstep::tools
