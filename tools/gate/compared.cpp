#include "tools/gate/compared.h"

#include "sim/base/verify.h"

namespace lockstep::tools {

namespace {

using reports::Weight;

bool is_broken(const OneVerdict& one) { return one.verdict == "violated" || one.verdict == "unseen"; }
bool is_unknown(const OneVerdict& one) { return one.verdict == "unknown"; }
bool is_held(const OneVerdict& one) { return !is_broken(one) && !is_unknown(one); }

Judgement of_new(const OneVerdict& head, const AskedProperty& asked) {
  if (is_unknown(head)) return {"new", Weight::unknown, ""};
  if (head.verdict == "unseen" || (head.vacuous && asked.named && is_held(head)))
    return {"new", Weight::vacuous, ""};
  if (!asked.meets)
    return {"regressed", Weight::failed, "there is no base for it, and the scenario expects otherwise"};
  return {"new", Weight::fine, ""};
}

Judgement of_broken(const OneVerdict& base, const OneVerdict& head) {
  if (!is_broken(base)) return {"regressed", Weight::failed, ""};
  return {"same", head.verdict == "unseen" ? Weight::vacuous : Weight::fine, ""};
}

Judgement of_held(const OneVerdict& base, const OneVerdict& head, const AskedProperty& asked) {
  const bool says_nothing = head.vacuous && asked.named;
  if (says_nothing && is_held(base) && !base.vacuous)
    return {"regressed", Weight::failed, "its premise never occurs any more"};
  if (base.verdict == "proved" && head.verdict == "passed")
    return {"regressed", Weight::unknown, "it was proved, and now only samples say so"};
  return {is_held(base) ? "same" : "fixed", says_nothing ? Weight::vacuous : Weight::fine, ""};
}

}  // namespace

Judgement compare_verdicts(const std::optional<OneVerdict>& base, const std::optional<OneVerdict>& head,
                           const AskedProperty& asked) {
  VERIFY(base || head);
  if (!head) return {"gone", Weight::fine, ""};
  if (!base) return of_new(*head, asked);
  if (is_unknown(*head)) return {is_held(*base) ? "regressed" : "unknown", Weight::unknown, ""};
  return is_broken(*head) ? of_broken(*base, *head) : of_held(*base, *head, asked);
}

Judgement with_acceptance(Judgement judgement, const OneVerdict& head, const Acceptance& accepted,
                          const std::string& today) {
  if (head.verdict != "violated") return judgement;
  if (today <= accepted.until) return {"accepted", Weight::fine, judgement.why};
  return {"regressed", Weight::failed, "it was accepted until " + accepted.until + ", which is over"};
}

}  // namespace lockstep::tools
