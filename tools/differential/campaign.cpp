#include "tools/differential/campaign.h"

#include <algorithm>

#include "model/redis/arguments.h"
#include "tools/differential/client_steps.h"
#include "tools/differential/cluster_steps.h"
#include "tools/differential/lock_steps.h"
#include "tools/differential/random_scripts.h"

namespace lockstep::differential {

namespace {

bool runs_a_script(const model::Command& command) {
  return !command.empty() && redis::to_lower(command[0]).starts_with("eval");
}

/// SORT looks up what its patterns name in the order of a hash table, if it sorts a set or a sorted set, so
/// that each server tells of the keys that it misses in an order of its own.
bool misses_by_chance(const model::Command& command) {
  if (command.empty() || !redis::to_lower(command[0]).starts_with("sort")) return false;
  return std::any_of(command.begin(), command.end(),
                     [](const std::string& word) { return word.find('*') != std::string::npos; });
}

}  // namespace

Tally run(const Plan& plan, BothSides& sides) {
  Tally tally;
  Dice seeds(plan.seed);
  while (tally.counted < plan.count && tally.differences.size() < plan.differences_max) {
    Dice dice = seeds.split();
    const Source source = plan.new_source();
    sides.begin();
    for (std::size_t i = 0; i < plan.steps_each && tally.counted < plan.count; ++i) {
      const Step step = source(dice, sides.model());
      sides.add(step);
      tally.commands += step.command.empty() ? 0 : 1;
      tally.time_steps += step.passes.count() != 0 ? 1 : 0;
      tally.counted += !plan.counts || plan.counts(step.command) ? 1 : 0;
    }
    const Steps steps = sides.steps();
    const auto found = sides.finish();
    if (!found) continue;
    if (found->real == nothing && sides.server().has_ended()) {
      tally.differences.push_back(as_test({steps, *found}) + "The server has ended in this sequence.\n");
      break;
    }
    tally.differences.push_back(as_test(shrink(sides, steps, *found)));
  }
  return tally;
}

Plan command_plan(std::uint64_t count, std::vector<Family> chosen) {
  Plan plan;
  plan.what = "commands";
  plan.count = count;
  plan.new_source = [chosen = std::move(chosen)]() -> Source {
    return [chosen](Dice& dice, const auto& model) { return random_step(dice, model, chosen); };
  };
  return plan;
}

Plan script_plan(std::uint64_t count) {
  Plan plan;
  plan.what = "scripts";
  plan.count = count;
  plan.counts = runs_a_script;
  plan.steps_each = 60;
  plan.new_source = []() -> Source {
    return
        [writer = ScriptSteps()](Dice& dice, const auto& model) mutable { return writer.next(dice, model); };
  };
  return plan;
}

Plan lock_plan(std::uint64_t count) {
  Plan plan;
  plan.what = "lock scripts";
  plan.count = count;
  plan.counts = runs_a_script;
  plan.new_source = []() -> Source {
    return [locks = LockSteps()](Dice& dice, const auto& model) mutable { return locks.next(dice, model); };
  };
  return plan;
}

Plan client_plan(std::uint64_t count) {
  Plan plan;
  plan.what = "commands of several clients";
  plan.count = count;
  plan.new_source = []() -> Source { return random_client_step; };
  return plan;
}

Plan cluster_plan(std::uint64_t count) {
  Plan plan;
  plan.what = "commands in a cluster";
  plan.count = count;
  plan.new_source = []() -> Source {
    return
        [steps = ClusterSteps()](Dice& dice, const auto& model) mutable { return steps.next(dice, model); };
  };
  return plan;
}

Plan event_plan(std::uint64_t count) {
  Plan plan;
  plan.what = "commands with events";
  plan.count = count;
  plan.new_source = []() -> Source {
    return [steps = 0](Dice& dice, const auto& model) mutable -> Step {
      ++steps;
      if (steps == 1) return {{}, {"CONFIG", "SET", "notify-keyspace-events", "KEAmn"}, {}};
      if (steps == 2) return {{}, {"PSUBSCRIBE", "*"}, model::ConnectionId{1}};
      Step step;
      do step = random_step(dice, model, {});
      while (misses_by_chance(step.command));
      return step;
    };
  };
  return plan;
}

}  // namespace lockstep::differential
