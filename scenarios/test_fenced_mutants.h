// test_fenced_mutants.h: the mutants of the fenced lock and of the non-reentrant one.
#pragma once

#include "scenarios/test_mutant.h"

namespace lockstep::scenarios {

namespace fenced {

inline constexpr const char* two_write = R"(scripts = "redisson@3.19.0"
[resource.ledger]
fenced = true
[process.P]
count = 2
threads = [["lock fenced:orders token", "write ledger", "unlock fenced:orders"]])";

inline constexpr const char* one_pauses = R"(scripts = "redisson@3.19.0"
[resource.ledger]
fenced = true
[process.A]
threads = [["lock fenced:orders lease=4s token", "work 1s", "write ledger", "unlock fenced:orders"]]
[process.B]
threads = [["start 1s", "lock fenced:orders lease=4s token", "write ledger", "unlock fenced:orders"]]
[redisson]
response-timeout = "60s"
[faults]
pause-process = 1
pause-max = "6s")";

inline constexpr const char* asked_twice = R"(scripts = "redisson@4.4.0"
[process.P]
count = 2
threads = [["lock non-reentrant:orders", "lock non-reentrant:orders", "expect exception",
            "unlock non-reentrant:orders"]])";

inline const std::vector<Mutant> mutants = {
    {"fenced_lock_does_not_count",
     two_write,
     "fenced-lock-token",
     "fenced-lock-does-not-count.lua",
     nullptr,
     {properties::Property::tokens_grow}},
    {"fenced_lock_counts_down",
     two_write,
     "fenced-lock-token",
     "fenced-lock-counts-down.lua",
     nullptr,
     {properties::Property::tokens_grow}},
    {"fenced_lock_does_not_count_and_one_pauses",
     one_pauses,
     "fenced-lock-token",
     "fenced-lock-does-not-count.lua",
     nullptr,
     {properties::Property::tokens_grow, properties::Property::writes_in_turn}},
    {"non_reentrant_lock_grants_twice",
     asked_twice,
     "non-reentrant-lock",
     "non-reentrant-lock-grants-twice.lua",
     nullptr,
     {properties::Property::expectations}},
};

}  // namespace fenced

}  // namespace lockstep::scenarios
