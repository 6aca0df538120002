// The comparison with a real server as a property: RapidCheck draws the sequences and shrinks them by leaving
// out steps. A step is a seed, from which the generator of the long runs makes command and time.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tools/differential/campaign.h"

namespace lockstep::differential {
namespace {

rc::Gen<std::vector<std::uint64_t>> step_seeds() {
  return rc::gen::scale(3.0, rc::gen::container<std::vector<std::uint64_t>>(
                                 rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>())));
}

/// Runs the steps that the seeds stand for; what is different, as a test to paste, or nothing.
std::string difference_of(BothSides& sides, const std::vector<std::uint64_t>& seeds, const Source& source) {
  sides.begin();
  for (const std::uint64_t seed : seeds) {
    Dice dice(seed);
    sides.add(source(dice, sides.model()));
  }
  const Steps steps = sides.steps();
  const auto found = sides.finish();
  return found ? as_test({steps, *found}) : "";
}

class DifferentialProperty : public testing::Test {
 protected:
  void SetUp() override {
    if (server().missing()) GTEST_SKIP() << server().problem();
    ASSERT_EQ(server().problem(), "");
  }

  /// One for all cases of a property; the fixture is made anew for each.
  static RealServer& server() {
    static RealServer one;
    return one;
  }
};

RC_GTEST_FIXTURE_PROP(DifferentialProperty, AnySequenceOfCommandsIsAnsweredAsARealServerAnswersIt, ()) {
  BothSides sides(server(), {});
  const auto seeds = *step_seeds();
  RC_ASSERT(difference_of(sides, seeds, command_plan(0, {}).new_source()) == "");
}

RC_GTEST_FIXTURE_PROP(DifferentialProperty, AnySequenceOfScriptsIsAnsweredAsARealServerAnswersIt, ()) {
  BothSides sides(server(), {});
  const auto seeds = *step_seeds();
  RC_ASSERT(difference_of(sides, seeds, script_plan(0).new_source()) == "");
}

}  // namespace
}  // namespace lockstep::differential
