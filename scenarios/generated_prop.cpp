// Drawn scenarios: programs, topologies and faults that nobody thought of, sampled and, where they are
// small, searched.
//
// The programs are calm: leases are longer than everything that is done inside them, and locks are taken in
// one order, so that without faults no lease is outlived and nobody waits for ever. What must hold then
// depends on the faults, and on what Redisson 3.10.5 does not promise under them:
//   - a request that times out in a pause is sent again, so a lock may be counted twice and an inner unlock
//     take two holds;
//   - a tryLock whose time is up may swallow the permit that was meant for another thread of its process;
//   - the threads of a process share the lease field of a lock object, so a lease of one thread changes how
//     often the hold of another is renewed, and what an inner unlock sets; that matters once somebody has
//     to wait for a dead holder.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fmt/format.h>

#include "scenarios/exploring.h"
#include "sim/run/replay.h"
#include "sim/run/shrink.h"
#include "sim/run/weighted.h"

namespace lockstep::scenarios {
namespace {

using properties::bit;

template <class T>
T one_of(std::initializer_list<T> choices) {
  return *(choices.begin() +
           *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(choices.size())));
}

struct Drawn {
  std::string text;
  bool pauses = false, crashes = false, loses_master = false;
  bool reenters = false;
  bool timed_waits() const { return text.find("wait=") != std::string::npos; }
  bool leases() const { return text.find("lease=") != std::string::npos; }

  bool has_faults() const { return pauses || crashes || loses_master; }
  sim::PropertyMask must_hold() const {
    sim::PropertyMask mask = bit(Property::owner_only) | bit(Property::lock_has_ttl);
    if (loses_master) return mask;
    const bool sure_of_leases = !has_faults() || !leases();
    mask |= bit(Property::free_after_crash);
    if (!timed_waits()) mask |= bit(Property::granted_in_time);
    if (!pauses) mask |= bit(Property::reentrancy);
    if (sure_of_leases && (!pauses || !reenters)) mask |= bit(Property::mutual_exclusion_within_lease);
    if (sure_of_leases && !pauses) mask |= bit(Property::mutual_exclusion);
    if (!has_faults()) mask |= bit(Property::nothing_left_behind);
    return mask;
  }
};

/// Takes a lock, works, perhaps takes another or the same once more inside, and gives it back. Locks from
/// `first` on. True if it takes one twice.
bool draw_section(std::vector<std::string>& steps, int first, int locks, int depth, bool inside) {
  const int lock = *rc::gen::inRange(first, locks);
  bool reenters = inside && lock == first;
  const char* call = one_of({"lock {}", "lock {} lease=600s", "trylock {}", "trylock {} wait=1s",
                             "trylock {} wait=1s lease=600s", "lock-interruptibly {}"});
  const std::string name(1, static_cast<char>('a' + lock));
  steps.push_back(fmt::format(fmt::runtime(call), name));
  if (*rc::gen::arbitrary<bool>()) steps.push_back(one_of({"work 1s", "work 500ms", "think 0..1s"}));
  if (depth > 1 && *rc::gen::arbitrary<bool>())
    reenters = draw_section(steps, lock, locks, depth - 1, true) || reenters;
  steps.push_back("unlock " + name);
  return reenters;
}

std::string draw_program(int locks, int depth, bool& reenters) {
  std::vector<std::string> steps;
  if (*rc::gen::arbitrary<bool>()) steps.push_back(one_of({"start 500ms", "start 0..1s"}));
  reenters = draw_section(steps, 0, locks, depth, false) || reenters;
  std::string text;
  for (const std::string& step : steps) text += (text.empty() ? "\"" : ", \"") + step + "\"";
  return "[" + text + "]";
}

struct Size {
  int processes, threads, depth;
};

Drawn draw_scenario(Size most, bool faults) {
  Drawn drawn;
  const int locks = *rc::gen::inRange(1, 3);
  const int processes = *rc::gen::inRange(1, most.processes + 1);
  for (int p = 0; p < processes; ++p) {
    std::string threads;
    for (int t = *rc::gen::inRange(1, most.threads + 1); t > 0; --t)
      threads += (threads.empty() ? "" : ", ") + draw_program(locks, most.depth, drawn.reenters);
    drawn.text += fmt::format("[process.{}]\nthreads = [{}]\n", static_cast<char>('A' + p), threads);
  }
  const bool replicated = *rc::gen::arbitrary<bool>();
  if (replicated) drawn.text += "[redis]\nmode = \"replicated\"\nnodes = 2\n";
  if (!faults) return drawn;
  drawn.crashes = *rc::gen::arbitrary<bool>();
  drawn.pauses = *rc::gen::arbitrary<bool>();
  drawn.loses_master = replicated && *rc::gen::arbitrary<bool>();
  drawn.text += fmt::format("[faults]\ncrash-process = {}\npause-process = {}\n", int{drawn.crashes},
                            int{drawn.pauses});
  if (drawn.loses_master) drawn.text += "crash-node = 1\nfailover = 1\n";
  return drawn;
}

sim::Run<Checked> sample(Checked& system, std::uint64_t seed, sim::PropertyMask stop_at) {
  sim::Weighted<Checked> policy{sim::Random{seed}};
  return sim::run(system, system.initial(), policy,
                  {.steps_max = 4'000, .stop_at = stop_at, .unwatched = 500});
}

void expect_held(const Drawn& drawn, sim::PropertyMask violated) {
  if ((violated & drawn.must_hold()) == 0) return;
  RC_FAIL(fmt::format("{} broken in\n{}", names_of(violated & drawn.must_hold()), drawn.text));
}

void check_samples(const Drawn& drawn, std::size_t runs) {
  const model::Setup setup = setup_of(drawn.text);
  Checked system(setup), other(setup);
  for (std::size_t i = 0; i < runs; ++i) {
    const auto run = sample(system, *rc::gen::arbitrary<std::uint64_t>(), 0);
    expect_held(drawn, run.violated);
    if (run.end == sim::End::zeno) RC_FAIL("time stands still in\n" + drawn.text);
    if (!drawn.has_faults() && run.end != sim::End::at_rest)
      RC_FAIL("a program does not end in\n" + drawn.text);
    const auto again = sim::replay(other, sim::plan_of<model::Move>(run.trail), {.stop_at = 0});
    RC_ASSERT(!again.divergence);
    RC_ASSERT(other.digest(again.run.last) == system.digest(run.last));
    RC_ASSERT(again.run.witnesses == run.witnesses);
  }
}

RC_GTEST_PROP(DrawnScenarios, HoldWhatTheyMustWithoutFaults, ()) {
  check_samples(draw_scenario({.processes = 3, .threads = 2, .depth = 3}, false), 10);
}

RC_GTEST_PROP(DrawnScenarios, HoldWhatTheyMustUnderFaults, ()) {
  check_samples(draw_scenario({.processes = 3, .threads = 2, .depth = 3}, true), 10);
}

RC_GTEST_PROP(DrawnScenarios, HoldWhatTheyMustOnEveryScheduleOfASmallOne, ()) {
  const Drawn drawn = draw_scenario({.processes = 2, .threads = 1, .depth = 2}, *rc::gen::arbitrary<bool>());
  const auto found = search(setup_of(drawn.text), {.states_max = 3'000});
  expect_held(drawn, found.violated);
  RC_ASSERT(!found.zeno);
}

/// Deviations replay to the same run, and a shrunk run still breaks what the long one broke, for less.
RC_GTEST_PROP(DrawnRuns, ShrinkToRunsThatBreakTheSame, ()) {
  static const model::Setup setup = shipped_setup("failover/master-dies-before-replication");
  Checked system(setup);
  const sim::PropertyMask goal = bit(Property::mutual_exclusion);
  sim::Random seeds{*rc::gen::arbitrary<std::uint64_t>()};
  sim::Run<Checked> run;
  for (int tries = 0; tries < 2'000 && (run.violated & goal) == 0; ++tries)
    run = sample(system, seeds.next(), goal);
  RC_ASSERT((run.violated & goal) != 0U);
  const auto shrunk = sim::shrink(system, run.trail, goal, {.steps_max = 4'000}, 300);
  RC_ASSERT(shrunk.ok());
  RC_ASSERT((shrunk->run.violated & goal) != 0U);
  RC_ASSERT(!(sim::cost_of(run.trail) < sim::cost_of(shrunk->run.trail)));
  const auto again = sim::replay(system, sim::deviations_of<model::Move>(shrunk->run.trail));
  RC_ASSERT(!again.divergence);
  RC_ASSERT(again.run.trail == shrunk->run.trail);
}

}  // namespace
}  // namespace lockstep::scenarios
