// redis_benchmark.h: a redis-server and this program's own server, and redis-benchmark to ask them.
//
// Both listen on unix sockets in a fresh directory, and end with this object. redis-benchmark comes with the
// package redis-tools.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tools/differential/real_server.h"

namespace lockstep::tools::bench {

class RedisBenchmark {
 public:
  enum class Server : std::uint8_t { lockstep, redis };

  RedisBenchmark();
  ~RedisBenchmark();
  RedisBenchmark(const RedisBenchmark&) = delete;
  RedisBenchmark& operator=(const RedisBenchmark&) = delete;

  /// Empty, or one sentence that says why nothing can be measured.
  const std::string& problem() const { return problem_; }

  /// Requests a second in one run; sets `problem` if there was none.
  double rate(Server server, int clients, int pipeline, const std::vector<std::string>& command);

 private:
  void start_lockstep();

  differential::RealServer redis_;
  std::string socket_, problem_;
  pid_t child_ = -1;
};

}  // namespace lockstep::tools::bench
