#include "model/resource/kind.h"

#include <charconv>

namespace lockstep::resource {

namespace {

using model::Duration;
using model::Server;

struct Resource {
  static constexpr std::string_view kind = "resource";

  bool fenced = false;
  std::optional<std::int64_t> greatest;  // token of a write that it took

  bool operator==(const Resource&) const = default;
  static auto fields(auto& r) { return std::tie(r.fenced, r.greatest); }
};
static_assert(sim::State<Resource>);

/// Whether it takes a write that comes with this token.
bool take(Resource& resource, std::optional<std::int64_t> token) {
  if (!resource.fenced) return true;
  if (!token || (resource.greatest && *token < *resource.greatest)) return false;
  resource.greatest = token;
  return true;
}

/// `write ledger`, or `write ledger 3`.
std::optional<std::int64_t> token_in(const model::Command& words) {
  if (words.size() < 3) return std::nullopt;
  std::int64_t token = 0;
  std::from_chars(words[2].data(), words[2].data() + words[2].size(), token);
  return token;
}

std::optional<model::Stored> find_nothing(const void*, const std::string&) { return std::nullopt; }

}  // namespace

const model::ServerKind server_kind{
    .name = Resource::kind,
    .outside = true,
    .make = [](const model::ServerSettings& settings) -> Server { return Resource{settings.fenced, {}}; },
    .serve =
        [](Server& server, model::ConnectionId, const model::Command& words, const model::Serving&) {
          model::Served served;
          if (take(server.write<Resource>(), token_in(words))) served.reply = lua::Status{"OK"};
          else served.reply = std::int64_t{0};
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
