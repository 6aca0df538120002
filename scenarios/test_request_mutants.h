// test_request_mutants.h: the mutants that the properties on request catch.
#pragma once

#include "scenarios/test_mutant.h"

namespace lockstep::scenarios {

namespace on_request {

inline constexpr const char* works_longer_than_the_lease = R"(
[time]
watchdog = "3s"
[process.A]
threads = [["lock orders", "work 4s", "unlock orders"]]
[expect]
lease-kept = "proved")";

inline constexpr const char* reads_longer_than_the_lease = R"(
[time]
watchdog = "3s"
[process.A]
threads = [["lock read:orders", "work 4s", "unlock read:orders"]]
[process.B]
threads = [["start 1s", "lock read:orders lease=10s", "work 4s", "unlock read:orders"]]
[expect]
lease-kept = "proved")";

// When the lease is over that B was told, A has just taken the lock again.
inline constexpr const char* one_waits_for_another_that_goes_round = R"(
[process.A]
threads = [["repeat forever { lock orders lease=4s; work 1s; unlock orders; think 1s }"]]
[process.B]
threads = [["lock orders lease=4s", "unlock orders"]])";

inline constexpr const char* one_waits = R"(
[process.P]
count = 2
threads = [["lock orders", "work 20ms", "unlock orders"]]
[expect]
no-lost-wake-up = "proved"
[bounds]
busy-poll = 3)";

// They listen with SSUBSCRIBE, which PUBLISH does not reach.
inline constexpr const char* one_waits_in_a_cluster = R"(scripts = "redisson@3.22.0"
[redis]
mode = "cluster"
replicas = 0
[process.P]
count = 2
threads = [["lock orders", "work 20ms", "unlock orders"]]
[expect]
no-lost-wake-up = "proved")";

// The unlock may come between the refusal of the waiter and its parking.
inline constexpr const char* quick_hand_over = R"(
[process.P]
count = 2
threads = [["lock orders", "unlock orders"]]
[expect]
no-lost-wake-up = "proved")";

inline constexpr const char* three_wanted_two_taken = R"(
[process.P]
count = 2
threads = [["trylock red:a+b+c", "work 1s", "unlock red:a+b+c"]]
[expect]
red-majority = "proved"
red-validity = "proved")";

inline constexpr const char* red_lock_for_long = R"(
[process.A]
threads = [["lock red:a+b+c", "work 5s", "unlock red:a+b+c"]]
[expect]
red-majority = "proved"
red-validity = "proved")";

using properties::Property;

inline const std::vector<Mutant> mutants = {
    {"nobody_is_told_and_the_lock_is_taken_again",
     one_waits_for_another_that_goes_round,
     "unlock",
     "unlock-without-publish.lua",
     nullptr,
     {Property::no_starvation}},
    {"renewal_does_not_prolong",
     works_longer_than_the_lease,
     "renew",
     "renew-without-pexpire.lua",
     nullptr,
     {Property::lease_kept}},
    {"renewal_forgets_the_time_of_the_reader",
     reads_longer_than_the_lease,
     "read-renew",
     "read-renew-forgets-the-keys.lua",
     nullptr,
     {Property::lease_kept}},
    {"unlock_tells_nobody",
     one_waits,
     "unlock",
     "unlock-without-publish.lua",
     nullptr,
     {Property::no_lost_wake_up}},
    {"unlock_publishes_in_no_shard",
     one_waits_in_a_cluster,
     "unlock",
     "unlock-publishes-in-no-shard.lua",
     nullptr,
     {Property::no_lost_wake_up, Property::granted_in_time}},
    {"permit_is_not_stored",
     quick_hand_over,
     "",
     "",
     [](redisson::Settings& client) { client.permit_ignored = true; },
     {Property::no_lost_wake_up}},
    {"refusal_says_one_millisecond",
     one_waits,
     "lock",
     "lock-says-one-millisecond.lua",
     nullptr,
     {Property::busy_poll}},
    {"red_lock_that_a_minority_has",
     three_wanted_two_taken,
     "",
     "",
     [](redisson::Settings& client) { client.minority_enough = true; },
     {Property::red_majority, Property::red_validity}},
    {"members_for_a_tenth_of_the_lease",
     red_lock_for_long,
     "lock",
     "lock-takes-a-tenth-of-the-lease.lua",
     nullptr,
     {Property::red_validity}},
};

}  // namespace on_request

}  // namespace lockstep::scenarios
