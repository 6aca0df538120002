// Samples walk over a graph of what was met; whether they do must not show. A few scenarios of the corpus and
// of those that are shipped are sampled both ways, by all policies in turn and by guided runs, whose coverage
// decides what they do.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "properties/check/conclusion.h"
#include "properties/check/remembered.h"
#include "properties/check/sampling.h"
#include "properties/check/walking.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/exploring.h"
#include "sim/run/uniform.h"

namespace lockstep::scenarios {
namespace {

namespace fs = std::filesystem;
using properties::CheckOptions;
using properties::Graphs;
using properties::SampledPart;
using properties::Strategy;

SampledPart sampled(const model::Setup& setup, Strategy strategy, std::uint64_t runs, Graphs graphs) {
  CheckOptions options{.strategy = strategy, .runs = runs, .shrink = false};
  const properties::CheckReport asked = properties::asked_report(setup, options, 0);
  options.watched = properties::watched_in(setup, options.watched);
  return properties::sampled({.setup = setup,
                              .options = options,
                              .made = {},
                              .asked = properties::asked_in(asked),
                              .steps_max = 4'000,
                              .cut_after = {.drawn = 400, .settling = 300},
                              .on_run = {},
                              .graphs = graphs},
                             {});
}

void expect_the_same(const SampledPart& graph, const SampledPart& states, const std::string& name) {
  EXPECT_EQ(graph.refusal, states.refusal) << name;
  EXPECT_EQ(graph.runs, states.runs) << name;
  EXPECT_EQ(graph.steps, states.steps) << name;
  EXPECT_EQ(graph.cut_at_limit, states.cut_at_limit) << name;
  EXPECT_EQ(graph.unfinished, states.unfinished) << name;
  EXPECT_EQ(graph.by, states.by) << name;
  EXPECT_EQ(graph.seen, states.seen) << name;
  EXPECT_EQ(graph.witnesses, states.witnesses) << name;
  EXPECT_EQ(graph.sent, states.sent) << name;
  EXPECT_EQ(graph.met_horizon, states.met_horizon) << name;
  ASSERT_EQ(graph.broken.size(), states.broken.size()) << name;
  for (std::size_t i = 0; i < graph.broken.size(); ++i) {
    EXPECT_EQ(graph.broken[i].property, states.broken[i].property) << name;
    EXPECT_EQ(graph.broken[i].run, states.broken[i].run) << name;
    EXPECT_EQ(graph.broken[i].trail, states.broken[i].trail) << name;
  }
  EXPECT_EQ(states.steps_known, 0U) << name;
}

constexpr std::size_t one_of = 32;

std::vector<model::Setup> some_scenarios() {
  const auto content = [](const fs::path& path) -> std::string {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  };
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator("properties/verdicts"))
    if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<model::Setup> setups;
  for (std::size_t i = 0; i < paths.size(); i += one_of) {
    const auto scripts = built_in_scripts([&](const std::string& file) -> sim::Result<std::string> {
      return content(paths[i].parent_path() / file);
    });
    auto setup = read_scenario(content(paths[i]), paths[i].string(), *scripts, test_vocabulary());
    if (setup.ok()) setups.push_back(std::move(*setup));
  }
  std::size_t number = 0;
  for (const EmbeddedFile& file : embedded_scenarios()) {
    if (number++ % one_of != 0) continue;
    auto setup = read_scenario(file.text, file.name, shipped_scripts(), test_vocabulary());
    if (setup.ok()) setups.push_back(std::move(*setup));
  }
  return setups;
}

TEST(WalkedGraph, RunsOverItAreThoseOverWholeStates) {
  std::uint64_t known = 0, compared = 0;
  for (const model::Setup& setup : some_scenarios())
    for (const Strategy strategy : {Strategy::random, Strategy::guided}) {
      const SampledPart graph = sampled(setup, strategy, 12, Graphs::used);
      expect_the_same(graph, sampled(setup, strategy, 12, Graphs::unused), setup.name);
      known += graph.steps_known;
      compared += graph.steps;
    }
  EXPECT_GT(compared, 2'000U);
  EXPECT_GT(known, compared / 10);
}

/// This scheme's clients look at their clocks, which no state of the graph has until that is seen.
TEST(WalkedGraph, AStepThatReadsWhatTimeItIsLetsStatesHaveIt) {
  const model::Setup setup = shipped_setup("schemes/setnx-getset");
  for (const Strategy strategy : {Strategy::random, Strategy::guided}) {
    const SampledPart graph = sampled(setup, strategy, 40, Graphs::used);
    expect_the_same(graph, sampled(setup, strategy, 40, Graphs::unused), setup.name);
    EXPECT_GT(graph.steps_known, graph.steps / 4);
  }
}

/// Later than milliseconds fit into 32 bits.
TEST(WalkedGraph, RunsMayLastForMonths) {
  const model::Setup setup = setup_of(
      "[process.A]\nthreads = [[\"start 1192h\", \"lock fair:a lease=2h\", \"work 65m\", "
      "\"unlock fair:a\"]]\n"
      "[process.B]\nthreads = [[\"start 1193h\", \"lock fair:a lease=30s\", \"work 1s\", "
      "\"unlock fair:a\"]]\n");
  const SampledPart graph = sampled(setup, Strategy::random, 40, Graphs::used);
  expect_the_same(graph, sampled(setup, Strategy::random, 40, Graphs::unused), setup.name);
  EXPECT_GT(graph.steps_known, graph.steps / 4);
}

/// Two clients with little to do meet the same states again and again.
TEST(WalkedGraph, StepsThatWereTakenBeforeAreNotTakenAnew) {
  const model::Setup setup =
      setup_of("[process.P]\ncount = 2\nthreads = [[\"lock a lease=2s\", \"work 1s\", \"unlock a\"]]\n");
  const SampledPart part = sampled(setup, Strategy::uniform, 400, Graphs::used);
  EXPECT_GT(part.steps_known, part.steps * 9 / 10);
}

/// Where it is, is all that is left of a graph that has grown too large; the run goes on as it would have.
TEST(WalkedGraph, BeginsAnewWhenItIsFull) {
  const model::Setup setup = setup_of(
      "[process.P]\ncount = 3\nthreads = [[\"lock a lease=2s\", \"work 1s\", \"unlock a\"]]\n"
      "[faults]\ncrash-process = 1\n");
  const auto trails = [&](std::size_t nodes_max) {
    Checked system(setup, {.watch_instants = false});
    properties::WalkedGraph graph(system, {.nodes_max = nodes_max});
    std::vector<std::vector<properties::WalkedGraph::Decision>> all;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      sim::Uniform<properties::WalkedGraph> policy{sim::Random{seed}};
      auto run = sim::run<properties::WalkedGraph>(graph, graph.initial(), policy, {.stop_at = 0});
      EXPECT_EQ(run.end, sim::End::at_rest);
      all.push_back(std::move(run.trail));
      EXPECT_LE(graph.nodes(), nodes_max);
    }
    return all;
  };
  EXPECT_EQ(trails(7), trails(1'000'000));
}

/// Instants are drawn, and hardly a state is met twice.
TEST(WalkedGraph, IsGivenUpForAWhileWhereNearlyAllIsNew) {
  const model::Setup setup = setup_of(
      "[time]\nnetwork = \"1..200ms\"\n[process.P]\ncount = 3\n"
      "threads = [[\"start 0..90s\", \"lock a lease=2s\", \"work 0..70s\", \"unlock a\"]]\n");
  properties::WorthWalking worth;
  for (int run = 0; run < 1'000 && worth.is_tried(); ++run) worth.note(100, 250);
  EXPECT_FALSE(worth.is_tried());
  worth.note_pause(1 << 20);
  EXPECT_TRUE(worth.is_tried());
  properties::WorthWalking good;
  for (int run = 0; run < 1'000; ++run) good.note(100, 3);
  EXPECT_TRUE(good.is_tried());
  expect_the_same(sampled(setup, Strategy::random, 60, Graphs::used),
                  sampled(setup, Strategy::random, 60, Graphs::unused), "drawn instants");
}

/// However many states a step is taken in.
TEST(RememberedSteps, KeepWhatTheyShowOnce) {
  const model::Setup setup = shipped_setup("plain/three-clients");
  Checked system(setup);
  properties::Remembered remembered(system, system.initial());
  sim::SearchOptions<properties::Remembered> options;
  options.symmetry = false;
  const auto found = sim::explore(remembered, std::move(options));
  EXPECT_TRUE(found.complete());
  EXPECT_GT(remembered.shown(), 10U);
  EXPECT_LT(remembered.shown(), found.transitions / 200);
}

/// Breaks the rule that a setup never changes while worlds run under it: whenever a script begins, messages
/// take longer or shorter than before.
class Meddler final : public properties::WaysWatch {
 public:
  explicit Meddler(model::Setup& setup) : setup_(setup) {}
  void begin(std::string_view, Kind) override {
    setup_.network.delay.hi = ++begun_ % 2 == 0 ? sim::Duration{1'000} : sim::Duration{2'000};
  }
  bool goes_on() override { return true; }
  std::string laid_out(std::string_view body) override { return std::string(body); }
  void at_line(int) override {}
  std::vector<std::uint32_t> gone() override { return {}; }

 private:
  model::Setup& setup_;
  int begun_ = 0;
};

void walk_with_a_meddler(const std::string& program) {
  model::Setup setup = setup_of("[time]\nnetwork = \"0..1s\"\n[process.A]\nthreads = [[" + program + "]]\n");
  Meddler meddler(setup);
  const CheckOptions options{.strategy = Strategy::uniform, .ways = &meddler};
  properties::Walker walker(setup, options, {}, {.drawn = 400}, Graphs::unused);
  walker.walked(0, sim::Random{1});
}

/// Of three scripts the second run of them begins with the other delay.
TEST(Walker, ARunThatIsNotDrawnAgainAsItWasIsAMistakeOfTheProgramAndNamesTheStep) {
  EXPECT_EXIT(walk_with_a_meddler("\"lock a lease=60s\", \"lock a lease=60s\", \"unlock a\""),
              testing::ExitedWithCode(70), "internal error: two runs that were drawn alike differ at step ");
}

/// Of two scripts it does not, but when both runs go on side by side.
TEST(Walker, ATrailThatDoesNotLeadToTheSameStatesAgainIsOneTooAndTellsTheUsualCauses) {
  EXPECT_EXIT(walk_with_a_meddler("\"lock a lease=60s\", \"unlock a\""), testing::ExitedWithCode(70),
              "internal error: two runs of one trail differ at step .*Usual causes: ");
}

}  // namespace
}  // namespace lockstep::scenarios
