// test_server.h: servers for tests, this one and a real redis-server, each a process of its own behind a
// unix socket in a fresh directory, and a client that sends and receives bare bytes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "tools/serve/server.h"

namespace lockstep::tools::serve::testing {

/// A directory for a socket, and the process behind it. Both end with the object.
class TestServer {
 public:
  /// Lockstep's server, in a process of its own. It also listens on a free port of 127.0.0.1.
  static TestServer ours(Settings settings = {});
  /// A redis-server, if this machine has one.
  static std::optional<TestServer> real();

  TestServer(TestServer&& other) noexcept;
  TestServer& operator=(TestServer&&) = delete;
  ~TestServer();

  const std::string& directory() const { return directory_; }
  std::string path() const { return directory_ + "/socket"; }
  std::uint16_t port() const { return port_; }
  pid_t process() const { return child_; }
  void signal(int number) const;
  /// Sends the signal and returns the exit status.
  int end_with(int signal);

 private:
  TestServer();

  std::string directory_;
  pid_t child_ = -1;
  std::uint16_t port_ = 0;
};

/// A connection that knows nothing of the protocol.
class RawClient {
 public:
  explicit RawClient(const std::string& path);
  explicit RawClient(std::uint16_t port);
  RawClient(RawClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  RawClient& operator=(RawClient&&) = delete;
  ~RawClient();

  bool connected() const { return socket_ >= 0; }
  /// Sends as much as the server takes; it may close before the end.
  void send(std::string_view bytes);
  /// No more is going to be sent.
  void end();
  /// So many bytes, or fewer if the server closes first or does not answer for ten seconds.
  std::string receive(std::size_t size);
  std::string ask(std::string_view bytes, std::size_t size) {
    send(bytes);
    return receive(size);
  }
  /// All that comes until the server closes.
  std::string receive_all() { return receive(std::string::npos); }
  /// All that comes up to and including the ending, byte by byte.
  std::string receive_up_to(std::string_view ending);
  /// As `receive_all`, but gives up after so long without a byte. Returns whether the server closed.
  bool receive_until_closed(std::string& bytes, std::chrono::milliseconds wait_max);

 private:
  int socket_ = -1;
};

/// Sends one line and returns the reply's first line.
std::string ask(RawClient& client, const std::string& line);

}  // namespace lockstep::tools::serve::testing
