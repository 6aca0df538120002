// `lockstep shrink --by`: what is to be little is little, and the property is broken still.
#include "properties/check/shrinking.h"
#include "tools/cli/cli_fixture.h"
#include "tools/cli/load.h"
#include "tools/graph/decided_run.h"

namespace lockstep::tools {
namespace {

using properties::ShrinkBy;

// B comes to be beside A, and C has nothing to do with it.
constexpr const char* crowd = R"(format = 1
name = "crowd"
[process.A]
threads = [["lock orders lease=2s", "work 9s", "unlock orders"]]
[process.B]
threads = [["start 0..8s", "lock orders lease=4s", "work 1s", "unlock orders"]]
[process.C]
threads = [["start 0..8s", "lock stock lease=4s", "work 1s", "unlock stock"]]
[faults]
pause-process = 1
)";

class ShrinkCli : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    file("crowd.toml", crowd);
    sample("1");
  }

  /// A run as it was drawn: with the seed 1 B comes late.
  void sample(const std::string& seed) const {
    typed("lockstep check crowd.toml --property mutual-exclusion --strategy random --no-shrink -q --seed " +
          seed);
    ASSERT_TRUE(std::filesystem::exists(at(long_one)));
  }

  std::uint64_t measured(const std::string& trail_file, ShrinkBy by) const {
    const auto setup = load_scenario(at("crowd.toml"), {});
    const auto trail = load_trail(at(trail_file));
    EXPECT_TRUE(setup.ok() && trail.ok());
    if (!setup || !trail) return 0;
    const auto run = decided_run(*setup, *trail);
    EXPECT_TRUE(run.ok());
    std::vector<sim::Decision<model::Move>> decisions;
    for (const Decided& one : *run) decisions.push_back({one.taken, 0, 1});
    return properties::measure_of(decisions, by);
  }

  void shrink(const std::string& by, const std::string& to) const {
    const Finished it = here({"shrink", long_one, "--scenario", "crowd.toml", "--by", by, "-o", to});
    ASSERT_EQ(it.status, 0) << it.err;
    EXPECT_EQ(here({"replay", to, "--scenario", "crowd.toml"}).status, 0) << "it breaks the same still";
  }

  const std::string long_one = "out/crowd/mutual-exclusion.trail";
};

TEST_F(ShrinkCli, EachHasTheLeastOfWhatItIsShrunkBy) {
  const std::vector<std::pair<std::string, ShrinkBy>> all{{"faults", ShrinkBy::faults},
                                                          {"steps", ShrinkBy::steps},
                                                          {"time", ShrinkBy::time}};
  for (const auto& [word, by] : all) shrink(word, word + ".trail");
  for (const auto& [word, by] : all) {
    EXPECT_LE(measured(word + ".trail", by), measured(long_one, by)) << word;
    for (const auto& [other, ignored] : all)
      EXPECT_LE(measured(word + ".trail", by), measured(other + ".trail", by)) << word << " and " << other;
  }
}

TEST_F(ShrinkCli, ByTimeItIsOverSooner) {
  EXPECT_GT(measured(long_one, ShrinkBy::time), 6'000u);
  shrink("time", "time.trail");
  EXPECT_EQ(measured("time.trail", ShrinkBy::time), 2'001u) << "the lease of A is over";
}

TEST_F(ShrinkCli, ByActorsWhoHasNothingToDoWithItIsLeftOut) {
  const std::vector<std::string> words{"shrink", long_one, "--scenario", "crowd.toml", "--by", "actors",
                                       "-o",     "few.trail"};
  const Finished it = here(words);
  ASSERT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.err, ::testing::HasSubstr("3 threads became 2 (without C); "));
  const Finished again = here({"replay", "few.trail", "--scenario", "few.toml"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, ::testing::HasSubstr("mutual-exclusion"));
  EXPECT_THAT(content(at("few.toml")), ::testing::Not(::testing::HasSubstr("[process.\"C\"]")));
  EXPECT_THAT(content(at("few.toml")), ::testing::HasSubstr("[process.\"B\"]"));
  EXPECT_EQ(here(words).status, 2) << "a scenario is not overwritten";
  EXPECT_EQ(here({"shrink", long_one, "--scenario", "crowd.toml", "--by", "actors"}).status, 2);
}

TEST_F(ShrinkCli, ByActorsAThreadIsLeftOutAndWhoAFaultNamesIsNot) {
  file("named.toml", R"(format = 1
name = "named"
[process.A]
threads = [["lock orders lease=2s", "work 9s", "unlock orders"], ["lock stock", "unlock stock"]]
[process.B]
threads = [["start 3s", "lock orders lease=4s", "work 1s", "unlock orders"]]
[process.C]
threads = [["lock stock", "unlock stock"]]
[faults]
fixed = ["pause C at 1s"]
)");
  ASSERT_EQ(here({"check", "named.toml", "--property", "mutual-exclusion", "-q", "--no-shrink"}).status, 1);
  const Finished it = here({"shrink", "out/named/mutual-exclusion.trail", "--scenario", "named.toml", "--by",
                            "actors", "-o", "few.trail"});
  ASSERT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.err, ::testing::HasSubstr("4 threads became 3 (without thread 2 of A); "));
  EXPECT_EQ(here({"replay", "few.trail", "--scenario", "few.toml"}).status, 0);
}

TEST_F(ShrinkCli, AnotherWordIsRefused) {
  const Finished it = here({"shrink", long_one, "--scenario", "crowd.toml", "--by", "step"});
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, ::testing::HasSubstr("did you mean `steps`?"));
}

}  // namespace
}  // namespace lockstep::tools
