// The least that a program does with the library, built with the flags of pkg-config: it reads a scenario.
#include <cstdio>

#include "scenarios/embedded.h"
#include "scenarios/format/reader.h"

int main() {
  using namespace lockstep::scenarios;
  const auto scripts = built_in_scripts({});
  if (!scripts) return 1;
  const char* text = "format = 1\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n";
  const auto setup = read_scenario(text, "mine", *scripts, {});
  if (!setup) return std::puts(setup.problem().text.c_str()), 1;
  std::printf("%zu thread of %zu scenarios\n", setup->threads.size(), embedded_scenarios().size());
  return setup->threads.size() == 1 ? 0 : 1;
}
