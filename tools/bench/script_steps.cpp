// script_steps.cpp: the program lockstep-script-steps FILE: every state of a scenario, each for itself, where
// steps are remembered as in a check, but those in which a script answers a client run it each time.
// tools/bench/beside_spin measures it. Of the properties mutual-exclusion alone is watched.
#include <cstdlib>
#include <iostream>

#include "properties/check/searching.h"
#include "tools/cli/load.h"

namespace {

using namespace lockstep;

class Counter : public lua::Overseer {
 public:
  void begin(std::string_view, Kind) override { ++begun; }
  bool goes_on() override { return true; }

  std::uint64_t begun = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "lockstep-script-steps: give one scenario\n";
    return 2;
  }
  const auto setup = tools::load_scenario(argv[1], {});
  if (!setup) {
    std::cerr << setup.problem().text << '\n';
    return 2;
  }
  Counter counter;
  properties::Checked system(
      *setup, {.watched = properties::bit(properties::Property::mutual_exclusion), .overseer = &counter});
  sim::SearchOptions<properties::Checked> options;
  options.symmetry = options.zeno = options.endings = false;
  const auto found = properties::search(system, std::move(options), properties::Memories::but_for_scripts);
  std::cout << "{\"states\": " << found.states << ", \"transitions\": " << found.transitions
            << ", \"scripts\": " << counter.begun << "}\n";
  return found.complete() ? EXIT_SUCCESS : EXIT_FAILURE;
}
