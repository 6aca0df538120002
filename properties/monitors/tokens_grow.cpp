// tokens_grow.cpp: each grant of a fenced lock comes with a greater token than every earlier one.
//
// Judged where servers grant, in the order in which they do, whichever server it is: a resource that checks
// tokens can tell a late write only by that. A reply that tells no token is not judged; nor is one that tells
// the holder of a lock that is not reentrant its token once more, which is no other grant.
#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void TokensGrow::see(const model::Observation& observation, const Setup& setup, Findings& findings) {
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  if (seen == nullptr || !setup.kinds[seen->purpose.kind]->promises.tokens) return;
  const bool held = !setup.kinds[seen->purpose.kind]->promises.reentrant && seen->before &&
                    seen->before->find(model::holder_of(seen->purpose, setup)) != nullptr;
  for (const model::Item& item : seen->items) {
    if (item.what != model::Meaning::granted || !item.number) continue;
    const auto [last, first_one] = greatest.try_emplace(seen->lock, *item.number);
    if (first_one || (held && *item.number == last->second)) continue;
    findings.shows(Witness::another_token);
    if (*item.number <= last->second)
      findings.breaks(Property::tokens_grow, [&, before = last->second] {
        return fmt::format("{} gave {} the token {}, and had given {} before", seen->lock,
                           setup.thread_name(seen->purpose.thread), *item.number, before);
      });
    last->second = std::max(last->second, *item.number);
  }
}

bool has_tokens(const Setup& setup) {
  return std::any_of(setup.objects.begin(), setup.objects.end(), [&](const model::LockObject& object) {
    return setup.kinds[object.kind]->promises.tokens;
  });
}

}  // namespace lockstep::properties
