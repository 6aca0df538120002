#include "model/redisson/versions.h"

#include <array>

namespace lockstep::redisson {

namespace {

constexpr std::array table{
    Version{"3.10.5", "watchdog generation 2; a request without an answer is sent again at once",
            [](Settings&) {}},
    Version{"3.10.6", "an interrupted lock() goes on waiting",
            [](Settings& s) { s.lock_returns_on_interrupt = false; }},
    Version{"3.10.7", "a renewal that answers 0 ends the renewal",
            [](Settings& s) { s.renew_again_after_zero = false; }},
    Version{"3.13.3", "a fair lock keeps places for as long as their callers wait, 5 min if they do not say",
            [](Settings& s) {
              s.fair_wait = sim::Duration{300'000};
              s.fair_wait_of_caller = s.fair_wait_unit_lost = true;
            }},
    Version{"3.15.2", "a request without an answer is sent again after retry-interval",
            [](Settings& s) { s.retry_interval = sim::Duration{1'500}; }},
};

// The worlds in which knobs show.
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
constexpr std::string_view queued = R"(format = 1
scripts = "redisson@3.15.0"
[process.A]
threads = [["lock fair:orders", "work 3s", "unlock fair:orders"]]
[process.B]
threads = [["start 1s", "trylock fair:orders wait=9s", "unlock fair:orders"]]
)";

constexpr std::array rows{
    Knob{.name = "response-timeout",
         .says = "how long a request waits for its answer",
         .member = &Settings::response_timeout,
         .world = lost_message,
         .value = "5s"},
    Knob{.name = "retry-attempts",
         .says = "how often a request without an answer is sent again",
         .member = &Settings::retry_attempts,
         .world = lost_message,
         .value = "0"},
    Knob{.name = "retry-interval",
         .says = "from a response time-out until the request is sent again",
         .member = &Settings::retry_interval,
         .zero = true,
         .world = lost_message,
         .value = "700ms"},
    Knob{.name = "subscription-timeout",
         .says = "how long lock() waits until its subscription is confirmed",
         .member = &Settings::subscription_timeout,
         .world = lost_subscription,
         .value = "3s"},
    Knob{.name = "renew-again-after-zero",
         .says = "a renewal that answers 0 is scheduled again all the same (3.10.5, 3.10.6)",
         .member = &Settings::renew_again_after_zero,
         .world = evicted,
         .value = "false"},
    Knob{.name = "lock-returns-on-interrupt",
         .says = "an interrupted lock() returns without the lock (up to 3.10.5)",
         .member = &Settings::lock_returns_on_interrupt,
         .world = interrupted,
         .value = "false"},
    Knob{.name = "fair-wait",
         .says = "how long a fair lock keeps a place in its queue for who does not say how long it waits",
         .member = &Settings::fair_wait,
         .world = queued,
         .value = "7s"},
    Knob{.name = "fair-wait-of-caller",
         .says = "a fair lock keeps a place for as long as its caller says that it waits (since 3.13.3)",
         .member = &Settings::fair_wait_of_caller,
         .world = queued,
         .value = "false"},
    Knob{.name = "fair-wait-unit-lost",
         .says = "tryLock(10, SECONDS) of a fair lock without a lease says 10 ms (since 3.13.3)",
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

std::span<const Version> versions() { return table; }

std::optional<Settings> settings_of(std::string_view version) {
  Settings settings;
  for (const Version& one : table) {
    one.change(settings);
    if (one.name != version) continue;
    settings.version = std::string(one.name);
    return settings;
  }
  return std::nullopt;
}

std::span<const Knob> knobs() { return rows; }

}  // namespace lockstep::redisson
