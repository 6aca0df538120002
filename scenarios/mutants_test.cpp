// Each property has a mutant that it catches, and a run in which its premise occurs and it holds.
//
// A mutant is a wrong script (scenarios/mutants) or a wrong client (a knob of ClientBehaviour). The twin is
// the same scenario with the right ones: there the search is complete and finds nothing, and it has seen
// the premise, so that finding nothing says something.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "properties/check/going_round.h"
#include "scenarios/exploring.h"
#include "scenarios/test_fair_mutants.h"
#include "scenarios/test_faster_mutants.h"
#include "scenarios/test_fenced_mutants.h"
#include "scenarios/test_readwrite_mutants.h"
#include "scenarios/test_request_mutants.h"
#include "sim/run/replay.h"

namespace lockstep::scenarios {
namespace {

using namespace std::chrono_literals;

constexpr const char* two_clients = R"(
[process.P]
count = 2
threads = [["lock orders", "work 1s", "unlock orders"]])";

// The unlock may come between the refusal of the waiter and its parking.
constexpr const char* quick_hand_over = R"(
[process.P]
count = 2
threads = [["lock orders", "unlock orders"]])";

constexpr const char* stranger_unlocks = R"(
[process.A]
threads = [["lock orders", "signal held", "await tried", "unlock orders"]]
[process.B]
threads = [["await held", "unlock orders", "expect exception", "signal tried"]])";

constexpr const char* taken_twice = R"(
[process.A]
threads = [["lock orders", "lock orders", "work 1s", "unlock orders", "work 1s", "unlock orders"]]
[process.B]
threads = [["lock orders", "work 1s", "unlock orders"]])";

constexpr const char* nested_lease = R"(
[process.A]
threads = [["lock orders lease=10s", "work 1s", "lock orders lease=5s", "unlock orders", "unlock orders"]])";

constexpr const char* holder_may_crash = R"(
[process.A]
threads = [["lock orders", "work 1s", "unlock orders"]]
[process.B]
threads = [["lock orders", "work 1s", "unlock orders"]]
[time]
watchdog = "3s"
[faults]
crash-process = 1)";

constexpr const char* holder_crashes_inside = R"(
[process.A]
threads = [["lock orders", "lock orders", "crash"]]
[process.B]
threads = [["start 1s", "lock orders", "unlock orders"]])";

constexpr const char* nobody_waits_after_the_crash = R"(
[process.A]
threads = [["lock orders", "crash"]])";

constexpr const char* lease_runs_out = R"(
[process.A]
threads = [["lock orders lease=1s", "work 2s"]]
[process.B]
threads = [["lock orders", "unlock orders"]])";

constexpr const char* long_work = R"(
[process.A]
threads = [["lock orders", "work 40s", "unlock orders"]]
[process.B]
threads = [["start 1s", "lock orders", "work 5s", "unlock orders"]])";

constexpr const char* one_of_two_gets_it = R"(
[process.P]
count = 2
threads = [["trylock orders wait=10ms lease=10s", "work 1s"]]
[expect.answers]
"trylock orders" = { true = 1, false = 1 })";

constexpr const char* two_spin = R"(scripts = "redisson@3.15.0"
[process.P]
count = 2
threads = [["lock spin:orders", "work 20ms", "unlock spin:orders"]])";

constexpr const char* stranger_unlocks_spin = R"(scripts = "redisson@3.15.0"
[process.A]
threads = [["lock spin:orders", "signal held", "await tried", "unlock spin:orders"]]
[process.B]
threads = [["await held", "unlock spin:orders", "expect exception", "signal tried"]])";

constexpr const char* spun_twice = R"(scripts = "redisson@3.15.0"
[process.A]
threads = [["lock spin:orders", "lock spin:orders", "work 20ms", "unlock spin:orders", "work 20ms",
            "unlock spin:orders"]]
[process.B]
threads = [["lock spin:orders", "unlock spin:orders"]])";

constexpr const char* taken_away = R"(scripts = "redisson@3.15.0"
[process.A]
threads = [["lock spin:orders", "signal held", "await tried"]]
[process.B]
threads = [["await held", "force-unlock spin:orders", "expect true", "trylock spin:orders", "expect true",
            "unlock spin:orders", "signal tried"]])";

constexpr const char* two_wanted_one_taken = R"(
[process.A]
threads = [["lock b", "work 1s", "unlock b"]]
[process.B]
threads = [["trylock multi:a+b", "unlock multi:a+b"]])";

constexpr const char* three_wanted_two_taken = R"(
[process.P]
count = 2
threads = [["trylock red:a+b+c", "work 1s", "unlock red:a+b+c"]])";

constexpr const char* two_writers = R"(
[process.P]
count = 2
threads = [["lock orders", "write ledger", "unlock orders"]])";

sim::Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return sim::Problem{"no such file"};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

model::Setup mutated(const Mutant& mutant) {
  model::Setup setup = setup_of(mutant.scenario);
  if (*mutant.role != '\0') {
    auto set = replace_script(setup.scripts, mutant.role, std::string("scenarios/mutants/") + mutant.script,
                              read_file);
    EXPECT_TRUE(set.ok()) << (set.ok() ? "" : set.problem().text);
    if (set.ok()) setup.scripts = *set;
  }
  if (mutant.knob != nullptr) mutant.knob(setup.client);
  return setup;
}

bool breaks(const model::Setup& setup, const sim::Outcome<Checked>& found, Property property) {
  if (property == Property::no_starvation) {
    const properties::GoingRound round(setup, properties::bit(property), false, {}, {.states_max = 10'000});
    EXPECT_TRUE(round.complete());
    return round.complete() && round.broken(property).has_value();
  }
  if (property == Property::no_zeno) return found.zeno.has_value();
  if (property == Property::calls_return) return found.dead_end.has_value();
  return (found.violated & properties::bit(property)) != 0;
}

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, AreCaughtByTheirProperty) {
  const Mutant& mutant = GetParam();
  const model::Setup setup = mutated(mutant);
  const auto found = search(setup);
  EXPECT_TRUE(found.complete());
  for (const Property property : mutant.caught_by)
    EXPECT_TRUE(breaks(setup, found, property))
        << properties::info(property).name << " found " << names_of(found.violated);
}

TEST_P(Mutants, HaveTrailsThatBreakThePropertyAgainInTheirLastStep) {
  const model::Setup setup = mutated(GetParam());
  for (const auto& violation : search(setup).violations) {
    Checked system(setup);
    const auto again = sim::replay(system, sim::plan_of<model::Move>(violation.trail));
    EXPECT_FALSE(again.divergence.has_value());
    const sim::PropertyMask mask = sim::PropertyMask{1} << violation.property;
    EXPECT_NE(again.run.violated & mask, 0U) << names_of(mask);
    for (const sim::FirstViolation& first : again.run.violations) {
      if (first.property == violation.property) {
        EXPECT_EQ(first.step, violation.trail.size()) << names_of(mask);
      }
    }
  }
}

TEST_P(Mutants, HaveTwinsInWhichThePropertyHoldsAndItsPremiseOccurs) {
  const Mutant& mutant = GetParam();
  const model::Setup setup = setup_of(mutant.scenario);
  const auto found = search(setup);
  EXPECT_TRUE(found.complete());
  for (const Property property : mutant.caught_by) {
    EXPECT_FALSE(breaks(setup, found, property)) << properties::info(property).name;
    EXPECT_NE(found.witnesses & properties::bit(properties::info(property).premise), 0U)
        << properties::info(property).name << ": its premise never occurred";
  }
}

const std::vector<Mutant> mutants = {
    {"lock_ignores_holder",
     two_clients,
     "lock",
     "lock-ignores-holder.lua",
     nullptr,
     {Property::mutual_exclusion, Property::mutual_exclusion_within_lease}},
    {"renew_without_pexpire",
     long_work,
     "renew",
     "renew-without-pexpire.lua",
     nullptr,
     {Property::mutual_exclusion, Property::mutual_exclusion_within_lease}},
    {"unlock_without_owner_check",
     stranger_unlocks,
     "unlock",
     "unlock-without-owner-check.lua",
     nullptr,
     {Property::owner_only, Property::expectations}},
    {"lock_reentry_does_not_count",
     taken_twice,
     "lock",
     "lock-reentry-does-not-count.lua",
     nullptr,
     {Property::reentrancy}},
    {"unlock_ignores_count",
     taken_twice,
     "unlock",
     "unlock-ignores-count.lua",
     nullptr,
     {Property::reentrancy}},
    {"lock_without_pexpire",
     two_clients,
     "lock",
     "lock-without-pexpire.lua",
     nullptr,
     {Property::lock_has_ttl}},
    {"lock_reentry_persists",
     taken_twice,
     "lock",
     "lock-reentry-persists.lua",
     nullptr,
     {Property::lock_has_ttl}},
    {"lock_without_pexpire_and_a_crash",
     holder_may_crash,
     "lock",
     "lock-without-pexpire.lua",
     nullptr,
     {Property::free_after_crash}},
    {"lock_without_pexpire_and_nobody_waits",
     nobody_waits_after_the_crash,
     "lock",
     "lock-without-pexpire.lua",
     nullptr,
     {Property::free_after_crash}},
    {"lock_reentry_persists_and_its_holder_dies",
     holder_crashes_inside,
     "lock",
     "lock-reentry-persists.lua",
     nullptr,
     {Property::free_after_crash}},
    {"unlock_without_publish",
     two_clients,
     "unlock",
     "unlock-without-publish.lua",
     nullptr,
     {Property::granted_in_time}},
    {"unlock_publishes_twice",
     two_clients,
     "unlock",
     "unlock-publishes-twice.lua",
     nullptr,
     {Property::told_once}},
    {"permit_ignored",
     quick_hand_over,
     "",
     "",
     [](redisson::Settings& client) { client.permit_ignored = true; },
     {Property::granted_in_time}},
    {"permit_ignored_and_no_pexpire",
     quick_hand_over,
     "lock",
     "lock-without-pexpire.lua",
     [](redisson::Settings& client) { client.permit_ignored = true; },
     {Property::granted_in_time}},
    {"unlock_keeps_renewing",
     two_clients,
     "",
     "",
     [](redisson::Settings& client) { client.unlock_keeps_renewing = true; },
     {Property::nothing_left_behind}},
    {"unsubscribe_forgotten",
     two_clients,
     "",
     "",
     [](redisson::Settings& client) { client.unsubscribe_forgotten = true; },
     {Property::nothing_left_behind}},
    {"unlock_leaves_a_key",
     two_clients,
     "unlock",
     "unlock-leaves-a-key.lua",
     nullptr,
     {Property::nothing_left_behind}},
    {"everybody_gets_it",
     one_of_two_gets_it,
     "lock",
     "lock-ignores-holder.lua",
     nullptr,
     {Property::answers}},
    {"lock_reentry_keeps_the_time",
     nested_lease,
     "lock",
     "lock-reentry-keeps-the-time.lua",
     nullptr,
     {Property::reentrancy}},
    {"unlock_shortens_the_time_of_others",
     stranger_unlocks,
     "unlock",
     "unlock-shortens-the-time-of-others.lua",
     nullptr,
     {Property::owner_only}},
    {"unlock_calls_an_unknown_command",
     two_clients,
     "unlock",
     "unlock-calls-an-unknown-command.lua",
     nullptr,
     {Property::no_script_error, Property::no_uncaught_exception}},
    {"unlock_answers_with_an_error",
     two_clients,
     "unlock",
     "unlock-answers-with-an-error.lua",
     nullptr,
     {Property::no_script_error, Property::no_uncaught_exception}},
    {"unlock_does_nothing",
     two_clients,
     "unlock",
     "unlock-does-nothing.lua",
     [](redisson::Settings& client) { client.unlock_keeps_renewing = true; },
     {Property::calls_return}},
    {"lock_without_pexpire_and_the_holder_dies",
     holder_may_crash,
     "lock",
     "lock-without-pexpire.lua",
     nullptr,
     {Property::calls_return}},
    {"ttl_wait_not_longer_than_the_ttl",
     lease_runs_out,
     "",
     "",
     [](redisson::Settings& client) { client.ttl_wait_extra = 0ms; },
     {Property::no_zeno}},
    {"spin_unlock_without_owner_check",
     stranger_unlocks_spin,
     "spin-unlock",
     "spin-unlock-without-owner-check.lua",
     nullptr,
     {Property::owner_only, Property::expectations}},
    {"spin_unlock_ignores_count",
     spun_twice,
     "spin-unlock",
     "spin-unlock-ignores-count.lua",
     nullptr,
     {Property::reentrancy}},
    {"spin_force_unlock_keeps_the_lock",
     taken_away,
     "spin-force-unlock",
     "spin-force-unlock-keeps-the-lock.lua",
     nullptr,
     {Property::expectations}},
    {"lock_lets_two_write",
     two_writers,
     "lock",
     "lock-ignores-holder.lua",
     nullptr,
     {Property::writes_in_turn}},
    {"multi_lock_keeps_members",
     two_wanted_one_taken,
     "",
     "",
     [](redisson::Settings& client) { client.members_kept = true; },
     {Property::all_or_nothing, Property::nothing_left_behind}},
    {"red_lock_of_a_minority",
     three_wanted_two_taken,
     "",
     "",
     [](redisson::Settings& client) { client.minority_enough = true; },
     {Property::all_or_nothing, Property::mutual_exclusion}},
    {"spin_back_off_endless",
     two_spin,
     "",
     "",
     [](redisson::Settings& client) { client.back_off_endless = true; },
     {Property::granted_in_time}},
    {"spin_unlock_keeps_renewing",
     two_spin,
     "",
     "",
     [](redisson::Settings& client) { client.unlock_keeps_renewing = true; },
     {Property::nothing_left_behind}},
};

INSTANTIATE_TEST_SUITE_P(All, Mutants, testing::ValuesIn(mutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });
INSTANTIATE_TEST_SUITE_P(Fenced, Mutants, testing::ValuesIn(fenced::mutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });
INSTANTIATE_TEST_SUITE_P(ReadWrite, Mutants, testing::ValuesIn(readwrite::mutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });

INSTANTIATE_TEST_SUITE_P(Fair, Mutants, testing::ValuesIn(fair::mutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });
INSTANTIATE_TEST_SUITE_P(Faster, Mutants, testing::ValuesIn(faster::mutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });
INSTANTIATE_TEST_SUITE_P(OnRequest, Mutants, testing::ValuesIn(on_request::mutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });

TEST(MutantTable, HasAMutantForEveryProperty) {
  sim::PropertyMask caught = 0;
  for (const std::vector<Mutant>* table : {&mutants, &fair::mutants, &fenced::mutants, &on_request::mutants})
    for (const Mutant& mutant : *table)
      for (const Property property : mutant.caught_by) caught |= properties::bit(property);
  for (const properties::PropertyInfo& one : properties::catalog)
    EXPECT_NE(caught & properties::bit(one.property), 0U) << one.name;
}

}  // namespace
}  // namespace lockstep::scenarios
