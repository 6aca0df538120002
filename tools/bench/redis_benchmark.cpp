#include "tools/bench/redis_benchmark.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace lockstep::tools::bench {

namespace {

using differential::RealServer;

constexpr int requests = 20'000;

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

struct Close {
  void operator()(FILE* pipe) const { ::pclose(pipe); }
};

std::string output_of(const std::string& line) {
  std::string output;
  const std::unique_ptr<FILE, Close> pipe(::popen(line.c_str(), "r"));
  std::array<char, 4096> bytes{};
  while (pipe && std::fgets(bytes.data(), bytes.size(), pipe.get())) output += bytes.data();
  return output;
}

/// The second field of the last line of redis-benchmark --csv: "name","requests a second",…
double second_field(const std::string& csv) {
  const std::size_t line = csv.rfind('\n', csv.empty() ? 0 : csv.size() - 2) + 1;
  const std::size_t separator = csv.find("\",\"", line);
  if (separator == std::string::npos) return 0;
  double rate = 0;
  std::from_chars(csv.data() + separator + 3, csv.data() + csv.size(), rate);
  return rate;
}

}  // namespace

RedisBenchmark::RedisBenchmark() : redis_({.clock = RealServer::Clock::its_own}) {
  problem_ = redis_.problem();
  if (problem_.empty() && output_of("command -v redis-benchmark").empty())
    problem_ = "there is no redis-benchmark on this machine";
  if (problem_.empty()) start_lockstep();
}

RedisBenchmark::~RedisBenchmark() {
  if (child_ <= 0) return;
  ::kill(child_, SIGTERM);
  ::waitpid(child_, nullptr, 0);
}

void RedisBenchmark::start_lockstep() {
  socket_ = redis_.directory() + "/lockstep";
  child_ = ::fork();
  if (child_ == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::execl("/proc/self/exe", "lockstep", "serve", "--port", "0", "--unix", socket_.c_str(),
            static_cast<char*>(nullptr));
    ::_exit(127);
  }
  constexpr int tries_max = 500;
  for (int tries = 0; tries < tries_max; ++tries) {
    if (std::filesystem::exists(socket_)) return;
    ::usleep(10'000);
  }
  problem_ = "lockstep serve did not begin to listen";
}

double RedisBenchmark::rate(Server server, int clients, int pipeline,
                            const std::vector<std::string>& command) {
  const std::string socket = server == Server::redis ? redis_.directory() + "/socket" : socket_;
  std::string line = fmt::format("redis-benchmark -s {} -c {} -P {} -n {} -r 1000 --csv", quoted(socket),
                                 clients, pipeline, requests);
  for (const std::string& word : command) line += ' ' + quoted(word);
  const double rate = second_field(output_of(line + " 2>/dev/null"));
  if (rate <= 0) problem_ = "redis-benchmark gave no figures";
  return rate;
}

}  // namespace lockstep::tools::bench
