// tokens_grow.cpp: each grant of a fenced lock comes with a greater token than every earlier one.
//
// Grants are compared in the order in which servers make them, whichever server it is: a resource that checks
// tokens can tell a late write only by that. A token counts from when its thread is told of it. One that
// nobody is told of, because its answer was lost or its thread is gone, cannot be used, so it may be given
// again. A reply that tells no token is not judged; nor is one that tells the holder of a lock that is not
// reentrant its token once more, which is no other grant.
#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "model/program/interpreter.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void TokensGrow::grant(const model::Evaluated& seen, const model::Facts& facts) {
  if (!facts.setup().kinds[seen.purpose.kind]->promises.tokens || !facts.still_asks(seen.purpose)) return;
  const bool held = !facts.setup().kinds[seen.purpose.kind]->promises.reentrant && seen.before &&
                    seen.before->find(model::holder_of(seen.purpose, facts.setup())) != nullptr;
  for (const model::Item& item : seen.items) {
    if (item.what != model::Meaning::granted || !item.number) continue;
    Given& given = locks[seen.lock];
    if (held && given.greatest == item.number) continue;
    given.untold.push_back({seen.purpose.thread, *item.number, given.greatest, std::nullopt});
  }
}

void TokensGrow::tell(const model::Gained& seen, const Setup& setup, Findings& findings) {
  const auto found = locks.find(seen.lock);
  if (found == locks.end()) return;
  Given& given = found->second;
  const auto told = std::find_if(given.untold.begin(), given.untold.end(), [&](const Untold& one) {
    return one.thread == seen.thread && one.token == seen.token;
  });
  if (told == given.untold.end()) return;
  const Untold now = *told;
  if (now.before || now.after) findings.shows(Witness::another_token);
  const auto wrong = [&](std::int64_t other, const char* when) {
    findings.breaks(Property::tokens_grow, [&] {
      return fmt::format("{} gave {} the token {}, and {} {}", seen.lock, setup.thread_name(seen.thread),
                         now.token, when, other);
    });
  };
  if (now.before && now.token <= *now.before) wrong(*now.before, "had given before");
  else if (now.after && now.token >= *now.after) wrong(*now.after, "gave later");
  for (auto one = given.untold.begin(); one != given.untold.end(); ++one) {
    if (one < told) one->after = std::min(one->after.value_or(now.token), now.token);
    else one->before = std::max(one->before.value_or(now.token), now.token);
  }
  given.greatest = std::max(given.greatest.value_or(now.token), now.token);
  // What else its call was granted, by copies of its request, it is not told any more.
  const auto behind = std::remove_if(given.untold.begin(), std::next(told),
                                     [&](const Untold& one) { return one.thread == seen.thread; });
  given.untold.erase(behind, std::next(told));
}

/// Who is not told any more: the process is gone, or the call came to nothing.
void TokensGrow::forget(const model::Observation& observation, const Setup& setup) {
  const auto forget = [&](auto such) {
    for (auto& [lock, given] : locks) std::erase_if(given.untold, such);
  };
  if (const auto* crashed = std::get_if<model::ProcessCrashed>(&observation))
    forget([&](const Untold& one) { return setup.process_of(one.thread) == crashed->process; });
  const auto* returned = std::get_if<model::Returned>(&observation);
  if (returned == nullptr || !model::is_acquire(returned->call) || returned->answer == model::Answer::yes)
    return;
  const auto given = locks.find(returned->lock);
  if (given != locks.end())
    std::erase_if(given->second.untold, [&](const Untold& one) { return one.thread == returned->thread; });
}

void TokensGrow::see(const model::Observation& observation, const model::Facts& facts, Findings& findings) {
  if (const auto* seen = std::get_if<model::Evaluated>(&observation)) return grant(*seen, facts);
  if (const auto* seen = std::get_if<model::Gained>(&observation))
    return tell(*seen, facts.setup(), findings);
  if (!locks.empty()) forget(observation, facts.setup());
}

bool has_tokens(const Setup& setup) {
  return std::any_of(setup.objects.begin(), setup.objects.end(), [&](const model::LockObject& object) {
    return setup.kinds[object.kind]->promises.tokens;
  });
}

}  // namespace lockstep::properties
