// The ways of searching agree with each other: with and without symmetry, by digests and by encodings; and
// renaming keeps its laws along random runs.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "properties/check/renaming.h"
#include "scenarios/drawn_worlds.h"
#include "scenarios/exploring.h"
#include "scenarios/successors.h"
#include "sim/run/determinism.h"
#include "sim/run/weighted.h"

namespace lockstep::scenarios {
namespace {

struct Small {
  const char* name;
  const char* scenario;
  bool countable = true;  // few enough states to count the orbits by hand
};

void PrintTo(const Small& small, std::ostream* out) { *out << small.name; }

const std::vector<Small> small_worlds = {
    {"two_wait", "[process.P]\ncount = 2\nthreads = [[\"lock orders\", \"work 1s\", \"unlock orders\"]]\n"},
    {"three_wait", "[process.P]\ncount = 3\nthreads = [[\"lock orders\", \"work 1s\", \"unlock orders\"]]\n"},
    {"two_of_two_threads",
     "[process.P]\ncount = 2\nthreads = [[\"lock orders\", \"work 2s\", \"unlock orders\"], "
     "[\"start 1s\", \"trylock orders wait=1s lease=5s\", \"unlock orders\"]]\n",
     false},
    {"two_locks",
     "[process.P]\ncount = 2\nthreads = [[\"lock a\", \"trylock b wait=1s lease=2s\", \"work 1s\", "
     "\"unlock b\", \"unlock a\"]]\n"},
    {"two_classes",
     "[process.P]\ncount = 2\nthreads = [[\"lock orders\", \"work 1s\", \"unlock orders\"]]\n"
     "[process.Q]\ncount = 2\nthreads = [[\"trylock orders\"]]\n",
     false},
    {"replicated",
     "[process.P]\ncount = 2\nthreads = [[\"lock orders\", \"unlock orders\"]]\n"
     "[redis]\nmode = \"replicated\"\nnodes = 2\n"},
    {"waits_for_its_replica",
     "scripts = \"redisson@3.19.0\"\n"
     "[process.P]\ncount = 2\nthreads = [[\"trylock orders wait=0s lease=2s\", \"unlock orders\"]]\n"
     "[redis]\nmode = \"replicated\"\nnodes = 2\n",
     false},
    {"fails_over",
     "[process.P]\ncount = 2\nthreads = [[\"lock orders lease=1s\", \"unlock orders\"]]\n"
     "[redis]\nmode = \"replicated\"\nnodes = 2\n"
     "[faults]\nfailover = 1\nlearn = \"0s\"\n",
     false},
    {"one_crashes",
     "[process.P]\ncount = 2\nthreads = [[\"lock orders lease=2s\", \"work 1s\", \"unlock orders\"]]\n"
     "[faults]\ncrash-process = 1\nrestart-process = 1\n"},
    {"one_loses_a_message",
     "[process.P]\ncount = 2\nthreads = [[\"trylock orders\", \"unlock orders\"]]\n"
     "[time]\nwatchdog = \"9s\"\n[faults]\nlose-message = 1\n"},
    {"three_nodes",
     "[process.A]\nthreads = [[\"lock orders lease=3s\", \"unlock orders\"]]\n"
     "[redis]\nmode = \"replicated\"\nnodes = 3\n"
     "[faults]\ncrash-node = 1\nfailover = 1\nlearn = \"0s\"\n"},
    {"three_nodes_of_which_one_comes_back",
     "[process.A]\nthreads = [[\"lock orders lease=2s\", \"unlock orders\"]]\n"
     "[redis]\nmode = \"replicated\"\nnodes = 3\n"
     "[faults]\ncrash-node = 1\nrestart-node = 1\nfailover = 2\nlearn = \"0s..1s\"\n",
     false},
    {"replicas_stay_behind",
     "[process.A]\nthreads = [[\"lock orders lease=2s\", \"unlock orders\"]]\n"
     "[redis]\nmode = \"replicated\"\nnodes = 3\n"
     "[faults]\nreplica-lag = 1\nlag-max = \"2s\"\ncut-replica = 1\nreplica-cut-max = \"2s\"\n",
     false},
    {"two_wait_for_replicas",
     "scripts = \"redisson@3.22.0\"\n"
     "[process.P]\ncount = 2\nthreads = [[\"trylock orders\", \"unlock orders\"]]\n"
     "[redis]\nmode = \"replicated\"\nnodes = 3\n"
     "[faults]\nfailover = 1\nlearn = \"0s\"\n",
     false},
    {"replicas_are_asked",
     "scripts = \"redisson@3.22.0\"\n"
     "[process.A]\nthreads = [[\"trylock orders\", \"is-locked orders\", \"unlock orders\"]]\n"
     "[redis]\nmode = \"replicated\"\nnodes = 4\nwait = 2\n"
     "[faults]\npause-node = 1\nnode-pause-max = \"2s\"\n",
     false},
    {"replicas_of_two_masters",
     "[process.A]\nthreads = [[\"trylock orders\", \"unlock orders\"]]\n"
     "[redis]\nmode = \"independent\"\nnodes = 2\nreplicas = 2\n"
     "[faults]\nevict-key = 1\nfailover = 1\nlearn = \"0s\"\n",
     false},
    {"messages_take_time",
     "[process.P]\ncount = 2\nthreads = [[\"trylock orders wait=5ms lease=20ms\", \"unlock orders\"]]\n"
     "[time]\nnetwork = \"0..2ms\"\ngrain = \"1ms\"\n",
     false},
};

class SmallWorlds : public testing::TestWithParam<Small> {};

TEST_P(SmallWorlds, HaveTheSameVerdictsWithAndWithoutSymmetryAndNotMoreStates) {
  const model::Setup setup = setup_of(GetParam().scenario);
  const auto all = search(setup, {.symmetry = false});
  const auto orbits = search(setup, {.symmetry = true});
  ASSERT_TRUE(all.complete() && orbits.complete()) << all.states << " " << orbits.states;
  EXPECT_TRUE(orbits.symmetry);
  EXPECT_EQ(names_of(orbits.violated), names_of(all.violated));
  EXPECT_EQ(orbits.witnesses, all.witnesses);
  EXPECT_EQ(orbits.zeno.has_value(), all.zeno.has_value());
  EXPECT_EQ(orbits.depth, all.depth);
  std::uint64_t largest_orbit = 1;  // the product of the factorials of the sizes of the classes
  for (const auto& members : Checked(setup).classes().outer)
    for (std::uint64_t n = members.size(); n > 1; --n) largest_orbit *= n;
  EXPECT_LT(orbits.states, all.states);
  EXPECT_GE(orbits.states * largest_orbit, all.states);
}

/// All states of a setup, found the plain way.
std::vector<Checked::State> states_of(Checked& system, std::size_t most) {
  std::vector<Checked::State> states{system.initial()};
  std::set<sim::Digest> seen{system.digest(states.front())};
  std::vector<model::Move> moves;
  for (std::size_t i = 0; i < states.size() && states.size() < most; ++i) {
    const Checked::State state = states[i];
    system.enabled(state, moves);
    for (const model::Move& move : moves) {
      Checked::State next = state;
      system.apply(next, move);
      if (seen.insert(system.digest(next)).second) states.push_back(std::move(next));
    }
  }
  return states;
}

/// Whoever goes on from a normal form meets the same normal forms: nothing was forgotten that is known again
/// later.
void expect_to_go_on_from_normal_forms(const model::Setup& setup) {
  Checked system(setup);
  for (const Checked::State& state : states_of(system, 2'000))
    ASSERT_EQ(successors_of(system, system.normal(state)), successors_of(system, state));
}

TEST_P(SmallWorlds, GoOnFromNormalFormsAsFromTheStatesThemselves) {
  expect_to_go_on_from_normal_forms(setup_of(GetParam().scenario));
}

// A grant of the one master of several is read otherwise than that of the only one.
TEST(NormalForms, KeepALeaseThatWasPartlyGranted) {
  expect_to_go_on_from_normal_forms(setup_of(
      "schemes = \"redlock\"\n[process.P]\ncount = 2\n"
      "threads = [[\"trylock redlock:x wait=0s lease=2s\", \"unlock redlock:x\"]]\n"
      "[faults]\nevict-key = 1\n"));
}

// While the client learns how many replicas there are, the request waits with its words.
TEST(NormalForms, KeepTheInstantsOfARequestThatIsSentLater) {
  expect_to_go_on_from_normal_forms(setup_of(
      "scripts = \"redisson@3.27.0\"\n[redis]\nmode = \"replicated\"\nnodes = 2\n"
      "[process.A]\nthreads = [[\"trylock fair:x wait=0s lease=5s\"]]\n"
      "[faults]\npause-process = 1\npause-max = \"2s\"\n"));
}

class SmallestWorlds : public testing::TestWithParam<Small> {};

TEST_P(SmallestWorlds, HaveExactlyAsManyRepresentativesAsOrbits) {
  const model::Setup setup = setup_of(GetParam().scenario);
  const auto orbits = search(setup);
  Checked system(setup);
  sim::Canonical<Checked> canonical(system);
  std::set<sim::Digest> representatives;
  for (const Checked::State& state : states_of(system, 100'000))
    representatives.insert(canonical.digest(system.normal(state)));
  EXPECT_EQ(representatives.size(), orbits.states);
}

TEST_P(SmallWorlds, HaveTheSameCountsByDigestsAndByEncodings) {
  const model::Setup setup = setup_of(GetParam().scenario);
  for (const bool symmetry : {true, false}) {
    const auto digests = search(setup, {.symmetry = symmetry});
    const auto exact = search(setup, {.symmetry = symmetry, .key = sim::StateKey::exact});
    EXPECT_EQ(digests.states, exact.states);
    EXPECT_EQ(digests.transitions, exact.transitions);
    EXPECT_EQ(digests.violated, exact.violated);
    EXPECT_EQ(digests.witnesses, exact.witnesses);
  }
}

/// By nothing but renaming: all names of all members of all classes are tried on each state.
template <class Visit>
void for_each_exchange(const Checked& system, Visit visit) {
  const sim::ActorClasses classes = system.classes();
  const model::Setup& setup = system.setup();
  std::vector<std::uint16_t> outer(setup.processes.size() + setup.nodes.size()), inner(setup.threads.size());
  std::iota(outer.begin(), outer.end(), std::uint16_t{0});
  std::iota(inner.begin(), inner.end(), std::uint16_t{0});
  std::vector<sim::ActorClass> orders = classes.outer;
  for (;;) {
    for (std::size_t c = 0; c < orders.size(); ++c)
      for (std::size_t i = 0; i < orders[c].size(); ++i) outer[classes.outer[c][i]] = orders[c][i];
    for (std::size_t p = 0; p < classes.inner.size(); ++p)
      for (std::size_t g = 0; g < classes.inner[p].size(); ++g)
        inner[classes.inner[p][g].front()] = classes.inner[outer[p]][g].front();
    visit(sim::Permutation{outer, inner});
    const bool more = std::any_of(orders.begin(), orders.end(), [](sim::ActorClass& order) {
      return std::next_permutation(order.begin(), order.end());
    });
    if (!more) return;
  }
}

TEST_P(SmallestWorlds, HaveAsManyRepresentativesAsThereAreOrbits) {
  const model::Setup setup = setup_of(GetParam().scenario);
  Checked system(setup);
  std::set<sim::Digest> orbits;
  for (const Checked::State& state : states_of(system, 100'000)) {
    const Checked::State normal = system.normal(state);
    sim::Digest least{~std::uint64_t{0}, ~std::uint64_t{0}};
    for_each_exchange(system, [&](sim::Permutation exchange) {
      least = std::min(least, system.digest_permuted(normal, exchange));
    });
    orbits.insert(least);
  }
  EXPECT_EQ(search(setup).states, orbits.size());
}

std::vector<Small> countable_worlds() {
  std::vector<Small> countable = small_worlds;
  std::erase_if(countable, [](const Small& small) { return !small.countable; });
  return countable;
}

INSTANTIATE_TEST_SUITE_P(All, SmallestWorlds, testing::ValuesIn(countable_worlds()),
                         [](const auto& small) { return std::string(small.param.name); });
INSTANTIATE_TEST_SUITE_P(All, SmallWorlds, testing::ValuesIn(small_worlds),
                         [](const auto& small) { return std::string(small.param.name); });

/// A run of a drawn small world that stops somewhere.
sim::Run<Checked> drawn_run(Checked& system) {
  sim::Weighted<Checked> policy{sim::Random{*rc::gen::arbitrary<std::uint64_t>()}};
  return sim::run(system, system.initial(), policy,
                  {.steps_max = *rc::gen::inRange<std::size_t>(0, 120), .stop_at = 0});
}

/// Who is called what: processes, nodes and threads that may be exchanged are.
struct Exchange {
  std::vector<std::uint16_t> outer, inner;

  Checked::State of(Checked::State state, const model::Setup& setup) const {
    const sim::Names names = properties::names_of(setup, {outer, inner});
    state.world.rename(sim::Renaming(names));
    state.monitors.rename(sim::Renaming(names));
    return state;
  }
  Exchange back() const {
    Exchange inverse = *this;
    for (std::size_t i = 0; i < outer.size(); ++i) inverse.outer[outer[i]] = static_cast<std::uint16_t>(i);
    for (std::size_t i = 0; i < inner.size(); ++i) inverse.inner[inner[i]] = static_cast<std::uint16_t>(i);
    return inverse;
  }
};

std::vector<std::uint16_t> shuffled(std::vector<std::uint16_t> members) {
  for (std::size_t i = members.size(); i > 1; --i)
    std::swap(members[i - 1], members[*rc::gen::inRange<std::size_t>(0, i)]);
  return members;
}

Exchange drawn_exchange(const Checked& system) {
  const sim::ActorClasses classes = system.classes();
  Exchange exchange;
  exchange.outer.resize(system.setup().processes.size() + system.setup().nodes.size());
  std::iota(exchange.outer.begin(), exchange.outer.end(), std::uint16_t{0});
  for (const auto& places : classes.outer) {
    const auto members = shuffled(places);
    for (std::size_t i = 0; i < places.size(); ++i) exchange.outer[places[i]] = members[i];
  }
  exchange.inner.resize(system.setup().threads.size());
  for (std::size_t p = 0; p < classes.inner.size(); ++p)
    for (std::size_t g = 0; g < classes.inner[p].size(); ++g) {
      const auto names = shuffled(classes.inner[exchange.outer[p]][g]);
      for (std::size_t i = 0; i < names.size(); ++i) exchange.inner[classes.inner[p][g][i]] = names[i];
    }
  return exchange;
}

model::Setup drawn_world() { return setup_of((*rc::gen::elementOf(small_worlds)).scenario); }

RC_GTEST_PROP(Renaming, ThereAndBackIsWhereItBegan, ()) {
  const model::Setup setup = drawn_world();
  Checked system(setup);
  const Checked::State state = drawn_run(system).last;
  const Exchange exchange = drawn_exchange(system);
  RC_ASSERT(exchange.back().of(exchange.of(state, setup), setup) == state);
}

RC_GTEST_PROP(Renaming, TheRepresentativeIsTheSameForEveryNameOfASituation, ()) {
  const model::Setup setup = drawn_world();
  Checked system(setup);
  const Checked::State state = drawn_run(system).last;
  const Checked::State renamed = drawn_exchange(system).of(state, setup);
  sim::Canonical<Checked> canonical(system);
  const Checked::State one = system.normal(state), other = system.normal(renamed);
  RC_ASSERT(canonical.digest(other) == canonical.digest(one));
  RC_ASSERT(canonical.encoding(other) == canonical.encoding(one));
}

/// What makes the reduction sound: renamed situations go on in renamed ways.
RC_GTEST_PROP(Renaming, CommutesWithEveryMove, ()) {
  const model::Setup setup = drawn_world();
  Checked system(setup);
  const Checked::State state = drawn_run(system).last;
  const Checked::State renamed = drawn_exchange(system).of(state, setup);
  sim::Canonical<Checked> canonical(system);
  const auto successors = [&](const Checked::State& from) {
    std::vector<model::Move> moves;
    system.enabled(from, moves);
    std::multiset<sim::Digest> found;
    for (const model::Move& move : moves) {
      Checked::State next = from;
      system.apply(next, move);
      found.insert(canonical.digest(system.normal(next)));
    }
    return found;
  };
  RC_ASSERT(successors(renamed) == successors(state));
}

/// One of these, or one of a master and replicas that is too large to be searched.
model::Setup drawn_world_of_any_size() {
  if (*rc::gen::arbitrary<bool>()) return drawn_world();
  return setup_of(DrawnWorld(*rc::gen::inRange<std::uint64_t>(0, 10'000)).replicas_text());
}

/// The same move by move, and of all that steps show: no representative is asked.
RC_GTEST_PROP(Renaming, OfWhatAMoveLeadsToIsWhatTheRenamedMoveLeadsTo, ()) {
  const model::Setup setup = drawn_world_of_any_size();
  Checked system(setup);
  const Checked::State state = drawn_run(system).last;
  const Exchange exchange = drawn_exchange(system);
  const auto renamed = [&](Checked::State next) { return exchange.of(std::move(next), setup); };
  RC_ASSERT(successors_of(system, renamed(state)) == successors_of(system, state, renamed));
}

RC_GTEST_PROP(Runs, AreAFunctionOfTheirTrail, ()) {
  const model::Setup setup = drawn_world();
  Checked system(setup), other(setup);
  const auto run = drawn_run(system);
  const auto difference = sim::check_determinism(system, other, run.trail);
  RC_ASSERT(!difference);
}

RC_GTEST_PROP(Runs, HaveMovesWhoseTextReadsAsTheSameMove, ()) {
  const model::Setup setup = drawn_world();
  Checked system(setup);
  for (const auto& decision : drawn_run(system).trail) {
    const auto again = system.parse(system.show(decision.move));
    RC_ASSERT(again.ok());
    RC_ASSERT(*again == decision.move);
  }
}

TEST(Symmetry, LeavesOutProcessesThatTakeFreshKeys) {
  const model::Setup setup =
      setup_of("[process.P]\ncount = 2\nthreads = [[\"lock a#fresh\", \"unlock a#fresh\"]]\n");
  EXPECT_EQ(setup.processes[0].alike, setup.processes[1].alike);
  EXPECT_TRUE(Checked(setup).classes().none());
}

/// In a group of a master and three replicas, and where the scenario says more than that.
std::vector<sim::ActorClass> classes_with(const std::string& more,
                                          const std::string& faults = "failover = 1\n") {
  return Checked(setup_of("[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n"
                          "[redis]\nmode = \"replicated\"\nnodes = 4\n" +
                          more + "[faults]\n" + faults))
      .classes()
      .outer;
}

TEST(Symmetry, ExchangesAMasterAndItsReplicasForEachMayBeMaster) {
  EXPECT_EQ(classes_with(""), (std::vector<sim::ActorClass>{{1, 2, 3, 4}}));
}

TEST(Symmetry, TellsNodesApartThatWouldMakeMoreThan720Orders) {
  const model::Setup setup =
      setup_of("[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n"
               "[redis]\nmode = \"replicated\"\nnodes = 9\n[faults]\nfailover = 1\n");
  EXPECT_EQ(Checked(setup).classes().outer, (std::vector<sim::ActorClass>{{1, 2, 3, 4, 5, 6}}));
}

TEST(Symmetry, TellsAMasterApartThatIsNeverReplaced) {
  EXPECT_EQ(classes_with("", ""), (std::vector<sim::ActorClass>{{2, 3, 4}}));
  EXPECT_EQ(classes_with("", "fixed = [\"failover R2 at 1s\"]\n"), (std::vector<sim::ActorClass>{{1, 2, 4}}));
}

TEST(Symmetry, TellsNodesApartWhoseClocksDiffer) {
  EXPECT_EQ(classes_with("[redis.clock]\nR1 = \"1s\"\n"), (std::vector<sim::ActorClass>{{1, 3, 4}}));
  EXPECT_EQ(classes_with("[redis.drift]\nR1 = \"5ppm\"\nR3 = \"5ppm\"\n"),
            (std::vector<sim::ActorClass>{{1, 3}, {2, 4}}));
}

TEST(Symmetry, LeavesOutNodesThatAFixedFaultNames) {
  const auto classes = [](const std::string& fixed) {
    return classes_with("", "failover = 1\nfixed = [\"" + fixed + "\"]\n");
  };
  const std::vector<sim::ActorClass> without_one{{1, 3, 4}}, all{{1, 2, 3, 4}};
  for (const char* one : {"crash R1 at 1s", "jump R1 +1s at 1s", "evict R1 a at 1s", "cut A R1 at 1s",
                          "lag R1 at 1s", "pause A before effects to R1", "lose reply to unlock a of A"})
    EXPECT_EQ(classes(one), std::string(one).find("R1") == std::string::npos ? all : without_one) << one;
}

TEST(Symmetry, LeavesOutNodesThatJudgeEachOtherOrThatAPropertyMayName) {
  EXPECT_TRUE(classes_with("", "[[property]]\nname = \"up\"\nlua = \"return true\"\n").empty());
  const std::string process = "[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n";
  for (const char* mode : {"sentinel", "cluster"})
    EXPECT_TRUE(Checked(setup_of(process + "[redis]\nmode = \"" + mode + "\"\n")).classes().none()) << mode;
}

}  // namespace
}  // namespace lockstep::scenarios
