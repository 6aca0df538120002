// test_readwrite_mutants.h: the mutants of the read/write lock.
#pragma once

#include "scenarios/test_mutant.h"

namespace lockstep::scenarios {

namespace readwrite {

inline constexpr const char* read_and_write = R"(
[process.A]
threads = [["lock read:orders", "work 1s", "unlock read:orders"]]
[process.B]
threads = [["lock write:orders", "work 1s", "unlock write:orders"]])";

inline constexpr const char* readers_behind_a_writer = R"(
[process.A]
threads = [["lock write:orders", "signal held", "work 1s", "unlock write:orders"]]
[process.P]
count = 2
threads = [["await held", "lock read:orders", "work 1s", "unlock read:orders"]])";

inline constexpr const char* one_reader_leaves = R"(
[process.A]
threads = [["lock read:orders", "work 2s", "unlock read:orders"]]
[process.B]
threads = [["start 500ms", "lock read:orders", "work 1s", "unlock read:orders"]])";

inline constexpr const char* one_reader_leaves_and_a_writer_comes = R"(
[process.A]
threads = [["lock read:orders", "work 3s", "unlock read:orders"]]
[process.B]
threads = [["start 500ms", "lock read:orders", "work 500ms", "unlock read:orders"]]
[process.W]
threads = [["start 2s", "lock write:orders", "work 2s", "unlock write:orders"]])";

inline constexpr const char* read_twice = R"(
[process.A]
threads = [["lock read:orders", "lock read:orders", "work 1s", "unlock read:orders", "work 1s",
            "unlock read:orders"]]
[process.B]
threads = [["start 500ms", "lock read:orders", "work 1s", "unlock read:orders"]])";

inline constexpr const char* long_reading = R"(
[process.A]
threads = [["lock read:orders", "work 40s", "unlock read:orders"]]
[process.B]
threads = [["start 32s", "lock read:orders", "work 1s", "unlock read:orders"]]
[process.W]
threads = [["start 33s", "lock write:orders", "work 10s", "unlock write:orders"]])";

inline constexpr const char* reader_dies = R"(
[process.A]
threads = [["lock read:orders", "crash"]])";

inline constexpr const char* writer_dies = R"(
[process.A]
threads = [["lock write:orders", "crash"]])";

inline constexpr const char* stranger_writes = R"(
[process.A]
threads = [["lock write:orders", "signal held", "await tried", "unlock write:orders"]]
[process.B]
threads = [["await held", "unlock write:orders", "expect exception", "signal tried"]])";

using properties::Property;
inline const std::vector<Mutant> mutants = {
    {"read_lock_ignores_the_writer",
     read_and_write,
     "read-lock",
     "read-lock-ignores-the-writer.lua",
     nullptr,
     {Property::mutual_exclusion, Property::mutual_exclusion_within_lease}},
    {"write_lock_ignores_readers",
     read_and_write,
     "write-lock",
     "write-lock-ignores-readers.lua",
     nullptr,
     {Property::mutual_exclusion, Property::mutual_exclusion_within_lease}},
    {"read_lock_keeps_readers_out",
     readers_behind_a_writer,
     "read-lock",
     "read-lock-keeps-readers-out.lua",
     nullptr,
     {Property::granted_in_time}},
    {"write_unlock_without_publish",
     readers_behind_a_writer,
     "write-unlock",
     "write-unlock-without-publish.lua",
     nullptr,
     {Property::granted_in_time}},
    {"read_unlock_takes_all",
     one_reader_leaves,
     "read-unlock",
     "read-unlock-takes-all.lua",
     nullptr,
     {Property::owner_only}},
    {"read_lock_without_keys",
     one_reader_leaves_and_a_writer_comes,
     "read-lock",
     "read-lock-without-keys.lua",
     nullptr,
     {Property::mutual_exclusion, Property::mutual_exclusion_within_lease}},
    {"read_unlock_ignores_count",
     read_twice,
     "read-unlock",
     "read-unlock-ignores-count.lua",
     nullptr,
     {Property::reentrancy}},
    {"read_renew_forgets_the_keys",
     long_reading,
     "read-renew",
     "read-renew-forgets-the-keys.lua",
     nullptr,
     {Property::mutual_exclusion, Property::mutual_exclusion_within_lease}},
    {"read_lock_keeps_its_key_for_good",
     reader_dies,
     "read-lock",
     "read-lock-keeps-its-key-for-good.lua",
     nullptr,
     {Property::lock_has_ttl, Property::nothing_left_behind}},
    {"write_lock_without_pexpire",
     writer_dies,
     "write-lock",
     "write-lock-without-pexpire.lua",
     nullptr,
     {Property::free_after_crash, Property::lock_has_ttl}},
    {"write_unlock_without_owner_check",
     stranger_writes,
     "write-unlock",
     "write-unlock-without-owner-check.lua",
     nullptr,
     {Property::expectations}},
};

}  // namespace readwrite

}  // namespace lockstep::scenarios
