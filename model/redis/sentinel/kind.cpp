#include "model/redis/sentinel/kind.h"

#include "model/server/storeless.h"

namespace lockstep::redis::sentinel {

namespace {

using model::Server;

struct Judge {
  static constexpr std::string_view kind = "sentinel";

  bool operator==(const Judge&) const = default;
  static auto fields(auto&) { return std::tie(); }
};
static_assert(sim::State<Judge>);

constexpr model::ServerKind kind() {
  model::ServerKind kind = model::storeless;
  kind.name = Judge::kind;
  kind.make = [](const model::ServerSettings&) -> Server { return Judge{}; };
  kind.serve = [](Server&, model::ConnectionId, const model::Command&, const model::Serving&) {
    return model::Served{.reply = lua::Error{"ERR unknown command"}};
  };
  return kind;
}

}  // namespace

/// Clients ask it who is master, which a world knows without a message.
constinit const model::ServerKind server_kind = kind();

}  // namespace lockstep::redis::sentinel
