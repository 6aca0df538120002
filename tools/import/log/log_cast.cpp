#include "tools/import/log/log_cast.h"

#include <fmt/format.h>

#include "reports/text/text.h"
#include "tools/import/log/log_replay.h"

namespace lockstep::tools {

namespace {

/// A … Z, then C27, C28 …
std::string letter(std::size_t number) {
  return number < 26 ? std::string(1, static_cast<char>('A' + number)) : fmt::format("C{}", number + 1);
}

}  // namespace

std::string LogCast::client_of(const std::string& holder) {
  const std::string id = holder.substr(0, holder.rfind(':'));
  const auto [found, fresh] = clients_.emplace(id, letter(clients_.size()));
  if (fresh)
    actors_.push_back({.id = found->second,
                       .kind = "process",
                       .of = {},
                       .label = "client " + found->second,
                       .lock_id = id,
                       .role = {}});
  return found->second;
}

const std::string& LogCast::thread(const std::string& holder) {
  const auto found = threads_.find(holder);
  if (found != threads_.end()) return found->second;
  if (holder == earlier_holder) {
    actors_.push_back({.id = "earlier",
                       .kind = "thread",
                       .of = {},
                       .label = "who held it before the log begins",
                       .lock_id = holder,
                       .role = {}});
    return threads_.emplace(holder, "earlier").first->second;
  }
  const std::string of = client_of(holder);
  const std::size_t colon = holder.rfind(':');
  const bool numbered = colon != std::string::npos && colon + 1 < holder.size() &&
                        holder.size() - colon <= 20 &&
                        holder.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  std::string id = of + (numbered ? holder.substr(colon + 1) : "-thread");
  actors_.push_back(
      {.id = id,
       .kind = "thread",
       .of = of,
       .label = numbered ? fmt::format("client {}, thread {}", of, holder.substr(colon + 1)) : "client " + of,
       .lock_id = holder,
       .role = {}});
  return threads_.emplace(holder, std::move(id)).first->second;
}

const std::string& LogCast::client(const std::string& address) {
  const auto [found, fresh] = addresses_.emplace(address, "");
  if (!fresh) return found->second;
  found->second = fmt::format("at{}", addresses_.size());
  actors_.push_back({.id = found->second,
                     .kind = "process",
                     .of = {},
                     .label = "connection " + reports::printable(address),
                     .lock_id = {},
                     .role = {}});
  return found->second;
}

model::ConnectionId LogCast::connection(const std::string& address) {
  const auto next = sim::make_id<model::ConnectionId>(connections_.size() % 50'000);
  return connections_.emplace(address, next).first->second;
}

std::string LogCast::owner(model::ConnectionId connection) const {
  for (const auto& [address, id] : connections_)
    if (id == connection)
      if (const auto found = addresses_.find(address); found != addresses_.end()) return found->second;
  return "";
}

const std::string& LogCast::server(std::uint8_t database) {
  const auto [found, fresh] = servers_.emplace(database, "R0");
  if (!fresh) return found->second;
  if (servers_.size() > 1) found->second = fmt::format("R0-db{}", database);
  actors_.push_back({.id = found->second,
                     .kind = "redis",
                     .of = {},
                     .label = database == 0 ? "the server" : fmt::format("the server, database {}", database),
                     .lock_id = {},
                     .role = "master"});
  return found->second;
}

}  // namespace lockstep::tools
