// test_faster_mutants.h: mutants of the faster multi lock (mutants_test.cpp).
#pragma once

#include "scenarios/test_mutant.h"

namespace lockstep::scenarios::faster {

using properties::Property;

inline constexpr const char* meet_in_the_last = R"(scripts = "redisson@3.38.0"
[process.A]
threads = [["lock faster-multi:o/a+b", "work 1s", "unlock faster-multi:o/a+b"]]
[process.B]
threads = [["lock faster-multi:o/c+b", "work 1s", "unlock faster-multi:o/c+b"]])";

inline constexpr const char* taken_twice = R"(scripts = "redisson@3.38.0"
[process.A]
threads = [["lock faster-multi:o/a+b", "lock faster-multi:o/a+b", "work 1s", "unlock faster-multi:o/a+b",
            "work 1s", "unlock faster-multi:o/a+b"]]
[process.B]
threads = [["lock faster-multi:o/b", "unlock faster-multi:o/b"]])";

inline const std::vector<Mutant> mutants = {
    {"faster_lock_overlooks_the_last",
     meet_in_the_last,
     "faster-lock",
     "faster-lock-overlooks-the-last.lua",
     nullptr,
     {Property::mutual_exclusion, Property::mutual_exclusion_within_lease}},
    {"faster_lock_forgets_the_time",
     meet_in_the_last,
     "faster-lock",
     "faster-lock-forgets-the-time.lua",
     nullptr,
     {Property::mutual_exclusion, Property::mutual_exclusion_within_lease}},
    {"faster_unlock_ignores_count",
     taken_twice,
     "faster-unlock",
     "faster-unlock-ignores-count.lua",
     nullptr,
     {Property::reentrancy}},
    {"faster_unlock_tells_nobody",
     meet_in_the_last,
     "faster-unlock",
     "faster-unlock-tells-nobody.lua",
     nullptr,
     {Property::granted_in_time}},
};

}  // namespace lockstep::scenarios::faster
