// fair_spec.h: a reentrant lock that is given in the order in which threads came to wait for it.
//
// A call takes its place in the queue at one moment (Part::ask) and is given the lock at another; only at the
// head of the queue, or where nobody waits, is it given. It leaves its place with its answer. When it took
// its place cannot be seen from outside, unless the history says that it waits.
#pragma once

#include <algorithm>

#include "properties/histories/held.h"

namespace lockstep::histories {

struct FairSpec {
  static constexpr bool has_leases = false, has_tokens = false, has_queue = true;

  Held held;
  std::vector<Thread> queue;  // the first is next

  std::vector<FairSpec> step(const Call& call, const Answer& answer) const {
    if (call.part == Part::ask) return asked(call);
    if (!is_acquire(call.verb)) return with(next_of(held, call, answer, Reentry::counted), queue);
    switch (answer.said) {
      case Said::granted:
        return granted(call);
      case Said::refused:
        return refused(call);
      case Said::unknown:
        break;
      default:
        return left(call);
    }
    std::vector<FairSpec> next = granted(call);
    if (waits(call.thread))
      for (FairSpec& one : left(call)) next.push_back(std::move(one));
    return next;
  }
  std::string told(const Names& names) const {
    std::string text = histories::told(held, names);
    for (std::size_t i = 0; i < queue.size(); ++i)
      text += (i == 0 ? ", awaited by " : ", then ") + names[queue[i]];
    return text;
  }

  bool operator==(const FairSpec&) const = default;
  static auto fields(auto& s) { return std::tie(s.held, s.queue); }

 private:
  bool waits(Thread thread) const { return std::find(queue.begin(), queue.end(), thread) != queue.end(); }

  std::vector<Thread> without(Thread thread) const {
    std::vector<Thread> rest = queue;
    std::erase(rest, thread);
    return rest;
  }

  static std::vector<FairSpec> with(const std::vector<Held>& all, const std::vector<Thread>& waiting) {
    std::vector<FairSpec> next;
    for (const Held& one : all) {
      next.emplace_back();
      next.back().held = one;
      next.back().queue = waiting;
    }
    return next;
  }

  std::vector<FairSpec> asked(const Call& call) const {
    if (waits(call.thread)) return {};
    std::vector<Thread> longer = queue;
    longer.push_back(call.thread);
    return with(next_of(held, call, {Said::nothing, {}}, Reentry::counted), longer);
  }

  std::vector<FairSpec> granted(const Call& call) const {
    std::vector<Held> next = next_of(held, call, {Said::granted, {}}, Reentry::counted);
    const bool first = queue.empty() || queue.front() == call.thread;
    if (!first) std::erase_if(next, [](const Held& one) { return one.hold.depth == 1; });
    return with(next, without(call.thread));
  }

  /// Somebody else has it, or is to have it first.
  std::vector<FairSpec> refused(const Call& call) const {
    const bool behind = !queue.empty() && queue.front() != call.thread;
    const Said said = behind && held.hold.thread != call.thread ? Said::nothing : Said::refused;
    return with(next_of(held, call, {said, {}}, Reentry::counted), without(call.thread));
  }

  std::vector<FairSpec> left(const Call& call) const {
    return with(next_of(held, call, {Said::nothing, {}}, Reentry::counted), without(call.thread));
  }
};
static_assert(sim::State<FairSpec>);

}  // namespace lockstep::histories
