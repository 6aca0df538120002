// Time runs on within a script of redis-server 7.0.15: what the model does with a running clock is what the
// server does whose clock the script itself moves.
#include <gtest/gtest.h>

#include "model/redis/testing/test_client.h"
#include "tools/differential/real_server.h"

namespace lockstep::differential {
namespace {

using redis::testing::render;
using redis::testing::TestClient;

constexpr std::int64_t begin_ms = 1'700'000'000'000;

/// A clock that has moved on by so much as soon as the command runs.
class MovedOn final : public redis::RunningClock {
 public:
  explicit MovedOn(std::int64_t by_ms) : by_ms_(by_ms) {}
  std::int64_t wall_ms() override { return begin_ms + by_ms_; }

 private:
  std::int64_t by_ms_;
};

struct Case {
  std::int64_t by_ms;
  const char* script;
};

const Case cases[] = {
    {60, "return {redis.call('EXISTS', 'k'), redis.call('GET', 'k'), redis.call('PTTL', 'k')}"},
    {30, "return {redis.call('EXISTS', 'k'), redis.call('PTTL', 'k'), redis.call('TTL', 'k')}"},
    {50, "redis.call('SET', 'x', 1, 'PX', 1000) return redis.call('PEXPIRETIME', 'x')"},
    {50, "redis.call('SET', 'x', 1) redis.call('PEXPIRE', 'x', 1000) return redis.call('PTTL', 'x')"},
    {50, "return redis.call('TIME')"},
    {1000, "redis.call('SET', 'x', 1) return redis.call('PEXPIREAT', 'x', 1700000000500)"},
    {50,
     "redis.call('PSETEX', 'x', 1000, 'v') redis.call('GETEX', 'x', 'EX', 2) "
     "return {redis.call('PTTL', 'x'), redis.call('PEXPIRETIME', 'x')}"}};

std::string on_model(const Case& one) {
  TestClient model;
  model.wall_ms = begin_ms;
  model("SET k v PX 30");
  MovedOn clock(one.by_ms);
  return render(redis::execute(model.node, model::ConnectionId{}, {"EVAL", one.script, "0"},
                               {.engine = model.engine, .wall_ms = begin_ms, .running = &clock})
                    .reply);
}

std::string on_server(RealServer& server, const Case& one) {
  server.ask({"FLUSHALL"});
  server.ask({"VCLOCK", std::to_string(begin_ms)});
  server.ask({"SET", "k", "v", "PX", "30"});
  const std::string moves = "redis.call('VCLOCK', '" + std::to_string(begin_ms + one.by_ms) + "') ";
  return render(server.ask({"EVAL", moves + one.script, "0"}));
}

TEST(RunningTimeDifferential, AScriptSeesTheTimeThatHasComeWhereARealServerDoes) {
  RealServer server;
  if (server.missing()) GTEST_SKIP() << server.problem();
  ASSERT_EQ(server.problem(), "");
  for (const Case& one : cases) EXPECT_EQ(on_model(one), on_server(server, one)) << one.script;
}

}  // namespace
}  // namespace lockstep::differential
