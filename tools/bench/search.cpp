// search.cpp: how fast a whole question is decided: every schedule of plain/three-clients.
//
// Each iteration is one exhaustive search, with a script engine of its own, and all properties watched.
#include <memory>

#include "properties/check/searching.h"
#include "sim/base/verify.h"
#include "sim/search/search.h"
#include "sim/toys/leased_lock.h"
#include "tools/bench/suite.h"
#include "tools/cli/load.h"

namespace lockstep::tools::bench {

namespace {

using properties::Checked;

void search(benchmark::State& state, const model::Setup& setup, bool symmetry, properties::Memories memory) {
  std::uint64_t states = 0, transitions = 0;
  for (auto _ : state) {
    Checked system(setup);
    sim::SearchOptions<Checked> options;
    options.symmetry = symmetry;
    const auto outcome = properties::search(system, std::move(options), memory);
    VERIFY(outcome.complete() && outcome.violated == 0);
    states += outcome.states;
    transitions += outcome.transitions;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(transitions));
  state.counters["states"] = benchmark::Counter(static_cast<double>(states), benchmark::Counter::kIsRate);
}

/// The explorer alone, on what SPIN searches as well (tools/bench/beside_spin).
void search_leased_lock(benchmark::State& state) {
  constexpr std::size_t clients = 3;
  constexpr std::uint64_t states_by_spin = 353'244;
  std::uint64_t transitions = 0;
  for (auto _ : state) {
    sim::toys::LeasedLock system(clients);
    sim::SearchOptions<sim::toys::LeasedLock> options;
    options.symmetry = options.zeno = options.endings = false;
    const auto outcome = sim::explore(system, std::move(options));
    VERIFY(outcome.states == states_by_spin && outcome.violated == 0);
    transitions += outcome.transitions;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(transitions));
}

}  // namespace

sim::Result<std::vector<Benchmark>> search_family() {
  auto loaded = load_scenario("plain/three-clients", {});
  if (!loaded) return loaded.problem();
  const auto setup = std::make_shared<const model::Setup>(std::move(*loaded));
  const auto searching = [setup](bool symmetry, properties::Memories memory = properties::Memories::usual) {
    return [=](benchmark::State& state) { search(state, *setup, symmetry, memory); };
  };
  const Target fifty_thousand{Target::Of::items_per_second, 50'000};
  return std::vector<Benchmark>{
      {"search/three-clients", "transition", "every schedule of three equal processes, each state for itself",
       searching(false), fifty_thousand},
      {"search/three-clients-symmetry", "transition",
       "one representative for states that differ in names only", searching(true), fifty_thousand},
      {"search/three-clients-anew", "transition", "each state for itself, and no step is remembered",
       searching(false, properties::Memories::none), fifty_thousand},
      {"search/leased-lock-3", "transition", "a small model of three clients, the same that SPIN is given",
       search_leased_lock, {}},
  };
}

}  // namespace lockstep::tools::bench
