// Traces say who holds a lock, how often and until when, as its kind reads it off what is stored, whatever
// the data look like.
#include "properties/check/check.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using Holds = std::vector<sim::LockTruth::Hold>;

/// All that the default schedule says of a lock, in order.
std::vector<Holds> said_of(const std::string& lock, const model::Setup& setup) {
  sim::Trail trail = properties::trail_header(setup, "", "");
  trail.then = {.by_default = true, .until = {}};
  std::vector<Holds> said;
  for (const sim::TraceEvent& event : properties::tell(setup, trail).trace.events)
    for (const sim::LockTruth& truth : event.truths)
      if (truth.lock == lock) said.push_back(truth.holds);
  return said;
}

const std::string nested = R"([process.A]
threads = [["lock orders lease=20s", "lock orders lease=10s", "unlock orders", "unlock orders"]]
)";

TEST(TruthInTraces, CountsHoldsAndSaysUntilWhen) {
  const std::vector<Holds> expected{{{"A1", 1, 20'000}}, {{"A1", 2, 10'000}}, {{"A1", 1, 10'000}}, {}};
  const auto said = said_of("orders", setup_of(nested));
  ASSERT_EQ(said.size(), 4u);
  EXPECT_EQ(said[0], expected[0]);
  EXPECT_EQ(said[1], expected[1]);
  EXPECT_EQ(said[2].front().count, 1);
  EXPECT_EQ(said[3], expected[3]);
}

TEST(TruthInTraces, IsNotEveryFieldOfAHash) {
  model::Setup setup =
      setup_of("[process.A]\nthreads = [[\"lock orders\", \"work 1s\", \"unlock orders\"]]\n");
  std::string& text = setup.scripts.roles["lock"].text;
  text.insert(0, "redis.call('hset', KEYS[1], 'by', 'somebody'); ");
  for (const Holds& holds : said_of("orders", setup))
    for (const auto& hold : holds) EXPECT_EQ(hold.who, "A1");
}

TEST(TruthInTraces, IsThatOfTheMasterInCharge) {
  const auto said = said_of("orders", setup_of(R"([redis]
mode = "replicated"
nodes = 2
[process.A]
threads = [["lock orders lease=20s", "work 5s"]]
[faults]
fixed = ["crash R0 at 1s", "failover R1 at 2s"]
)"));
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said[0], (Holds{{"A1", 1, 20'000}}));
}

TEST(TruthInTraces, EndsWhenTheTimeIsOver) {
  const auto said =
      said_of("orders", setup_of("[process.A]\nthreads = [[\"lock orders lease=2s\", \"work 9s\"]]\n"));
  EXPECT_EQ(said, (std::vector<Holds>{{{"A1", 1, 2'000}}, {}}));
}

}  // namespace
}  // namespace lockstep::scenarios
