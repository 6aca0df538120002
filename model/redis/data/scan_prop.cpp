// The promise of SCAN: an element that is there from the first call to the last is returned.
#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include "model/redis/data/scan.h"
#include "sim/base/random.h"

namespace lockstep::redis {
namespace {

std::set<std::string> numbered(const char* prefix, std::size_t n) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < n; ++i) names.insert(prefix + std::to_string(i));
  return names;
}

RC_GTEST_PROP(Scan, ReturnsWhatIsThereAllTheTimeWhileOtherKeysComeAndGo, ()) {
  const std::set<std::string> steady = numbered("steady", *rc::gen::inRange<std::size_t>(0, 60));
  std::set<std::string> present = steady, found;
  sim::Random dice(*rc::gen::arbitrary<std::uint64_t>());
  const auto wanted = *rc::gen::inRange<std::uint64_t>(1, 20);
  std::uint64_t cursor = 0;
  int steps = 0;
  do {
    const std::vector<std::string_view> names(present.begin(), present.end());
    const ScanStep step = scan_step(names, cursor, wanted);
    for (const std::size_t place : step.places) found.insert(std::string(names[place]));
    cursor = step.cursor;
    // The table grows and shrinks by any factor between two calls.
    present = steady;
    present.merge(numbered("passing", dice.below(2) == 0 ? 0 : dice.below(500)));
    RC_ASSERT(++steps < 10'000);
  } while (cursor != 0);
  RC_ASSERT(std::includes(found.begin(), found.end(), steady.begin(), steady.end()));
}

RC_GTEST_PROP(Scan, ReturnsEachElementOnceIfNothingChanges, ()) {
  const std::set<std::string> present = numbered("key", *rc::gen::inRange<std::size_t>(0, 300));
  const std::vector<std::string_view> names(present.begin(), present.end());
  const auto wanted = *rc::gen::inRange<std::uint64_t>(1, 400);
  std::vector<bool> seen(names.size(), false);
  std::uint64_t cursor = 0;
  do {
    const ScanStep step = scan_step(names, cursor, wanted);
    for (const std::size_t place : step.places) {
      RC_ASSERT(!seen[place]);
      seen[place] = true;
    }
    cursor = step.cursor;
  } while (cursor != 0);
  RC_ASSERT(std::find(seen.begin(), seen.end(), false) == seen.end());
}

}  // namespace
}  // namespace lockstep::redis
