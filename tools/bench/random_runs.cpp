// random_runs.cpp: how long a random run takes for each lock operation that it simulates.
//
// An operation is one call of a program: a lock, a trylock or an unlock. Every run ends at rest with every
// property watched; each iteration is another seed.
#include <memory>
#include <string_view>

#include "properties/check/checked.h"
#include "properties/check/walking.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/format/reader.h"
#include "sim/base/random.h"
#include "sim/base/verify.h"
#include "sim/run/run.h"
#include "sim/run/uniform.h"
#include "sim/run/weighted.h"
#include "tools/bench/suite.h"
#include "tools/cli/load.h"

namespace lockstep::tools::bench {

namespace {

using properties::Checked;

// The shape of java/try-lock-unlock-cost, 10,000 operations long.
constexpr std::string_view alone = R"(format = 1
[process.A]
threads = [["""repeat 5000 { trylock mock-key#fresh wait=600000ms lease=600000ms; expect true;
                             unlock mock-key#fresh }"""]]
)";
constexpr std::string_view contended = R"(format = 1
[process.P]
count   = 3
threads = [["repeat 1667 { lock orders; work 1s; unlock orders }"]]
)";
constexpr std::string_view four = R"(format = 1
[process.P]
count   = 4
threads = [["lock orders; lock orders; work 1s; unlock orders; unlock orders"]]
[faults]
crash-process = 1
)";
constexpr std::int64_t alone_operations = 10'000, contended_operations = 10'002;

struct Question {
  std::shared_ptr<const model::Setup> setup;
  std::int64_t operations;
};

template <class Policy>
void runs(benchmark::State& state, const Question& question) {
  Checked system(*question.setup);
  const Checked::State start = system.initial();
  sim::RunLimits limits;
  limits.steps_max = limits.unwatched = 10'000'000;  // one thread on fresh keys never lets time pass
  std::uint64_t seed = 0;
  std::int64_t steps = 0;
  for (auto _ : state) {
    Policy policy{sim::Random{++seed}};
    const auto run = sim::run(system, start, static_cast<sim::Policy<Checked>&>(policy), limits);
    VERIFY(run.end == sim::End::at_rest && run.violated == 0);
    steps += static_cast<std::int64_t>(run.trail.size());
  }
  state.SetItemsProcessed(question.operations * state.iterations());
  state.counters["decisions"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

/// So many, with nothing known before the first; cut after 60 steps; drawn as `check --strategy random` draws
/// them.
void sampled_runs(benchmark::State& state, const model::Setup& setup, std::int64_t count) {
  properties::CheckOptions options{.strategy = properties::Strategy::random, .shrink = false};
  options.watched = properties::watched_in(setup, options.watched);
  const properties::MadeMoves none;
  std::int64_t simulated_ms = 0;
  for (auto _ : state) {
    properties::Walker walker(setup, options, none, {.drawn = 60});
    sim::Random random{1};
    for (std::int64_t number = 0; number < count; ++number) {
      const properties::Walked run = walker.walked(static_cast<std::uint64_t>(number), random.split());
      VERIFY(run.end == sim::End::steps_max && run.violations.empty());
      for (const auto& decision : run.trail)
        if (decision.move.passes_time()) simulated_ms += decision.move.by;
    }
  }
  state.SetItemsProcessed(state.iterations() * count);
  state.counters["simulated s"] =
      benchmark::Counter(static_cast<double>(simulated_ms) / 1'000, benchmark::Counter::kIsRate);
}

sim::Result<Question> question(std::string_view text, const char* name, std::int64_t operations) {
  const auto library = script_library();
  if (!library) return library.problem();
  auto setup = scenarios::read_scenario(text, name, *library, vocabulary());
  if (!setup) return setup.problem();
  return Question{std::make_shared<const model::Setup>(std::move(*setup)), operations};
}

}  // namespace

sim::Result<std::vector<Benchmark>> random_family() {
  const auto one = question(alone, "random/alone", alone_operations);
  if (!one) return one.problem();
  const auto three = question(contended, "random/contended", contended_operations);
  if (!three) return three.problem();
  const auto clients = question(four, "random/sampled", 1);
  if (!clients) return clients.problem();
  const auto with = [](auto run, const Question& asked) {
    return [=](benchmark::State& s) { run(s, asked); };
  };
  const Target a_second{Target::Of::seconds, 1};
  return std::vector<Benchmark>{
      {"random/alone", "lock operation", "10,000 operations on fresh keys by one thread, uniform",
       with(runs<sim::Uniform<Checked>>, *one), a_second},
      {"random/contended", "lock operation", "10,000 operations on one key by three processes, uniform",
       with(runs<sim::Uniform<Checked>>, *three), a_second},
      {"random/contended-weighted", "lock operation", "the same, drawn by kind of move with weights",
       with(runs<sim::Weighted<Checked>>, *three), a_second},
      {"random/sampled", "run of 60 steps",
       "100,000 of four clients and a crash, as samples walk over a graph",
       [setup = clients->setup](benchmark::State& s) { sampled_runs(s, *setup, 100'000); },
       Target{Target::Of::items_per_second, 50'000}},
      {"random/sampled-first", "run of 60 steps", "the first 5,000 of these, most of whose steps are new",
       [setup = clients->setup](benchmark::State& s) { sampled_runs(s, *setup, 5'000); },
       Target{Target::Of::items_per_second, 50'000}},
  };
}

}  // namespace lockstep::tools::bench
