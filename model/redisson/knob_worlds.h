// knob_worlds.h: for each knob a world in which it shows; used by knobs.cpp only.
#pragma once

#include <string_view>

namespace lockstep::redisson {

inline constexpr std::string_view long_work = R"(format = 1
[process.A]
threads = [["lock orders", "work 40s", "unlock orders"]]
)";
inline constexpr std::string_view lost_message = R"(format = 1
[process.A]
threads = [["lock orders", "unlock orders"]]
[faults]
lose-message = 1
)";
inline constexpr std::string_view followed = R"(format = 1
[redis]
mode = "replicated"
[process.A]
threads = [["lock orders", "unlock orders"]]
)";
inline constexpr std::string_view asked_of_replicas = R"(format = 1
[redis]
mode = "replicated"
[process.A]
threads = [["lock orders", "is-locked orders", "unlock orders"]]
)";
/// The replica hears late of the lock, so that its acknowledgement does not come in time.
inline constexpr std::string_view heard_late = R"(format = 1
[redis]
mode = "replicated"
wait = 1
[process.A]
threads = [["lock orders", "unlock orders"]]
[faults]
replica-lag = 1
)";
inline constexpr std::string_view needed = R"(format = 1
[redis]
mode = "replicated"
wait = 1
[process.A]
threads = [["lock orders", "unlock orders"]]
[process.A.redisson]
wait-needs = 1
[faults]
replica-lag = 1
)";
inline constexpr std::string_view needed_again = R"(format = 1
scripts = "redisson@3.24.0"
[redis]
mode = "replicated"
wait = 1
[process.A]
threads = [["lock orders", "unlock orders"]]
[faults]
fixed = ["lag R1 after reply to lock orders of A"]
)";
inline constexpr std::string_view lost_with_wait = R"(format = 1
[redis]
mode = "replicated"
wait = 1
[process.A]
threads = [["lock orders"]]
[faults]
lose-message = 1
)";
inline constexpr std::string_view lost_subscription = R"(format = 1
[process.A]
threads = [["lock orders", "work 20s", "unlock orders"]]
[process.B]
threads = [["start 1s", "lock orders", "expect true", "unlock orders"]]
[faults]
lose-message = 1
)";
inline constexpr std::string_view interrupted = R"(format = 1
[process.A]
threads = [["lock orders", "work 10s", "unlock orders"]]
[process.B]
threads = [["lock orders", "unlock orders"]]
[faults]
interrupt-thread = 1
)";
inline constexpr std::string_view evicted = R"(format = 1
[process.A]
threads = [["lock orders", "work 40s", "unlock orders"]]
[faults]
evict-key = 1
)";
inline constexpr std::string_view contended = R"(format = 1
[process.A]
threads = [["lock orders", "work 1s", "unlock orders"]]
[process.B]
threads = [["lock orders", "unlock orders"]]
)";
inline constexpr std::string_view leased = R"(format = 1
[process.A]
threads = [["lock orders lease=5s", "work 8s"]]
[process.B]
threads = [["start 1s", "lock orders", "unlock orders"]]
)";
inline constexpr std::string_view leased_for_nothing = R"(format = 1
[process.A]
threads = [["lock orders lease=0s", "work 1s", "unlock orders"]]
)";
inline constexpr std::string_view contended_in_a_cluster = R"(format = 1
scripts = "redisson@3.22.0"
[redis]
mode = "cluster"
replicas = 0
[process.A]
threads = [["lock orders", "work 1s", "unlock orders"]]
[process.B]
threads = [["lock orders", "unlock orders"]]
)";
inline constexpr std::string_view spun = R"(format = 1
scripts = "redisson@3.15.0"
[process.A]
threads = [["lock spin:orders", "work 20ms", "unlock spin:orders"]]
[process.B]
threads = [["lock spin:orders", "unlock spin:orders"]]
)";

inline constexpr std::string_view spun_too_long = R"(format = 1
scripts = "redisson@3.19.0"
[process.A]
threads = [["lock spin:orders", "work 5ms", "unlock spin:orders"]]
[process.B]
threads = [["trylock spin:orders wait=6ms", "unlock spin:orders"]]
)";
inline constexpr std::string_view spun_by_future = R"(format = 1
scripts = "redisson@3.24.0"
[process.A]
threads = [["lock spin:orders", "work 20ms", "unlock spin:orders"]]
[process.B]
threads = [["trylock spin:orders wait=6ms async", "get", "unlock spin:orders"]]
)";
inline constexpr std::string_view awaited_by_future = R"(format = 1
[process.A]
threads = [["lock orders", "work 1s", "unlock orders"]]
[process.B]
threads = [["lock orders async", "get", "unlock orders"]]
[time]
network = "0..10ms"
)";
inline constexpr std::string_view two_channels = R"(format = 1
[process.A]
threads = [["lock jobs", "lock mail", "work 1s", "unlock mail", "unlock jobs"]]
[process.B]
threads = [["start 500ms", "lock jobs", "unlock jobs"], ["start 500ms", "lock mail", "unlock mail"]]
)";
inline constexpr std::string_view two_threads = R"(format = 1
[process.A]
threads = [["lock jobs", "unlock jobs"], ["lock mail", "unlock mail"]]
)";
inline constexpr std::string_view crowded = R"(format = 1
[process.A]
threads = [["lock jobs", "unlock jobs"], ["lock mail", "unlock mail"]]
[process.A.redisson]
connection-pool = 1
[faults]
lose-message = 1
)";
inline constexpr std::string_view read_only_replica = R"(format = 1
[redis]
mode = "replicated"
nodes = 2
[process.A]
threads = [["start 7s", "lock orders", "unlock orders"]]
[faults]
fixed = ["crash R0 at 4s", "failover R1 at 5s", "restart R0 at 6s"]
learn = "0..5s"
)";

inline constexpr std::string_view two_renewed = R"(format = 1
scripts = "redisson@3.44.0"
[process.A]
threads = [["lock orders", "lock stock", "work 15s", "unlock stock", "unlock orders"]]
)";
inline constexpr std::string_view unlocked_in_a_renewal = R"(format = 1
scripts = "redisson@3.46.0"
[process.A]
threads = [["lock orders", "work 10s", "unlock orders"], ["lock stock", "work 15s", "unlock stock"]]
)";
inline constexpr std::string_view evicted_later = R"(format = 1
scripts = "redisson@3.10.7"
[process.A]
threads = [["lock orders", "work 40s", "unlock orders"]]
[faults]
evict-key = 1
)";
inline constexpr std::string_view dies_at_work = R"(format = 1
scripts = "redisson@3.12.1"
[process.A]
threads = [["lock orders", "work 40s", "unlock orders"]]
[faults]
fixed = ["crash R0 at 5s"]
)";
inline constexpr std::string_view dies_before_unlock = R"(format = 1
[process.A]
threads = [["lock orders", "work 1s", "unlock orders"]]
[faults]
fixed = ["crash R0 at 500ms"]
)";
inline constexpr std::string_view held_twice = R"(format = 1
scripts = "redisson@3.46.0"
[process.A]
threads = [["lock orders", "lock orders", "unlock orders", "unlock orders", "work 1s"]]
)";
inline constexpr std::string_view read_twice = R"(format = 1
scripts = "redisson@3.44.0"
[process.A]
threads = [["lock read:a", "lock read:a", "unlock read:a", "unlock read:a", "work 1s"]]
)";
inline constexpr std::string_view written_and_read = R"(format = 1
scripts = "redisson@3.12.3"
[process.A]
threads = [["lock write:a", "lock read:a", "unlock write:a", "work 15s"]]
)";
inline constexpr std::string_view written = R"(format = 1
[process.A]
threads = [["lock write:a", "work 1s", "unlock write:a"]]
[process.B]
threads = [["start 500ms", "lock read:a", "unlock read:a"]]
)";
inline constexpr std::string_view two_members = R"(format = 1
[process.A]
threads = [["lock multi:a+b", "unlock multi:a+b"]]
)";
inline constexpr std::string_view leased_within = R"(format = 1
scripts = "redisson@3.15.2"
[process.A]
threads = [["lock orders", "lock orders lease=6s", "work 15s"]]
)";
inline constexpr std::string_view leased_before = R"(format = 1
scripts = "redisson@3.12.1"
[process.A]
threads = [["lock orders lease=5s", "unlock orders", "lock orders", "unlock orders"]]
)";
inline constexpr std::string_view leased_before_later = R"(format = 1
scripts = "redisson@3.15.2"
[process.A]
threads = [["lock orders lease=5s", "unlock orders", "lock orders", "unlock orders"]]
)";
inline constexpr std::string_view leased_twice = R"(format = 1
scripts = "redisson@3.19.2"
[process.A]
threads = [["lock orders lease=5s", "lock orders lease=5s", "unlock orders", "work 1s", "unlock orders"]]
)";
inline constexpr std::string_view latched = R"(format = 1
scripts = "redisson@3.24.0"
[process.A]
threads = [["lock orders", "unlock orders"]]
)";
inline constexpr std::string_view tried_in_vain = R"(format = 1
scripts = "redisson@3.37.0"
[process.A]
threads = [["lock orders lease=30s", "work 20s"]]
[process.B]
threads = [["start 1s", "trylock orders wait=20s lease=5s"]]
[faults]
lose-message = 1
)";

inline constexpr std::string_view queued = R"(format = 1
scripts = "redisson@3.15.0"
[process.A]
threads = [["lock fair:orders", "work 3s", "unlock fair:orders"]]
[process.B]
threads = [["start 1s", "trylock fair:orders wait=9s", "unlock fair:orders"]]
)";

inline constexpr std::string_view in_turns = R"(format = 1
[process.A]
threads = [["lock b lease=20s", "work 7s", "unlock b"]]
[process.B]
threads = [["start 500ms", "lock multi:a+b lease=5s", "unlock multi:a+b"]]
)";
inline constexpr std::string_view several = R"(format = 1
[process.A]
threads = [["lock a", "lock b", "work 1s"]]
[process.B]
threads = [["start 500ms", "trylock red:a+c+b", "unlock red:a+c+b"]]
)";
inline constexpr std::string_view asked_whole = R"(format = 1
[process.A]
threads = [["lock multi:a+b", "is-held multi:a+b", "unlock multi:a+b"]]
)";

}  // namespace lockstep::redisson
