// The corpus of properties/verdicts: small scenarios whose verdicts are known from thinking, each searched
// five ways that must agree: as usual, with all processes told apart, by whole states, by partial-order
// reduction, and by samples.
//
// A file may begin with `# exit: 3`: then the honest answer to some of it is that nobody knows.
#include <gtest/gtest.h>

#include <algorithm>

#include "properties/check/check.h"
#include "scenarios/corpus.h"
#include "scenarios/shipped_folders.h"
#include "sim/testing/sanitizers.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckOptions;
using properties::CheckReport;
using properties::Verdict;

class Verdicts : public testing::TestWithParam<std::string> {
 protected:
  const model::Setup setup_ = setup_in_corpus(GetParam());
  const bool open_ = remark(text_in_corpus(GetParam() + ".toml"), "exit") == "3";

  CheckReport found(CheckOptions options) const {
    options.shrink = false;
    return properties::check(setup_, options);
  }
  void expect_as_written(const CheckReport& report) const {
    for (const auto& result : report.results) {
      if (open_ && result.verdict == Verdict::unknown) continue;
      EXPECT_TRUE(properties::meets(result.verdict, properties::expected_of(setup_, result.property)))
          << properties::info(result.property).name << " is " << properties::name_of(result.verdict) << " "
          << result.why;
    }
  }
};

/// A trail, whole or as deviations, leads to the same violation again.
void expect_replays(const model::Setup& setup, const CheckReport& report) {
  for (const auto& result : report.results)
    for (const auto& trail : {result.trail, result.deviations}) {
      if (!trail) continue;
      const properties::Told told = properties::tell(setup, *trail);
      EXPECT_EQ(told.divergence, std::nullopt);
      EXPECT_NE(told.violated & properties::bit(result.property), 0U)
          << properties::info(result.property).name;
    }
}

TEST_P(Verdicts, AreAsKnown) {
  const CheckReport usual = found({.strategy = properties::Strategy::search});
  expect_as_written(usual);
  expect_replays(setup_, usual);
  EXPECT_TRUE(open_ || usual.complete);
}

TEST_P(Verdicts, AgreeHoweverTheyAreFound) {
  const bool one_in_four = GetParam().size() % 4 == 0;
  if (sim::testing::address_sanitizer && !one_in_four) GTEST_SKIP() << "slow under a sanitizer";
  const CheckReport usual = found({.strategy = properties::Strategy::search});
  const CheckReport apart = found({.strategy = properties::Strategy::search, .symmetry = false});
  const CheckReport exact = found({.strategy = properties::Strategy::search, .exact = true});
  const CheckReport reduced = found({.strategy = properties::Strategy::search, .reduce = true});
  const CheckReport sampled = found({.strategy = properties::Strategy::random, .runs = 60});
  ASSERT_EQ(usual.results.size(), apart.results.size());
  for (std::size_t i = 0; i < usual.results.size(); ++i) {
    const auto name = properties::info(usual.results[i].property).name;
    EXPECT_EQ(apart.results[i].verdict, usual.results[i].verdict) << name << " without symmetry";
    EXPECT_EQ(exact.results[i].verdict, usual.results[i].verdict) << name << " by whole states";
    EXPECT_EQ(reduced.results[i].verdict, usual.results[i].verdict) << name << " by reduction";
    if (sampled.results[i].verdict == Verdict::violated) {
      EXPECT_EQ(usual.results[i].verdict, Verdict::violated) << name << " in a sample";
    }
  }
  EXPECT_EQ(reduced.witnesses, usual.witnesses);
  expect_replays(setup_, reduced);
}

INSTANTIATE_TEST_SUITE_P(Corpus, Verdicts, testing::ValuesIn(names_in_corpus()),
                         [](const auto& name) { return test_name_of(name.param); });

}  // namespace
}  // namespace lockstep::scenarios
