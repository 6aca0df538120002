// The knobs, and for each the world in which it shows.
#include <array>

#include "model/redisson/versions.h"

namespace lockstep::redisson {

namespace {

constexpr std::string_view long_work = R"(format = 1
[process.A]
threads = [["lock orders", "work 40s", "unlock orders"]]
)";
constexpr std::string_view lost_message = R"(format = 1
[process.A]
threads = [["lock orders", "unlock orders"]]
[faults]
lose-message = 1
)";
constexpr std::string_view followed = R"(format = 1
[redis]
mode = "replicated"
[process.A]
threads = [["lock orders", "unlock orders"]]
)";
constexpr std::string_view asked_of_replicas = R"(format = 1
[redis]
mode = "replicated"
[process.A]
threads = [["lock orders", "is-locked orders", "unlock orders"]]
)";
/// The replica hears late of the lock, so that its acknowledgement does not come in time.
constexpr std::string_view heard_late = R"(format = 1
[redis]
mode = "replicated"
wait = 1
[process.A]
threads = [["lock orders", "unlock orders"]]
[faults]
replica-lag = 1
)";
constexpr std::string_view needed = R"(format = 1
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
constexpr std::string_view needed_again = R"(format = 1
scripts = "redisson@3.24.0"
[redis]
mode = "replicated"
wait = 1
[process.A]
threads = [["lock orders", "unlock orders"]]
[faults]
fixed = ["lag R1 after reply to lock orders of A"]
)";
constexpr std::string_view lost_with_wait = R"(format = 1
[redis]
mode = "replicated"
wait = 1
[process.A]
threads = [["lock orders"]]
[faults]
lose-message = 1
)";
constexpr std::string_view lost_subscription = R"(format = 1
[process.A]
threads = [["lock orders", "work 20s", "unlock orders"]]
[process.B]
threads = [["start 1s", "lock orders", "expect true", "unlock orders"]]
[faults]
lose-message = 1
)";
constexpr std::string_view interrupted = R"(format = 1
[process.A]
threads = [["lock orders", "work 10s", "unlock orders"]]
[process.B]
threads = [["lock orders", "unlock orders"]]
[faults]
interrupt-thread = 1
)";
constexpr std::string_view evicted = R"(format = 1
[process.A]
threads = [["lock orders", "work 40s", "unlock orders"]]
[faults]
evict-key = 1
)";
constexpr std::string_view contended = R"(format = 1
[process.A]
threads = [["lock orders", "work 1s", "unlock orders"]]
[process.B]
threads = [["lock orders", "unlock orders"]]
)";
constexpr std::string_view leased = R"(format = 1
[process.A]
threads = [["lock orders lease=5s", "work 8s"]]
[process.B]
threads = [["start 1s", "lock orders", "unlock orders"]]
)";
constexpr std::string_view spun = R"(format = 1
[process.A]
threads = [["lock spin:orders", "work 20ms", "unlock spin:orders"]]
[process.B]
threads = [["lock spin:orders", "unlock spin:orders"]]
)";

constexpr std::string_view awaited_by_future = R"(format = 1
[process.A]
threads = [["lock orders", "work 1s", "unlock orders"]]
[process.B]
threads = [["lock orders async", "get", "unlock orders"]]
[time]
network = "0..10ms"
)";
constexpr std::string_view two_channels = R"(format = 1
[process.A]
threads = [["lock jobs", "lock mail", "work 1s", "unlock mail", "unlock jobs"]]
[process.B]
threads = [["start 500ms", "lock jobs", "unlock jobs"], ["start 500ms", "lock mail", "unlock mail"]]
)";
constexpr std::string_view two_threads = R"(format = 1
[process.A]
threads = [["lock jobs", "unlock jobs"], ["lock mail", "unlock mail"]]
)";
constexpr std::string_view crowded = R"(format = 1
[process.A]
threads = [["lock jobs", "unlock jobs"], ["lock mail", "unlock mail"]]
[process.A.redisson]
connection-pool = 1
[faults]
lose-message = 1
)";
constexpr std::string_view read_only_replica = R"(format = 1
[redis]
mode = "replicated"
nodes = 2
[process.A]
threads = [["start 7s", "lock orders", "unlock orders"]]
[faults]
fixed = ["crash R0 at 4s", "failover R1 at 5s", "restart R0 at 6s"]
learn = "0..5s"
)";

constexpr std::string_view two_renewed = R"(format = 1
scripts = "redisson@3.44.0"
[process.A]
threads = [["lock orders", "lock stock", "work 15s", "unlock stock", "unlock orders"]]
)";
constexpr std::string_view evicted_later = R"(format = 1
scripts = "redisson@3.10.7"
[process.A]
threads = [["lock orders", "work 40s", "unlock orders"]]
[faults]
evict-key = 1
)";
constexpr std::string_view dies_at_work = R"(format = 1
scripts = "redisson@3.12.1"
[process.A]
threads = [["lock orders", "work 40s", "unlock orders"]]
[faults]
fixed = ["crash R0 at 5s"]
)";
constexpr std::string_view dies_before_unlock = R"(format = 1
[process.A]
threads = [["lock orders", "work 1s", "unlock orders"]]
[faults]
fixed = ["crash R0 at 500ms"]
)";
constexpr std::string_view held_twice = R"(format = 1
scripts = "redisson@3.46.0"
[process.A]
threads = [["lock orders", "lock orders", "unlock orders", "unlock orders", "work 1s"]]
)";
constexpr std::string_view read_twice = R"(format = 1
scripts = "redisson@3.44.0"
[process.A]
threads = [["lock read:a", "lock read:a", "unlock read:a", "unlock read:a", "work 1s"]]
)";
constexpr std::string_view written_and_read = R"(format = 1
scripts = "redisson@3.12.3"
[process.A]
threads = [["lock write:a", "lock read:a", "unlock write:a", "work 15s"]]
)";
constexpr std::string_view written = R"(format = 1
[process.A]
threads = [["lock write:a", "work 1s", "unlock write:a"]]
[process.B]
threads = [["start 500ms", "lock read:a", "unlock read:a"]]
)";
constexpr std::string_view two_members = R"(format = 1
[process.A]
threads = [["lock multi:a+b", "unlock multi:a+b"]]
)";
constexpr std::string_view leased_within = R"(format = 1
scripts = "redisson@3.15.2"
[process.A]
threads = [["lock orders", "lock orders lease=6s", "work 15s"]]
)";
constexpr std::string_view leased_before = R"(format = 1
scripts = "redisson@3.12.1"
[process.A]
threads = [["lock orders lease=5s", "unlock orders", "lock orders", "unlock orders"]]
)";
constexpr std::string_view leased_before_later = R"(format = 1
scripts = "redisson@3.15.2"
[process.A]
threads = [["lock orders lease=5s", "unlock orders", "lock orders", "unlock orders"]]
)";
constexpr std::string_view leased_twice = R"(format = 1
scripts = "redisson@3.19.2"
[process.A]
threads = [["lock orders lease=5s", "lock orders lease=5s", "unlock orders", "work 1s", "unlock orders"]]
)";
constexpr std::string_view latched = R"(format = 1
scripts = "redisson@3.24.0"
[process.A]
threads = [["lock orders", "unlock orders"]]
)";
constexpr std::string_view tried_in_vain = R"(format = 1
scripts = "redisson@3.37.0"
[process.A]
threads = [["lock orders lease=30s", "work 20s"]]
[process.B]
threads = [["start 1s", "trylock orders wait=20s lease=5s"]]
[faults]
lose-message = 1
)";

constexpr std::string_view queued = R"(format = 1
scripts = "redisson@3.15.0"
[process.A]
threads = [["lock fair:orders", "work 3s", "unlock fair:orders"]]
[process.B]
threads = [["start 1s", "trylock fair:orders wait=9s", "unlock fair:orders"]]
)";

constexpr std::string_view several = R"(format = 1
[process.A]
threads = [["lock a", "lock b", "work 1s"]]
[process.B]
threads = [["start 500ms", "trylock red:a+c+b", "unlock red:a+c+b"]]
)";

constexpr std::array rows{
    Knob{.name = "response-timeout",
         .says = "how long a request waits for its answer",
         .member = &Settings::response_timeout,
         .told = true,
         .world = lost_message,
         .value = "5s"},
    Knob{.name = "retry-attempts",
         .says = "how often a request without an answer is sent again",
         .member = &Settings::retry_attempts,
         .told = true,
         .world = lost_message,
         .value = "0"},
    Knob{.name = "retry-interval",
         .says = "from a response time-out until the request is sent again",
         .member = &Settings::retry_interval,
         .zero = true,
         .told = true,
         .world = lost_message,
         .value = "700ms"},
    Knob{.name = "subscription-timeout",
         .says = "how long lock() waits until its subscription is confirmed",
         .member = &Settings::subscription_timeout,
         .told = true,
         .world = lost_subscription,
         .value = "3s"},
    Knob{.name = "renew-again-after-zero",
         .says = "a renewal that answers 0 is scheduled again all the same",
         .member = &Settings::renew_again_after_zero,
         .told = true,
         .world = evicted,
         .value = "false"},
    Knob{.name = "lock-returns-on-interrupt",
         .says = "an interrupted lock() returns without the lock",
         .member = &Settings::lock_returns_on_interrupt,
         .told = true,
         .world = interrupted,
         .value = "false"},
    Knob{.name = "retry-jitter",
         .says = "the delay before a request is sent again is drawn: 0.5 to 1 s, from the second on 1 to 2 s",
         .member = &Settings::retry_jitter,
         .world = lost_message,
         .value = "true"},
    Knob{.name = "resend",
         .says = "a request without an answer is sent again; one that could not leave is in any case",
         .member = &Settings::resend,
         .world = lost_message,
         .value = "false"},
    Knob{.name = "no-retry",
         .says = "an acquire or an unlock without an answer is not sent again, where there are no replicas",
         .member = &Settings::no_retry,
         .world = lost_message,
         .value = "true"},
    Knob{.name = "read-mode",
         .says = "whom is-locked and remain-time ask (readMode): 0: the master; 1: a replica; 2: any node",
         .member = &Settings::read_mode,
         .most = 2,
         .world = asked_of_replicas,
         .value = "2"},
    Knob{.name = "resends-with-wait",
         .says = "a script without an answer is sent again if WAIT goes with it, too",
         .member = &Settings::resends_with_wait,
         .world = lost_with_wait,
         .value = "false"},
    Knob{.name = "replica-count",
         .says = "how many replicas WAIT names: 0: none is sent; 1: all that the client is configured with; "
                 "2: as INFO says each time; 3: as INFO said once",
         .member = &Settings::replica_count,
         .most = 3,
         .world = followed,
         .value = "2"},
    Knob{.name = "wait-needs",
         .says = "what WAIT must be answered, or the request has failed: 0: anything; 1: one replica; 2: all",
         .member = &Settings::wait_needs,
         .most = 2,
         .world = heard_late,
         .value = "1"},
    Knob{.name = "sync-timeout",
         .says = "how long WAIT waits (slavesSyncTimeout)",
         .member = &Settings::sync_timeout,
         .world = heard_late,
         .value = "300ms"},
    Knob{.name = "sync-undone",
         .says = "an acquire that too few replicas have is taken back by an unlock",
         .member = &Settings::sync_undone,
         .world = needed,
         .value = "true"},
    Knob{.name = "sync-repeated",
         .says = "a call that too few replicas have is begun anew",
         .member = &Settings::sync_repeated,
         .world = needed,
         .value = "true"},
    Knob{.name = "repeats-request",
         .says = "an unlock that is begun anew has the request id of the first",
         .member = &Settings::repeats_request,
         .world = needed_again,
         .value = "true"},
    Knob{.name = "watchdog-generation",
         .says = "1: a timer for the first thread; 2: for each lock; 3: for all",
         .member = &Settings::watchdog_generation,
         .least = 1,
         .most = 3,
         .world = long_work,
         .value = "3"},
    Knob{.name = "watchdog-batch",
         .says = "generation 3: how many locks one request renews (lockWatchdogBatchSize)",
         .member = &Settings::watchdog_batch,
         .least = 1,
         .world = two_renewed,
         .value = "1"},
    Knob{.name = "zero-ends-entry",
         .says = "a renewal that answers 0 forgets all holds of its lock",
         .member = &Settings::zero_ends_entry,
         .world = evicted_later,
         .value = "true"},
    Knob{.name = "error-ends-entry",
         .says = "a renewal that fails forgets all holds of its lock",
         .member = &Settings::error_ends_entry,
         .world = dies_at_work,
         .value = "true"},
    Knob{.name = "inner-hold-leaks",
         .says = "generation 3: who held twice stays the thread that is renewed for",
         .member = &Settings::inner_hold_leaks,
         .world = held_twice,
         .value = "true"},
    Knob{.name = "read-hold-leaks",
         .says = "generation 3: who read twice stays a reader that is renewed for",
         .member = &Settings::read_hold_leaks,
         .world = read_twice,
         .value = "false"},
    Knob{.name = "write-renews-as-reader",
         .says = "generation 2: a writer's renewal that answers 0 is followed by that of a reader",
         .member = &Settings::write_renews_as_reader,
         .world = written_and_read,
         .value = "true"},
    Knob{.name = "write-wakes-all",
         .says = "a writer that unlocks tells all who wait, not one",
         .member = &Settings::write_wakes_all,
         .world = written,
         .value = "false"},
    Knob{.name = "listeners-take-permits",
         .says = "lockAsync() that begins to listen takes a wake-up that came just before",
         .member = &Settings::listeners_take_permits,
         .world = awaited_by_future,
         .value = "true"},
    Knob{.name = "channel-stripes",
         .says = "how many mutexes channels share while they are subscribed and unsubscribed",
         .member = &Settings::channel_stripes,
         .least = 1,
         .world = two_channels,
         .value = "1"},
    Knob{.name = "confirmation-timeout",
         .says = "how long SUBSCRIBE and UNSUBSCRIBE wait to be confirmed; 0s: for ever",
         .member = &Settings::confirmation_timeout,
         .zero = true,
         .world = lost_subscription,
         .value = "3s"},
    Knob{.name = "connection-pool",
         .says = "how many requests of a client may be under way at one node; 0: any number",
         .member = &Settings::connection_pool,
         .most = 1'000,
         .world = two_threads,
         .value = "1"},
    Knob{.name = "connection-wait",
         .says = "how long a request waits for a connection of the pool, and fails then",
         .member = &Settings::connection_wait,
         .world = crowded,
         .value = "2s"},
    Knob{.name = "refusals-retried",
         .says = "what a server refuses for now (LOADING, READONLY and their like) is sent again later",
         .member = &Settings::refusals_retried,
         .world = read_only_replica,
         .value = "true"},
    Knob{.name = "members-unlocked-in-turn",
         .says = "a multi lock unlocks one member after the other, up to the first that throws",
         .member = &Settings::members_unlocked_in_turn,
         .world = two_members,
         .value = "true"},
    Knob{.name = "renews-for-watchdog-time",
         .says = "renewals ask for the watchdog's time, not for the lease field",
         .member = &Settings::renews_for_watchdog_time,
         .world = leased_within,
         .value = "true"},
    Knob{.name = "unlock-always-cancels",
         .says = "an unlock by who is not the holder takes a hold off the watchdog, too",
         .member = &Settings::unlock_always_cancels,
         .world = evicted_later,
         .value = "true"},
    Knob{.name = "failed-unlock-cancels",
         .says = "an unlock that fails takes a hold off the watchdog, too",
         .member = &Settings::failed_unlock_cancels,
         .world = dies_before_unlock,
         .value = "false"},
    Knob{.name = "granted-sets-lease",
         .says = "the lease field is set by what is granted, and asked for without a lease",
         .member = &Settings::granted_sets_lease,
         .world = leased_before,
         .value = "true"},
    Knob{.name = "unlock-resets-lease",
         .says = "an unlock sets the lease field back to the watchdog's time",
         .member = &Settings::unlock_resets_lease,
         .world = leased_before_later,
         .value = "true"},
    Knob{.name = "inner-unlock-keeps-lease",
         .says = "an unlock that leaves a hold leaves the lease field",
         .member = &Settings::inner_unlock_keeps_lease,
         .world = leased_twice,
         .value = "true"},
    Knob{.name = "deletes-latch",
         .says = "DEL of the latch follows the answer to an unlock",
         .member = &Settings::deletes_latch,
         .world = latched,
         .value = "false"},
    Knob{.name = "deletes-wrong-latch",
         .says = "that DEL names no latch",
         .member = &Settings::deletes_wrong_latch,
         .world = latched,
         .value = "true"},
    Knob{.name = "trylock-swallows-time-out",
         .says = "a tryLock(wait) without an answer when it asks again returns false",
         .member = &Settings::try_lock_swallows_time_out,
         .world = tried_in_vain,
         .value = "true"},
    Knob{.name = "fair-wait",
         .says = "how long a fair lock keeps a place in its queue for who does not say how long it waits",
         .member = &Settings::fair_wait,
         .world = queued,
         .value = "7s"},
    Knob{.name = "fair-wait-of-caller",
         .says = "a fair lock keeps a place for as long as its caller says that it waits",
         .member = &Settings::fair_wait_of_caller,
         .world = queued,
         .value = "false"},
    Knob{.name = "fair-wait-unit-lost",
         .says = "tryLock(10, SECONDS) of a fair lock without a lease asks for a place for 10 ms",
         .member = &Settings::fair_wait_unit_lost,
         .world = queued,
         .value = "false"},
    Knob{.name = "watchdog",  // [time] watchdog
         .says = "the lease of a lock taken without one; renewed every third of it",
         .member = &Settings::watchdog,
         .world = long_work,
         .value = "9s"},
    Knob{.name = "back-off-endless",
         .says = "who is refused by a spin lock sleeps for ever",
         .member = &Settings::back_off_endless,
         .mutant = true,
         .world = spun,
         .value = "true"},
    Knob{.name = "members-kept",
         .says = "a multi or red lock that is refused keeps the members that it has",
         .member = &Settings::members_kept,
         .mutant = true,
         .world = several,
         .value = "true"},
    Knob{.name = "minority-enough",
         .says = "one member less than a majority is enough for a red lock",
         .member = &Settings::minority_enough,
         .mutant = true,
         .world = several,
         .value = "true"},
    Knob{.name = "permit-ignored",
         .says = "a message that comes before the thread parks is not remembered",
         .member = &Settings::permit_ignored,
         .mutant = true,
         .world = contended,
         .value = "true"},
    Knob{.name = "ttl-wait-not-outlasted",
         .says = "a wait for a time to live ends when that does",
         .member = &Settings::ttl_wait_extra,
         .mutant = true,
         .world = leased,
         .value = "0s"},
    Knob{.name = "unlock-keeps-renewing",
         .says = "unlock does not stop the watchdog",
         .member = &Settings::unlock_keeps_renewing,
         .mutant = true,
         .world = contended,
         .value = "true"},
    Knob{.name = "unsubscribe-forgotten",
         .says = "a waiter that got the lock stays subscribed",
         .member = &Settings::unsubscribe_forgotten,
         .mutant = true,
         .world = contended,
         .value = "true"},
};

}  // namespace

std::span<const Knob> knobs() { return rows; }

}  // namespace lockstep::redisson
