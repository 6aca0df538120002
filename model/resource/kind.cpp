#include "model/resource/kind.h"

#include <charconv>

#include "model/server/storeless.h"

namespace lockstep::resource {

namespace {

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

constexpr model::ServerKind kind() {
  model::ServerKind kind = model::storeless;
  kind.name = Resource::kind;
  kind.outside = true;
  kind.make = [](const model::ServerSettings& settings) -> Server { return Resource{settings.fenced, {}}; };
  kind.serve = [](Server& server, model::ConnectionId, const model::Command& words, const model::Serving&) {
    model::Served served;
    if (take(server.write<Resource>(), token_in(words))) served.reply = lua::Status{"OK"};
    else served.reply = std::int64_t{0};
    return served;
  };
  kind.leads = [](const Server&) { return true; };
  return kind;
}

}  // namespace

constinit const model::ServerKind server_kind = kind();

}  // namespace lockstep::resource
