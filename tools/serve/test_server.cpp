#include "tools/serve/test_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "sim/base/verify.h"

namespace lockstep::tools::serve::testing {

namespace {

/// In the child: serves, and writes the port into the pipe when it is ready.
void become_server(const Settings& settings, int to_parent) {
  Server server(settings);
  const auto addresses = server.listen();
  VERIFY(addresses.ok());
  const std::string& tcp = addresses->front();
  const auto port = static_cast<std::uint16_t>(std::stoi(tcp.substr(tcp.rfind(':') + 1)));
  VERIFY(::write(to_parent, &port, sizeof port) == sizeof port);
  ::close(to_parent);
  server.run();
}

int connect_to(const sockaddr* address, socklen_t size) {
  const int opened = ::socket(address->sa_family, SOCK_STREAM, 0);
  VERIFY(opened >= 0);
  if (::connect(opened, address, size) == 0) return opened;
  ::close(opened);
  return -1;
}

int connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return connect_to(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

}  // namespace

TestServer::TestServer() {
  std::string name = (std::filesystem::temp_directory_path() / "lockstep-serve-XXXXXX").string();
  VERIFY(::mkdtemp(name.data()) != nullptr);
  directory_ = name;
}

TestServer::TestServer(TestServer&& other) noexcept
    : directory_(std::exchange(other.directory_, {})),
      child_(std::exchange(other.child_, -1)),
      port_(other.port_) {}

TestServer::~TestServer() {
  if (child_ > 0) end_with(SIGKILL);
  if (!directory_.empty()) std::filesystem::remove_all(directory_);
}

TestServer TestServer::ours(Settings settings) {
  TestServer server;
  settings.port = std::uint16_t{0};
  settings.bind = {"127.0.0.1"};
  settings.unix_path = server.path();
  std::array<int, 2> pipe{};
  VERIFY(::pipe(pipe.data()) == 0);
  server.child_ = ::fork();
  if (server.child_ == 0) {
    become_server(settings, pipe[1]);
    ::_exit(0);
  }
  ::close(pipe[1]);
  VERIFY(::read(pipe[0], &server.port_, sizeof server.port_) == sizeof server.port_);
  ::close(pipe[0]);
  return server;
}

std::optional<TestServer> TestServer::real() {
  TestServer server;
  server.child_ = ::fork();
  if (server.child_ == 0) {
    ::execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", server.path().c_str(), "--save",
             "", "--appendonly", "no", "--enable-debug-command", "yes", "--dir", server.directory_.c_str(),
             "--logfile", (server.directory_ + "/log").c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  for (int tries = 0; tries < 500; ++tries) {
    ::usleep(20'000);
    if (::waitpid(server.child_, nullptr, WNOHANG) == server.child_) {
      server.child_ = -1;
      return std::nullopt;
    }
    if (RawClient(server.path()).connected()) return server;
  }
  return std::nullopt;
}

void TestServer::signal(int number) const { VERIFY(child_ > 0 && ::kill(child_, number) == 0); }

int TestServer::end_with(int signal) {
  VERIFY(child_ > 0);
  int status = 0;
  ::kill(child_, signal);
  VERIFY(::waitpid(std::exchange(child_, -1), &status, 0) > 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

RawClient::RawClient(const std::string& path) : socket_(connect_to(path)) {}

RawClient::RawClient(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socket_ = connect_to(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

RawClient::~RawClient() {
  if (socket_ >= 0) ::close(socket_);
}

void RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void RawClient::end() { ::shutdown(socket_, SHUT_WR); }

std::string RawClient::receive(std::size_t size) {
  std::string bytes;
  std::array<char, 65'536> buffer;
  pollfd readable{socket_, POLLIN, 0};
  while (bytes.size() < size && ::poll(&readable, 1, 10'000) == 1) {
    const ssize_t got = ::recv(socket_, buffer.data(), std::min(buffer.size(), size - bytes.size()), 0);
    if (got <= 0) break;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return bytes;
}

std::string RawClient::receive_up_to(std::string_view ending) {
  std::string bytes;
  while (!bytes.ends_with(ending)) {
    const std::string byte = receive(1);
    if (byte.empty()) return bytes + "(no more)";
    bytes += byte;
  }
  return bytes;
}

bool RawClient::receive_until_closed(std::string& bytes, std::chrono::milliseconds wait_max) {
  std::array<char, 65'536> buffer;
  pollfd readable{socket_, POLLIN, 0};
  while (::poll(&readable, 1, static_cast<int>(wait_max.count())) == 1) {
    const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
    if (got <= 0) return true;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return false;
}

std::string ask(RawClient& client, const std::string& line) {
  client.send(line + "\r\n");
  std::string reply;
  while (!reply.ends_with("\r\n")) {
    const std::string byte = client.receive(1);
    if (byte.empty()) return reply + "(closed)";
    reply += byte;
  }
  return reply.substr(0, reply.size() - 2);
}

}  // namespace lockstep::tools::serve::testing
