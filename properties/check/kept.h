// kept.h: the search of a check that did not end, so that a later check goes on with it.
//
// It is of one question: scenario, scripts, properties, symmetry or not, and what runs begin with. That it is
// of the same question is for who keeps it to know (tools/kept). Limits and workers may be others.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "properties/check/checked.h"
#include "sim/search/learned.h"

namespace lockstep::properties {

struct KeptSearch {
  sim::Learned learned;
  Checked::Met met;
  // How the search was begun last (check.cpp).
  bool with_now = false, watch_names = false;
  std::size_t alike_max = ~std::size_t{0};
  std::optional<std::string> symmetry_off;
};

}  // namespace lockstep::properties
