#include "sim/trail/trail.h"

#include "sim/base/verify.h"
#include "tools/fuzz/fuzz.h"

namespace lockstep::tools::fuzz {

void trail(std::string_view input) {
  const auto read = sim::parse_trail(input, "fuzz.trail");
  if (!read.ok()) {
    VERIFY(!read.problem().text.empty());
    return;
  }
  const std::string printed = sim::text_of(*read);
  const auto again = sim::parse_trail(printed, "fuzz.trail");
  VERIFY(again.ok());
  VERIFY(*again == *read);
}

}  // namespace lockstep::tools::fuzz
