#include "tools/bench/beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>

#include "lua/scripts/embedded_scripts.h"
#include "model/redis/node.h"
#include "sim/base/verify.h"
#include "tools/bench/redis_benchmark.h"
#include "tools/differential/real_server.h"

namespace lockstep::tools::bench {

namespace {

using differential::Connection;
using differential::RealServer;
using Rates = std::pair<double, double>;  // ours, theirs: items a second in one round

constexpr int rounds = 5;

double seconds_of(const std::function<void()>& work) {
  const auto begun = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

std::string script_text(std::string_view name) {
  for (const lua::EmbeddedFile& file : lua::embedded_scripts())
    if (file.name == name) return std::string(file.text);
  VERIFY(false);
  return {};
}

/// Acquires and releases one lock, a hundred commands at a time, by SHA1.
struct LockPairs {
  static constexpr std::size_t pairs_at_once = 50;
  std::vector<model::Command> commands;

  LockPairs(const std::string& acquire_sha1, const std::string& release_sha1) {
    const std::string holder = "00000000-0000-4000-8000-00000000000a:1";
    for (std::size_t i = 0; i < pairs_at_once; ++i) {
      commands.push_back({"EVALSHA", acquire_sha1, "1", "orders", "30000", holder});
      commands.push_back(
          {"EVALSHA", release_sha1, "2", "orders", "redisson_lock__channel:{orders}", "0", "30000", holder});
    }
  }
  static void check(const model::Reply& acquired, const model::Reply& released) {
    VERIFY(acquired.is_nil() && released.integer() != nullptr && *released.integer() == 1);
  }
};

/// The model in this process. Like the server beside it, it has no replica that wants effects.
class Model {
 public:
  std::string load(const std::string& text) {
    return *redis::execute(node_, connection_, {"SCRIPT", "LOAD", text}, environment_).reply.bulk();
  }
  void run(const LockPairs& pairs) {
    for (std::size_t i = 0; i < pairs.commands.size(); i += 2) {
      const model::Reply acquired = redis::execute(node_, connection_, pairs.commands[i], environment_).reply;
      LockPairs::check(acquired,
                       redis::execute(node_, connection_, pairs.commands[i + 1], environment_).reply);
    }
  }

 private:
  lua::Engine engine_;
  redis::Node node_;
  redis::Environment environment_{.engine = engine_, .want_effects = false};
  model::ConnectionId connection_{};
};

void run(Connection& server, const LockPairs& pairs) {
  const std::vector<model::Reply> replies = server.ask(pairs.commands);
  for (std::size_t i = 0; i < replies.size(); i += 2) LockPairs::check(replies[i], replies[i + 1]);
}

std::vector<Rates> lock_pair_rates(RealServer& server) {
  Model model;
  const std::string acquire = model.load(script_text("lock-hset.lua")),
                    release = model.load(script_text("unlock.lua"));
  for (const char* name : {"lock-hset.lua", "unlock.lua"}) server.ask({"SCRIPT", "LOAD", script_text(name)});
  const LockPairs pairs(acquire, release);
  constexpr int batches = 400;
  constexpr double items = double{batches} * LockPairs::pairs_at_once;
  std::vector<Rates> rates;
  for (int round = 0; round < rounds; ++round) {
    const double ours = seconds_of([&] {
      for (int i = 0; i < batches; ++i) model.run(pairs);
    });
    const double theirs = seconds_of([&] {
      for (int i = 0; i < batches; ++i) run(server.connection(), pairs);
    });
    rates.emplace_back(items / ours, items / theirs);
  }
  return rates;
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

void summarise(const std::vector<Rates>& rates, Comparison& comparison) {
  std::vector<double> ours, theirs, times;
  for (const auto& [one, other] : rates) {
    ours.push_back(one);
    theirs.push_back(other);
    times.push_back(one / other);
  }
  comparison.ours_per_second = median(ours);
  comparison.theirs_per_second = median(theirs);
  comparison.times = median(times);
}

/// What redis-benchmark asks of both servers.
struct Load {
  const char* name;
  int clients, pipeline;
  std::vector<std::string> command;
};

std::vector<Load> loads() {
  const std::string lock =
      "if redis.call('exists', KEYS[1]) == 0 then redis.call('hset', KEYS[1], ARGV[2], 1) "
      "redis.call('pexpire', KEYS[1], ARGV[1]) end return redis.call('del', KEYS[1])";
  const std::vector<std::string> eval{"EVAL", lock, "1", "lock:__rand_int__", "30000", "holder"};
  return {{"beside/serve-get", 50, 1, {"GET", "key:__rand_int__"}},
          {"beside/serve-set", 50, 1, {"SET", "key:__rand_int__", "xxx"}},
          {"beside/serve-eval", 50, 1, eval},
          {"beside/serve-get-one-client", 1, 1, {"GET", "key:__rand_int__"}},
          {"beside/serve-set-pipelined", 50, 16, {"SET", "key:__rand_int__", "xxx"}}};
}

constexpr const char* lock_pairs = "beside/evalsha-pipelined";

Comparison compare_lock_pairs() {
  Comparison comparison{.name = lock_pairs,
                        .item = "lock pair",
                        .about =
                            "EVALSHA acquire and release: the model in this process, and a redis-server "
                            "behind a unix socket with 100 commands pipelined",
                        .times_wanted = 4};
  RealServer server({.clock = RealServer::Clock::its_own});
  if (!server.problem().empty()) comparison.skipped = server.problem();
  else summarise(lock_pair_rates(server), comparison);
  return comparison;
}

Comparison compare_served(const Load& load) {
  Comparison comparison{.name = load.name,
                        .item = load.command.front(),
                        .about = fmt::format("lockstep serve and redis-server, each behind a unix socket: "
                                             "redis-benchmark -c {} -P {}",
                                             load.clients, load.pipeline),
                        .times_wanted = load.pipeline == 1 ? 0.5 : 0};
  RedisBenchmark tool;
  std::vector<Rates> rates;
  for (int round = 0; round < rounds && tool.problem().empty(); ++round) {
    const double theirs = tool.rate(RedisBenchmark::Server::redis, load.clients, load.pipeline, load.command);
    const double ours =
        tool.rate(RedisBenchmark::Server::lockstep, load.clients, load.pipeline, load.command);
    rates.emplace_back(ours, theirs);
  }
  comparison.skipped = tool.problem();
  if (tool.problem().empty()) summarise(rates, comparison);
  return comparison;
}

}  // namespace

std::vector<std::string> comparison_names() {
  std::vector<std::string> names{lock_pairs};
  for (const Load& load : loads()) names.emplace_back(load.name);
  return names;
}

std::vector<Comparison> compare_with_redis_server(const std::string& filter) {
  const auto wanted = [&](std::string_view name) { return name.find(filter) != std::string_view::npos; };
  std::vector<Comparison> made;
  if (wanted(lock_pairs)) made.push_back(compare_lock_pairs());
  for (const Load& load : loads())
    if (wanted(load.name)) made.push_back(compare_served(load));
  return made;
}

}  // namespace lockstep::tools::bench
