// Random histories: those that a lock produced are explained, and for small ones, whatever they say, the
// search agrees with trying every order.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "properties/histories/fair_spec.h"
#include "properties/histories/fenced_spec.h"
#include "properties/histories/lease_spec.h"
#include "properties/histories/linearizable.h"
#include "properties/histories/mutex_spec.h"
#include "properties/histories/read_write_spec.h"
#include "properties/histories/reentrant_spec.h"
#include "properties/histories/testing/written_history.h"

namespace lockstep::histories {
namespace {

constexpr std::array all_specs{LockSpec::mutex, LockSpec::reentrant,  LockSpec::lease,
                               LockSpec::fair,  LockSpec::read_write, LockSpec::fenced};

constexpr std::array every_answer{Said::granted,  Said::refused, Said::done,
                                  Said::not_held, Said::yes,     Said::no};

Operation random_operation(LockSpec spec, Thread thread) {
  Operation operation{.thread = thread, .lock = "orders"};
  operation.verb = *rc::gen::weightedElement<Verb>({{4, Verb::lock},
                                                    {4, Verb::try_lock},
                                                    {5, Verb::unlock},
                                                    {1, Verb::force_unlock},
                                                    {1, Verb::is_locked},
                                                    {1, Verb::is_held}});
  if (spec == LockSpec::read_write && *rc::gen::arbitrary<bool>()) operation.mode = Mode::shared;
  if (spec == LockSpec::lease && *rc::gen::arbitrary<bool>())
    operation.lease = *rc::gen::inRange(1, 6) * second;
  return operation;
}

/// Answers that some lock of the kind gives, in an order of taking effect that is drawn; the calls overlap,
/// and some are never answered.
template <class Spec>
History produced(LockSpec kind, std::size_t calls, Thread threads) {
  History history;
  for (Thread t = 0; t < threads; ++t) history.threads.push_back(fmt::format("T{}", t));
  Spec state;
  std::vector<std::optional<std::size_t>> open(threads);  // its operation, if it is in one
  std::vector<bool> settled(threads);
  std::uint32_t event = 0;
  std::int64_t token = 0;
  Time now = 0;
  const auto place = [&] {
    const Place here{event, event + 1, now};
    history.lines.push_back(here.line);
    ++event;
    return here;
  };
  for (std::size_t turns = 0; turns < 12 * calls; ++turns) {
    now += *rc::gen::inRange(0, 3) * second;
    const Thread t = *rc::gen::inRange<Thread>(0, threads);
    if (!open[t]) {
      if (history.operations.size() == calls) continue;
      history.operations.push_back(random_operation(kind, t));
      history.operations.back().begin = place();
      open[t] = history.operations.size() - 1;
      settled[t] = false;
      continue;
    }
    Operation& operation = history.operations[*open[t]];
    if (settled[t]) {
      const Place here = place();
      if (*rc::gen::inRange(0, 8) > 0) operation.end = here;
      else operation.answer = {};  // an event of which nobody hears anything
      open[t].reset();
      continue;
    }
    Call call{.verb = operation.verb, .thread = t, .mode = operation.mode};
    if (kind == LockSpec::lease) {
      call.from = call.until = now;
      call.lease = operation.lease.value_or(never);
    }
    const Said said = *rc::gen::elementOf(every_answer);
    const bool fits = is_acquire(call.verb)       ? said == Said::granted || said == Said::refused
                      : call.verb == Verb::unlock ? said == Said::done || said == Said::not_held
                                                  : said == Said::yes || said == Said::no;
    if (!fits) continue;
    const Answer answer{
        said, said == Said::granted ? std::optional(token + *rc::gen::inRange(1, 3)) : std::nullopt};
    const auto next = state.step(call, answer);
    if (next.empty()) continue;
    state = next.back();
    if (answer.token) token = *answer.token;
    operation.answer = answer;
    settled[t] = true;
  }
  return history;  // what is open is pending, and its answer is of no account
}

History produced_by(LockSpec kind, std::size_t calls, Thread threads) {
  History history;
  switch (kind) {
    case LockSpec::mutex:
      history = produced<MutexSpec>(kind, calls, threads);
      break;
    case LockSpec::reentrant:
      history = produced<ReentrantSpec>(kind, calls, threads);
      break;
    case LockSpec::lease:
      history = produced<LeaseSpec>(kind, calls, threads);
      break;
    case LockSpec::fair:
      history = produced<FairSpec>(kind, calls, threads);
      break;
    case LockSpec::read_write:
      history = produced<ReadWriteSpec>(kind, calls, threads);
      break;
    case LockSpec::fenced:
      history = produced<FencedSpec>(kind, calls, threads);
      break;
  }
  for (Operation& operation : history.operations)
    if (!operation.end) operation.answer = {};
  return history;
}

/// Some answers are others, and some calls end elsewhere.
void mutate(History& history) {
  for (int changes = *rc::gen::inRange(1, 3); changes > 0 && !history.operations.empty(); --changes) {
    Operation& operation =
        *(history.operations.begin() + *rc::gen::inRange<long>(0, long(history.operations.size())));
    if (!operation.end) continue;
    const bool acquires = is_acquire(operation.verb), gives = operation.verb == Verb::unlock;
    const Said bad = acquires ? Said::refused : gives ? Said::not_held : Said::no;
    const Said good = acquires ? Said::granted : gives ? Said::done : Said::yes;
    const bool fails = *rc::gen::inRange(0, 3) == 0;  // nobody says why
    operation.answer.said = fails ? Said::nothing : operation.answer.said == bad ? good : bad;
    operation.answer.token = *rc::gen::inRange<std::int64_t>(1, 6);
  }
}

// ---- every order

struct Whole {
  const History& history;
  LockSpec kind;
};

template <class Spec>
bool may_follow(const Whole& whole, const Spec& state, std::vector<char>& done, std::vector<char>& asked) {
  const auto& all = whole.history.operations;
  const auto over = [&](std::size_t i) { return !all[i].end || done[i]; };
  bool every = true;
  for (std::size_t i = 0; i < all.size(); ++i) every = every && over(i);
  if (every) return true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool too_soon = std::any_of(all.begin(), all.end(), [&](const Operation& other) {
      const auto o = static_cast<std::size_t>(&other - all.data());
      return !over(o) && other.end->event < all[i].begin.event;
    });
    if (done[i] || too_soon) continue;
    Call call{.verb = all[i].verb, .thread = all[i].thread, .mode = all[i].mode};
    if (whole.kind == LockSpec::lease) {
      call.from = *all[i].begin.time;
      call.until = all[i].end ? *all[i].end->time : never;
      call.lease = all[i].lease.value_or(never);
    }
    if (!all[i].end && is_question(call.verb)) continue;
    if (Spec::has_queue && is_acquire(call.verb) && !asked[i]) {
      Call ask = call;
      ask.part = Part::ask;
      asked[i] = true;
      for (const Spec& next : state.step(ask, all[i].answer))
        if (may_follow(whole, next, done, asked)) return true;
      asked[i] = false;
    }
    done[i] = true;
    for (const Spec& next : state.step(call, all[i].answer))
      if (may_follow(whole, next, done, asked)) return true;
    done[i] = false;
  }
  return false;
}

template <class Spec>
bool some_order(const History& history, LockSpec kind) {
  std::vector<char> done(history.operations.size()), asked(history.operations.size());
  return may_follow(Whole{history, kind}, Spec{}, done, asked);
}

bool some_order_explains(const History& history, LockSpec kind) {
  switch (kind) {
    case LockSpec::mutex:
      return some_order<MutexSpec>(history, kind);
    case LockSpec::reentrant:
      return some_order<ReentrantSpec>(history, kind);
    case LockSpec::lease:
      return some_order<LeaseSpec>(history, kind);
    case LockSpec::fair:
      return some_order<FairSpec>(history, kind);
    case LockSpec::read_write:
      return some_order<ReadWriteSpec>(history, kind);
    case LockSpec::fenced:
      return some_order<FencedSpec>(history, kind);
  }
  return false;
}

Explained verdict_on(const History& history, LockSpec kind) {
  return all_explained(judge(history, {.spec = kind}));
}

/// Up to an event: what ends there or later is pending.
History prefix_of(const History& history, std::uint32_t event) {
  History prefix = history;
  std::erase_if(prefix.operations, [&](const Operation& one) { return one.begin.event >= event; });
  for (Operation& one : prefix.operations)
    if (one.end && one.end->event >= event) {
      one.end.reset();
      one.answer = {};
    }
  return prefix;
}

RC_GTEST_PROP(Linearizable, WhatALockDidIsExplained, ()) {
  const LockSpec kind = *rc::gen::elementOf(all_specs);
  const auto calls = *rc::gen::inRange<std::size_t>(1, 30);
  RC_ASSERT(verdict_on(produced_by(kind, calls, *rc::gen::inRange<Thread>(1, 5)), kind) == Explained::yes);
}

RC_GTEST_PROP(Linearizable, TheSearchAgreesWithTryingEveryOrder, ()) {
  const LockSpec kind = *rc::gen::elementOf(all_specs);
  History history = produced_by(kind, *rc::gen::inRange<std::size_t>(1, 7), *rc::gen::inRange<Thread>(1, 4));
  mutate(history);
  const bool explained = some_order_explains(history, kind);
  RC_TAG(explained);
  RC_ASSERT((verdict_on(history, kind) == Explained::yes) == explained);
}

RC_GTEST_PROP(Linearizable, ThePrefixIsExplainedAndOneEventMoreIsNot, ()) {
  const LockSpec kind = *rc::gen::elementOf(all_specs);
  History history = produced_by(kind, 12, 4);
  mutate(history);
  const auto verdicts = judge(history, {.spec = kind});
  RC_PRE(all_explained(verdicts) == Explained::no);
  const auto last = static_cast<std::uint32_t>(verdicts.front().last_line);  // of event 0 it is 1
  RC_ASSERT(verdict_on(prefix_of(history, last), kind) == Explained::yes);
  RC_ASSERT(verdict_on(prefix_of(history, last + 1), kind) == Explained::no);
}

RC_GTEST_PROP(Linearizable, ThePrefixIsTheLongestThatTryingEveryOrderExplains, ()) {
  const LockSpec kind = *rc::gen::elementOf(all_specs);
  History history = produced_by(kind, *rc::gen::inRange<std::size_t>(1, 7), *rc::gen::inRange<Thread>(1, 4));
  mutate(history);
  std::uint32_t longest = 0;
  for (std::uint32_t events = 1; events <= history.lines.size(); ++events)
    if (some_order_explains(prefix_of(history, events), kind)) longest = events;
  const LockVerdict verdict = judge(history, {.spec = kind}).front();
  RC_TAG(verdict.explained == Explained::yes);
  const std::uint64_t told = verdict.stuck ? verdict.last_line : history.lines.back();
  RC_ASSERT(told == history.lines[longest - 1]);
}

}  // namespace
}  // namespace lockstep::histories
