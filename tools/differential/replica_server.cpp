#include "tools/differential/replica_server.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "model/redis/testing/test_client.h"

namespace lockstep::differential {

namespace {

/// A port that nobody listens on now.
int free_port() {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  int port = 0;
  if (::bind(probe, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
      ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    port = ::ntohs(address.sin_port);
  }
  ::close(probe);
  return port;
}

const char* name_of(redis::AppendFsync fsync) {
  switch (fsync) {
    case redis::AppendFsync::always:
      return "always";
    case redis::AppendFsync::everysec:
      return "everysec";
    case redis::AppendFsync::no:
      break;
  }
  return "no";
}

}  // namespace

ReplicaServer::ReplicaServer(std::optional<redis::AppendFsync> log) : log_(log), port_(free_port()) {
  char directory[] = "/tmp/lockstep-redis-XXXXXX";
  if (port_ == 0 || !::mkdtemp(directory)) return;
  directory_ = directory;
  disk_.emplace(directory_);
  if (disk_->works()) start();
}

ReplicaServer::~ReplicaServer() {
  kill();
  if (!directory_.empty()) std::filesystem::remove_all(directory_);
}

/// In the child, which must not outlive a test that ends badly.
void ReplicaServer::become_server() const {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  disk_->load_into_this_process();
  const char* const fsync = name_of(log_.value_or(redis::AppendFsync::no));
  ::execlp("redis-server", "redis-server", "--port", std::to_string(port_).c_str(), "--bind", "127.0.0.1",
           "--unixsocket", (directory_ + "/socket").c_str(), "--dir", directory_.c_str(), "--logfile",
           (directory_ + "/log").c_str(), "--save", "", "--appendonly", log_ ? "yes" : "no", "--appendfsync",
           fsync, "--enable-debug-command", "yes", "--repl-diskless-sync-delay", "0",
           "--repl-ping-replica-period", "3600", static_cast<char*>(nullptr));
  ::_exit(127);
}

void ReplicaServer::start() {
  constexpr int tries_max = 500;
  constexpr unsigned pause_micros = 10'000;
  child_ = ::fork();
  if (child_ == 0) become_server();
  for (int tries = 0; tries < tries_max; ++tries) {
    ::usleep(pause_micros);
    if (::waitpid(child_, nullptr, WNOHANG) == child_) {
      child_ = -1;
      return;
    }
    connection_ = another_connection();
    if (!connection_->works()) continue;
    if (connection_->ask({"PING"}).status()) return;  // otherwise it is still loading
  }
}

void ReplicaServer::kill() {
  connection_.reset();
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
  child_ = -1;
}

void ReplicaServer::lose_power() {
  kill();
  const auto safe = static_cast<std::uintmax_t>(disk_->durable_bytes());
  std::filesystem::resize_file(directory_ + "/appendonlydir/appendonly.aof.1.incr.aof", safe);
}

void ReplicaServer::freeze() const { ::kill(child_, SIGSTOP); }
void ReplicaServer::thaw() const { ::kill(child_, SIGCONT); }

model::Reply ReplicaServer::operator()(std::string_view line) { return ask(redis::testing::words_of(line)); }

std::unique_ptr<Connection> ReplicaServer::another_connection() const {
  return std::make_unique<Connection>(directory_ + "/socket");
}

std::string ReplicaServer::told(std::string_view section, std::string_view name) {
  const model::Reply reply = ask({"INFO", std::string(section)});
  if (!reply.bulk()) return {};
  const std::string text = "\r\n" + *reply.bulk();
  const std::size_t at = text.find("\r\n" + std::string(name) + ':');
  if (at == std::string::npos) return {};
  const std::size_t from = at + name.size() + 3;
  return text.substr(from, text.find("\r\n", from) - from);
}

}  // namespace lockstep::differential
