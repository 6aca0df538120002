// test_fair_mutants.h: the mutants of the fair lock.
#pragma once

#include "scenarios/test_mutant.h"

namespace lockstep::scenarios {

namespace fair {

inline constexpr const char* one_comes_as_it_gets_free = R"(scripts = "redisson@3.32.0"
[process.A]
threads = [["lock fair:orders", "work 1s", "unlock fair:orders"]]
[process.B]
threads = [["start 500ms", "lock fair:orders", "work 1s", "unlock fair:orders"]]
[process.C]
threads = [["start 1s", "lock fair:orders", "work 1s", "unlock fair:orders"]])";

inline constexpr const char* two_wait = R"(scripts = "redisson@3.32.0"
[process.A]
threads = [["lock fair:orders", "work 1s", "unlock fair:orders"]]
[process.B]
threads = [["start 300ms", "lock fair:orders", "work 1s", "unlock fair:orders"]]
[process.C]
threads = [["start 600ms", "lock fair:orders", "work 1s", "unlock fair:orders"]])";

inline constexpr const char* one_gives_up = R"(scripts = "redisson@3.32.0"
[process.A]
threads = [["lock fair:orders", "signal held", "work 3s", "unlock fair:orders"]]
[process.B]
threads = [["await held", "trylock fair:orders wait=1s lease=10s", "expect false", "unlock fair:orders"]])";

using properties::Property;

inline const std::vector<Mutant> mutants = {
    {"fair_unlock_tells_twice",
     two_wait,
     "fair-unlock",
     "fair-unlock-tells-twice.lua",
     nullptr,
     {Property::told_once}},
    {"fair_lock_ignores_the_queue",
     one_comes_as_it_gets_free,
     "fair-lock",
     "fair-lock-ignores-the-queue.lua",
     nullptr,
     {Property::first_come_first_served, Property::bounded_overtaking}},
    {"fair_lock_queues_at_the_head",
     two_wait,
     "fair-lock",
     "fair-lock-queues-at-the-head.lua",
     nullptr,
     {Property::bounded_overtaking}},
    {"fair_acquire_failed_keeps_the_deadline",
     one_gives_up,
     "fair-acquire-failed",
     "fair-acquire-failed-keeps-the-deadline.lua",
     nullptr,
     {Property::queue_in_step}},
};

}  // namespace fair

}  // namespace lockstep::scenarios
