#include "scenarios/format/lint.h"

#include <fmt/format.h>

#include <map>

#include "model/client/lock_kind.h"
#include "model/program/interpreter.h"
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
    if (count++ == 0)
      first = fmt::format("{}: `{}`", thread.name, print_step(step, setup.objects, setup.signals));
  }
};
using Uses = std::map<std::string, Use>;

struct AllUses {
  Uses locks, resources, signals;
};

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
      all.locks[print_lock(object)].add(setup, thread, step);
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
      found.push_back(fmt::format("{}: the {} `{}` is named nowhere else{}", use.first, what, name,
                                  like(name, uses)));
}

}  // namespace

std::vector<std::string> warnings(const Setup& setup) {
  const AllUses all = uses_of(setup);
  std::vector<std::string> found;
  for (const auto& [name, use] : all.locks) {
    std::string what;
    if (use.taken == 0 && use.released > 0) what = "is released and never taken";
    else if (use.taken > use.leased && use.released == 0) what = "is taken and never released";
    else if (use.taken == 0) what = "is asked about and never taken";
    if (!what.empty())
      found.push_back(fmt::format("{}: the lock `{}` {}{}", use.first, name, what, like(name, all.locks)));
  }
  add_once(found, all.resources, "resource");
  add_once(found, all.signals, "signal");
  return found;
}

}  // namespace lockstep::scenarios
