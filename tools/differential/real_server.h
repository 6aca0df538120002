// real_server.h: a redis-server of our own, for as long as the object lives, whose wall clock we set.
//
// It runs in a fresh directory behind a unix socket, with clock_shim.c and clock_module.c loaded and active
// expiry off: a dead key stays until a command looks it up, as on a node with Expiry::lazy. `VCLOCK ms` sets
// its clock, and is a command like any other. Times are ms since 1970.
#pragma once

#include <sys/types.h>

#include <ios>
#include <memory>
#include <string>
#include <vector>

#include "tools/differential/connection.h"

namespace lockstep::differential {

class RealServer {
 public:
  enum class Log : std::uint8_t { none, append_only };

  /// Whether we set its wall clock, or it keeps the machine's and is a server as anybody starts one.
  enum class Clock : std::uint8_t { ours, its_own };

  struct Options {
    std::string program = "redis-server";
    Log log = Log::none;
    Clock clock = Clock::ours;
    std::uint16_t cluster_port = 0;  // where it listens as a node of a cluster, too; 0: it is none
  };

  explicit RealServer(const Options& options);
  RealServer() : RealServer(Options{}) {}
  ~RealServer();
  RealServer(const RealServer&) = delete;
  RealServer& operator=(const RealServer&) = delete;

  /// Empty if the server runs; otherwise one sentence that says why it does not.
  const std::string& problem() const { return problem_; }
  /// Whether it does not run because there is no such program.
  bool missing() const { return missing_; }

  /// Where it keeps its files and its socket, which is called "socket".
  const std::string& directory() const { return directory_; }

  /// Whether it ends by itself, as after a fault of its own: a server takes its time to write its last words.
  bool has_ended();

  Connection& connection() { return *connection_; }
  model::Reply ask(const model::Command& command) { return connection_->ask(command); }
  std::unique_ptr<Connection> another_connection() const;

  /// What the server has written to its append-only file since the last time: MULTI and EXEC, and each other
  /// command behind SELECT and the number of its database, whether the file repeats that or not.
  std::vector<model::Command> appended();

 private:
  bool make_clock() const;
  [[noreturn]] void become_server(const Options& options) const;
  std::vector<std::string> command_line(const Options& options) const;
  void wait_until_it_answers(const std::string& program);
  void prepare();
  void stop();

  std::string directory_;
  std::string problem_;
  bool missing_ = false;
  std::streamoff read_ = 0;
  std::string database_ = "0";  // that the file selected last
  pid_t child_ = -1;
  std::unique_ptr<Connection> connection_;
};

}  // namespace lockstep::differential
