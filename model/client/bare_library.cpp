#include "model/client/bare_library.h"

#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

struct Bare {
  static constexpr std::string_view kind = "bare";
  bool operator==(const Bare&) const = default;
};

}  // namespace

const Library bare_library{
    .name = "bare",
    .initial = []() -> sim::Boxed<LibraryTag> { return Bare{}; },
    .limits = [](const Setup&, const Purpose&, std::uint16_t) { return RequestLimits{}; },
    .due = [](const Client&) { return std::vector<std::size_t>{}; },
    .fire = [](ClientStep, std::size_t) { UNREACHABLE("a client without timers"); },
    .lock_of_timer = [](const Client&, std::size_t) { return std::string{}; },
    .answered = [](ClientStep, const Request&, const Items&) { UNREACHABLE("a client that asks nothing"); },
    .pushed = [](ClientStep, const Reply&) { UNREACHABLE("a client without subscriptions"); },
    .connected = [](ClientStep) {},
    .closed = nullptr,
    .busy = [](const Client&) { return false; },
    .subscribed = [](const Client&) { return std::optional<std::string>{}; },
    .settling = [](const Client&) { return false; },
    .forget = [](Client&, const Setup&, bool) {},
    .put_in_order = [](Client&) {},
    .renewing = [](const Client&) { return std::vector<std::pair<ThreadId, std::string>>{}; }};

}  // namespace lockstep::model
