#include "model/redis/sentinel/kind.h"

namespace lockstep::redis::sentinel {

namespace {

using model::Server;

struct Judge {
  static constexpr std::string_view kind = "sentinel";

  bool operator==(const Judge&) const = default;
  static auto fields(auto&) { return std::tie(); }
};
static_assert(sim::State<Judge>);

std::optional<model::Stored> store_nothing(const void*, const std::string&) { return std::nullopt; }

}  // namespace

/// Clients ask it who is master, which a world knows without a message.
const model::ServerKind server_kind{
    .name = Judge::kind,
    .make = [](const model::ServerSettings&) -> Server { return Judge{}; },
    .serve = [](Server&, model::ConnectionId, const model::Command&,
                const model::Serving&) { return model::Served{.reply = lua::Error{"ERR unknown command"}}; },
    .refuses = nullptr,
    .disconnect = [](Server&, sim::ProcessId) {},
    .disconnect_all = [](Server&) {},
    .restart = [](Server&, model::Persistence) {},
    .pass = [](Server&, sim::Duration) { return model::Unasked{}; },
    .jump = [](Server&, sim::Duration) { return model::Unasked{}; },
    .counts_down = [](const Server&) { return false; },
    .next_change = [](const Server&) { return sim::never; },
    .leads = [](const Server&) { return false; },
    .look = [](const Server& server) -> model::Look {
      return {&server, store_nothing, [](const void*) { return std::vector<std::string>{}; }};
    },
    .left_behind = [](const Server&, const model::Excused&) { return std::optional<std::string>{}; },
    .changes = [](const std::string&, const Server&,
                  const Server&) { return std::vector<sim::KeyChange>{}; },
    .quoted = [](const std::string& word) { return word; },
    .forget_unread = nullptr,
    .faults = {}};

}  // namespace lockstep::redis::sentinel
