// test_mutant.h: a wrong script or client, and what must catch it (mutants_test.cpp).
#pragma once

#include <ostream>
#include <vector>

#include "model/redisson/settings.h"
#include "properties/monitors/catalog.h"

namespace lockstep::scenarios {

using Knob = void (*)(redisson::Settings&);

struct Mutant {
  const char* name;
  const char* scenario;
  const char* role;  // of the wrong script, or empty
  const char* script;
  Knob knob;  // or null
  std::vector<properties::Property> caught_by;
};

inline void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

}  // namespace lockstep::scenarios
