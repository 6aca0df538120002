#include "model/resource/kind.h"

namespace lockstep::resource {

namespace {

using model::Duration;
using model::Server;

struct Resource {
  static constexpr std::string_view kind = "resource";
  bool operator==(const Resource&) const = default;
};

std::optional<model::Stored> find_nothing(const void*, const std::string&) { return std::nullopt; }

}  // namespace

const model::ServerKind server_kind{
    .name = Resource::kind,
    .outside = true,
    .make = [](const model::ServerSettings&) -> Server { return Resource{}; },
    .serve =
        [](Server&, model::ConnectionId, const model::Command&, const model::Serving&) {
          model::Served served;
          served.reply = lua::Status{"OK"};
          return served;
        },
    .refuses = nullptr,
    .disconnect = [](Server&, sim::ProcessId) {},
    .disconnect_all = [](Server&) {},
    .restart = [](Server&, model::Persistence) {},
    .pass = [](Server&, Duration) { return model::Unasked{}; },
    .jump = [](Server&, Duration) { return model::Unasked{}; },
    .counts_down = [](const Server&) { return false; },
    .next_change = [](const Server&) { return sim::never; },
    .leads = [](const Server&) { return true; },
    .look = [](const Server& server) -> model::Look {
      return {&server, find_nothing, [](const void*) { return std::vector<std::string>{}; }};
    },
    .left_behind = [](const Server&, const model::Excused&) { return std::optional<std::string>{}; },
    .changes = [](const std::string&, const Server&,
                  const Server&) { return std::vector<sim::KeyChange>{}; },
    .quoted = [](const std::string& word) { return word; },
    .forget_unread = nullptr,
    .faults = {}};

}  // namespace lockstep::resource
