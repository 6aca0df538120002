#include "scenarios/format/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "model/client/lock_kind.h"
#include "model/program/interpreter.h"
#include "model/redis/arguments.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/step_parser.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

namespace {

using model::Setup;
using model::Step;
using model::StepKind;

/// How often steps of all programs use a name, and the thread and step that did so first.
struct Use {
  std::size_t taken = 0, leased = 0, released = 0, count = 0;
  std::string first;

  void add(const Setup& setup, const model::ThreadSetup& thread, const Step& step) {
    if (model::is_acquire(step.kind)) ++taken;
    if (step.lease) ++leased;
    if (step.kind == StepKind::unlock || step.kind == StepKind::force_unlock) ++released;
    if (count++ == 0) first = fmt::format("{}: `{}`", thread.name, print_step(step, setup));
  }
};
using Uses = std::map<std::string, Use>;

struct AllUses {
  Uses locks, resources, signals;
  /// By lock and who calls them so: the objects of equal processes. Those of the first one count.
  std::map<std::pair<std::string, std::uint16_t>, Uses> objects;
};

bool is_first_of_its_like(const Setup& setup, sim::ProcessId process) {
  const auto like = [&](const model::ProcessSetup& one) {
    return one.alike == setup.processes[process.index()].alike;
  };
  const auto first = std::find_if(setup.processes.begin(), setup.processes.end(), like);
  return &*first == &setup.processes[process.index()];
}

AllUses uses_of(const Setup& setup) {
  AllUses all;
  for (const model::ThreadSetup& thread : setup.threads)
    for (const Step& step : thread.program) {
      if (step.kind == StepKind::signal || step.kind == StepKind::await)
        all.signals[setup.signals[step.signal]].add(setup, thread, step);
      if (step.kind == StepKind::command || !is_call(step.kind)) continue;
      const model::LockObject& object = setup.objects[step.object];
      if (step.kind == StepKind::write) {
        all.resources[object.name].add(setup, thread, step);
        continue;
      }
      all.locks[print_lock(object, setup.kinds)].add(setup, thread, step);
      if (!object.via.empty() && is_first_of_its_like(setup, thread.process))
        all.objects[{print_lock(object, setup.kinds), setup.processes[thread.process.index()].alike}]
                   [object.via]
                       .add(setup, thread, step);
    }
  return all;
}

/// ", and there is `orders`": another name of its kind that it may be a slip of.
std::string like(const std::string& name, const Uses& uses) {
  std::vector<std::string> others;
  for (const auto& [other, use] : uses)
    if (other != name) others.push_back(other);
  const std::string hint = did_you_mean(name, others);
  return hint.empty() ? "" : "; " + hint;
}

void add_once(std::vector<std::string>& found, const Uses& uses, std::string_view what) {
  for (const auto& [name, use] : uses)
    if (use.count == 1)
      found.push_back(
          fmt::format("{}: the {} `{}` is named nowhere else{}", use.first, what, name, like(name, uses)));
}

/// What one trylock of a program is to its lock: how often that is held before, and which unlock gives back
/// what the trylock takes, wherever it stands.
class Trylock {
 public:
  Trylock(const Setup& setup, const std::vector<Step>& program, std::size_t at)
      : setup_(setup), program_(program), at_(at) {}

  bool held_before() const {
    std::int64_t held = 0;
    for (std::size_t i = 0; i < at_; ++i) held += change_of(program_[i]);
    return held > 0;
  }
  bool is_expected_to_succeed() const {
    return at_ + 1 < program_.size() && program_[at_ + 1].kind == StepKind::expect &&
           program_[at_ + 1].answer == model::Answer::yes;
  }
  const Step* its_unlock() const {
    std::int64_t held = 1;
    for (std::size_t i = at_ + 1; i < program_.size(); ++i) {
      if (program_[i].kind == StepKind::repeat) i = program_[i].jump - 1;  // gives back what it takes
      else if ((held += change_of(program_[i])) == 0) return &program_[i];
    }
    return nullptr;
  }
  bool skips_nothing() const {
    std::size_t next = at_ + 1;
    while (next < program_.size() && program_[next].kind == StepKind::expect) ++next;
    return program_[at_].jump == next;
  }

 private:
  std::int64_t change_of(const Step& step) const {
    const bool takes = model::is_acquire(step.kind);
    if (!takes && step.kind != StepKind::unlock) return 0;
    if (!same_lock(setup_.objects[step.object], setup_.objects[program_[at_].object])) return 0;
    return takes ? 1 : -1;
  }

  const Setup& setup_;
  const std::vector<Step>& program_;
  std::size_t at_;
};

/// A refusal leads to the unlock of what was not given if that stands outside of the trylock's own block.
void add_refusals(std::vector<std::string>& found, const Setup& setup) {
  for (const model::ThreadSetup& thread : setup.threads)
    for (std::size_t i = 0; i < thread.program.size(); ++i) {
      if (thread.program[i].kind != StepKind::try_lock) continue;
      const Trylock trylock(setup, thread.program, i);
      if (!trylock.skips_nothing() || trylock.held_before() || trylock.is_expected_to_succeed()) continue;
      const Step* unlock = trylock.its_unlock();
      if (unlock == nullptr) continue;
      const auto text = [&](const Step& step) { return print_step(step, setup); };
      found.push_back(fmt::format(
          "{}: `{}`: if it is refused no step is skipped, and `{}`, outside of its block, releases what "
          "was not taken; it belongs in front of that block",
          thread.name, text(thread.program[i]), text(*unlock)));
    }
}

bool takes_time(const Step& step) {
  const bool passes = step.kind == StepKind::work || step.kind == StepKind::think;
  return (passes && step.span.lo > sim::Duration::zero()) ||
         (step.kind == StepKind::try_lock && step.wait.value_or(sim::Duration{}) > sim::Duration::zero());
}

/// Rounds without an end that take no time as long as a trylock is refused.
void add_idle_rounds(std::vector<std::string>& found, const Setup& setup) {
  for (const model::ThreadSetup& thread : setup.threads) {
    const std::vector<Step>& program = thread.program;
    for (std::size_t loop = 0; loop < program.size(); ++loop) {
      if (program[loop].kind != StepKind::repeat || program[loop].count != 0) continue;
      for (std::size_t i = loop + 1; i < program[loop].jump; ++i) {
        if (program[i].kind != StepKind::try_lock) continue;
        const auto idle = [&](std::size_t from, std::size_t to) {
          return std::none_of(program.begin() + static_cast<std::ptrdiff_t>(from),
                              program.begin() + static_cast<std::ptrdiff_t>(std::max(from, to)), takes_time);
        };
        if (!idle(loop + 1, i + 1) || !idle(program[i].jump, program[loop].jump)) continue;
        found.push_back(fmt::format(
            "{}: `{}`: if it is refused, the round of `repeat forever` takes no time, and the next begins at "
            "once; a `work` or `think` belongs behind its unlock",
            thread.name, print_step(program[i], setup)));
      }
    }
  }
}

/// Empty if nothing is wrong with it.
std::string what_is_wrong(const Use& use) {
  if (use.taken == 0 && use.released > 0) return "is released and never taken";
  if (use.taken > use.leased && use.released == 0) return "is taken and never released";
  return use.taken == 0 ? "is asked about and never taken" : "";
}

std::string without_digits(std::string name) {
  std::erase_if(name, [](char at) { return at >= '0' && at <= '9'; });
  return name;
}

/// Its likes are told apart by a number: they are meant to be several.
bool is_numbered(const std::string& name, const Uses& uses) {
  return std::any_of(uses.begin(), uses.end(), [&](const auto& other) {
    return other.first != name && without_digits(other.first) == without_digits(name);
  });
}

/// Objects of locks with which nothing is wrong. One that is used once may be a slip of another.
void add_objects(std::vector<std::string>& found, const AllUses& all) {
  for (const auto& [whose, objects] : all.objects)
    for (const auto& [via, use] : objects) {
      const std::string& lock = whose.first;
      if (!what_is_wrong(all.locks.at(lock)).empty() || is_numbered(via, objects)) continue;
      std::string what = what_is_wrong(use);
      const std::string near = like(via, objects);
      if (what.empty() && use.count == 1 && !near.empty()) what = "is named nowhere else";
      if (!what.empty())
        found.push_back(
            fmt::format("{}: the object `{}` of the lock `{}` {}{}", use.first, via, lock, what, near));
    }
}

/// What is certain of the holds of one lock, program by program, in the order of their steps.
struct Holds {
  bool outlast_leases = true;  // each of them
  std::string first;
};

/// How long a thread works at least while it holds, against the lease that it asked for last.
void look_at_leases(const Setup& setup, const model::ThreadSetup& thread,
                    std::map<std::string, Holds>& found) {
  struct Hold {
    std::optional<sim::Duration> lease;
    sim::Duration worked{};
  };
  std::map<std::string, Hold> held;
  for (const Step& step : thread.program) {
    if (step.kind == StepKind::work || step.kind == StepKind::think)
      for (auto& [lock, hold] : held) hold.worked += step.span.lo;
    const bool gives_back = step.kind == StepKind::unlock || step.kind == StepKind::force_unlock;
    if (!gives_back && !model::is_acquire(step.kind)) continue;
    const std::string lock = print_lock(setup.objects[step.object], setup.kinds);
    if (!gives_back) {
      held[lock] = {step.lease};
      continue;
    }
    const auto hold = held.find(lock);
    if (hold == held.end()) continue;
    Holds& all = found[lock];
    const bool over = hold->second.lease && hold->second.worked > *hold->second.lease;
    if (!over) all.outlast_leases = false;
    else if (all.first.empty())
      all.first = fmt::format("{}: `{}`: the lease of the lock `{}` ({}) is always over before its release",
                              thread.name, print_step(step, setup), lock, print(*hold->second.lease));
  }
}

/// The letter of the setting by which a server publishes an event (redis.conf).
char letter_of(std::string_view event) {
  constexpr std::array<std::pair<std::string_view, char>, 8> classes{{{"expired", 'x'},
                                                                      {"set", '$'},
                                                                      {"hdel", 'h'},
                                                                      {"hset", 'h'},
                                                                      {"lrem", 'l'},
                                                                      {"lpop", 'l'},
                                                                      {"srem", 's'},
                                                                      {"zrem", 'z'}}};
  for (const auto& [name, letter] : classes)
    if (name == event) return letter;
  return 'g';
}

/// Letters of the events that servers publish: by the setup, or as soon as a program says so.
std::string published_events(const Setup& setup) {
  std::string letters = setup.notify;
  for (const model::ThreadSetup& thread : setup.threads)
    for (const Step& step : thread.program)
      if (step.kind == StepKind::command && step.words.size() == 4 &&
          redis::is_option(step.words[2], "notify-keyspace-events"))
        letters += step.words[3];
  return letters;
}

/// Schemes that wait for events which no server publishes.
void add_unheard(std::vector<std::string>& found, const Setup& setup) {
  std::set<std::string> told;
  const std::string events = published_events(setup);
  for (const model::LockObject& object : setup.objects) {
    const model::Scheme* scheme = setup.kinds[object.kind]->scheme;
    if (scheme == nullptr || scheme->retry.how != model::Retry::How::keyspace_event) continue;
    const auto has = [&](char letter) { return events.find(letter) != std::string::npos; };
    for (const std::string& event : scheme->retry.events) {
      const bool published = has('K') && (has('A') || has(letter_of(event)));
      if (!published && told.insert(scheme->name + event).second)
        found.push_back(
            fmt::format("[scheme.{}] waits for the event `{}`, which no server publishes: [redis] "
                        "wants `notify-keyspace-events = \"K{}\"`",
                        scheme->name, event, letter_of(event)));
    }
  }
}

}  // namespace

std::vector<std::string> warnings(const Setup& setup) {
  const AllUses all = uses_of(setup);
  std::vector<std::string> found;
  for (const auto& [name, use] : all.locks)
    if (const std::string what = what_is_wrong(use); !what.empty())
      found.push_back(fmt::format("{}: the lock `{}` {}{}", use.first, name, what, like(name, all.locks)));
  add_refusals(found, setup);
  add_idle_rounds(found, setup);
  add_objects(found, all);
  add_unheard(found, setup);
  std::map<std::string, Holds> holds;
  for (const model::ThreadSetup& thread : setup.threads) look_at_leases(setup, thread, holds);
  for (const auto& [lock, its] : holds)
    if (its.outlast_leases) found.push_back(its.first);
  add_once(found, all.resources, "resource");
  add_once(found, all.signals, "signal");
  for (std::string& warning : fixed_fault_warnings(setup)) found.push_back(std::move(warning));
  for (std::string& warning : limit_warnings(setup)) found.push_back(std::move(warning));
  return found;
}

}  // namespace lockstep::scenarios
