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

Plan plan_of(std::string what, std::uint64_t count, std::function<Source()> new_source) {
  Plan plan;
  plan.what = std::move(what);
  plan.count = count;
  plan.new_source = std::move(new_source);
  return plan;
}

/// Sequences of which each begins with fresh `Steps`.
template <class Steps>
Source fresh() {
  return [steps = Steps()](Dice& dice, const auto& model) mutable { return steps.next(dice, model); };
}

/// Listens, and then is told.
class EventSteps {
 public:
  Step next(Dice& dice, const redis::testing::TestClient& model) {
    ++steps_;
    if (steps_ == 1) return {{}, {"CONFIG", "SET", "notify-keyspace-events", "KEAmn"}, {}};
    if (steps_ == 2) return {{}, {"PSUBSCRIBE", "*"}, model::ConnectionId{1}};
    Step step;
    do step = random_step(dice, model, {});
    while (misses_by_chance(step.command));
    return step;
  }

 private:
  int steps_ = 0;
};

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
  return plan_of("commands", count, [chosen = std::move(chosen)]() -> Source {
    return [chosen](Dice& dice, const auto& model) { return random_step(dice, model, chosen); };
  });
}

Plan script_plan(std::uint64_t count) {
  Plan plan = plan_of("scripts", count, fresh<ScriptSteps>);
  plan.counts = runs_a_script;
  plan.steps_each = 60;
  return plan;
}

Plan lock_plan(std::uint64_t count) {
  Plan plan = plan_of("lock scripts", count, fresh<LockSteps>);
  plan.counts = runs_a_script;
  return plan;
}

Plan client_plan(std::uint64_t count) {
  return plan_of("commands of several clients", count, [] { return Source(random_client_step); });
}

Plan cluster_plan(std::uint64_t count) {
  return plan_of("commands in a cluster", count, fresh<ClusterSteps>);
}

Plan event_plan(std::uint64_t count) { return plan_of("commands with events", count, fresh<EventSteps>); }

}  // namespace lockstep::differential
