// search.cpp: how fast a whole question is decided: every schedule of plain/three-clients.
//
// Each iteration is one exhaustive search, with a script engine of its own, and all properties watched.
#include <memory>

#include "properties/check/checked.h"
#include "sim/base/verify.h"
#include "sim/search/search.h"
#include "tools/bench/suite.h"
#include "tools/cli/load.h"

namespace lockstep::tools::bench {

namespace {

using properties::Checked;

void search(benchmark::State& state, const model::Setup& setup, bool symmetry) {
  std::uint64_t states = 0, transitions = 0;
  for (auto _ : state) {
    Checked system(setup);
    sim::SearchOptions<Checked> options;
    options.symmetry = symmetry;
    const auto outcome = sim::explore(system, std::move(options));
    VERIFY(outcome.complete() && outcome.violated == 0);
    states += outcome.states;
    transitions += outcome.transitions;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(transitions));
  state.counters["states"] = benchmark::Counter(static_cast<double>(states), benchmark::Counter::kIsRate);
}

}  // namespace

sim::Result<std::vector<Benchmark>> search_family() {
  auto loaded = load_scenario("plain/three-clients", {});
  if (!loaded) return loaded.problem();
  const auto setup = std::make_shared<const model::Setup>(std::move(*loaded));
  const auto searching = [setup](bool symmetry) {
    return [setup, symmetry](benchmark::State& state) { search(state, *setup, symmetry); };
  };
  const Target fifty_thousand{Target::Of::items_per_second, 50'000};
  return std::vector<Benchmark>{
      {"search/three-clients", "transition", "every schedule of three equal processes, each state for itself",
       searching(false), fifty_thousand},
      {"search/three-clients-symmetry", "transition",
       "one representative for states that differ in names only", searching(true), fifty_thousand},
  };
}

}  // namespace lockstep::tools::bench
