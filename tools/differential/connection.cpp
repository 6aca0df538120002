#include "tools/differential/connection.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "sim/base/verify.h"

namespace lockstep::differential {

namespace {

constexpr time_t silence_seconds_max = 10;

}  // namespace

Connection::Connection(const std::string& socket_path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  VERIFY(socket_path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, socket_path.data(), socket_path.size());
  socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  VERIFY(socket_ >= 0);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) give_up();
  const timeval wait_max{silence_seconds_max, 0};
  if (works()) ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait_max, sizeof wait_max);
}

Connection::~Connection() { give_up(); }

void Connection::give_up() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

void Connection::send(std::span<const model::Command> commands) {
  std::string bytes;
  for (const model::Command& command : commands) append_request(bytes, command);
  for (std::string_view rest = bytes; works() && !rest.empty();) {
    const ssize_t sent = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent <= 0) give_up();
    else rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::optional<model::Reply> Connection::receive() {
  for (;;) {
    if (auto reply = reader_.next()) return reply;
    if (!works()) return std::nullopt;
    read_more();
  }
}

void Connection::skip_payload() {
  while (works() && !reader_.skip_payload()) read_more();
}

void Connection::read_more() {
  std::array<char, 65'536> bytes;
  const ssize_t size = ::recv(socket_, bytes.data(), bytes.size(), 0);
  if (size <= 0) give_up();
  else reader_.feed({bytes.data(), static_cast<std::size_t>(size)});
}

std::vector<model::Reply> Connection::ask(std::span<const model::Command> commands) {
  send(commands);
  std::vector<model::Reply> replies;
  replies.reserve(commands.size());
  for (std::size_t i = 0; i < commands.size(); ++i)
    replies.push_back(receive().value_or(lua::Error{"(the server is gone, or silent for ten seconds)"}));
  return replies;
}

model::Reply Connection::ask(const model::Command& command) { return ask(std::span(&command, 1)).front(); }

}  // namespace lockstep::differential
