// Real servers that die with an append-only file: what is left of it is what the model says may be left.
#include <unistd.h>

#include <chrono>
#include <functional>

#include <gtest/gtest.h>
#include "model/redis/replication/persistence.h"
#include "model/redis/testing/test_client.h"
#include "tools/differential/replica_server.h"

namespace lockstep::differential {
namespace {

using namespace std::chrono_literals;
using redis::AppendFsync;
using redis::Outage;
using redis::testing::render;
using redis::testing::words_of;

/// A real server and a node that get the same writes at about the same times.
class BothLogged {
 public:
  explicit BothLogged(AppendFsync fsync) : real(fsync) { file.fsync = fsync; }

  void write(const std::string& line) {
    age_until_now();
    const auto outcome = model_.execute(words_of(line));
    append(file, outcome.effects);
    EXPECT_EQ(render(outcome.reply), render(real(line)));
  }
  void age_until_now() {
    const auto now = std::chrono::steady_clock::now();
    age(file, std::chrono::floor<redis::Duration>(now - last_));
    last_ = now;
  }
  /// The node has lost as many of its writes as the real server.
  void lose(std::size_t lost) {
    restart(model_.node, file, lost, redis::Environment{model_.engine, model_.wall_ms});
  }
  std::string model(std::string_view line) { return model_(line); }

  ReplicaServer real;
  redis::AppendOnlyFile file;

 private:
  redis::testing::TestClient model_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

TEST(RealCrash, AKilledServerLosesWhatWaitedForASlowFsync) {
  BothLogged server(AppendFsync::everysec);
  if (!server.real.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  server.real.disk().slow_down(5s);
  const std::int64_t before = server.real.disk().syncs_begun();
  server.write("SET first v");
  for (int tries = 0; server.real.disk().syncs_begun() == before; ++tries) {
    ASSERT_LT(tries, 1'000) << "the server never syncs its file";
    ::usleep(10'000);
  }
  server.write("SET answered v");
  server.age_until_now();
  const std::size_t losable_of_model = losable(server.file, Outage::process);
  server.real.kill();
  server.real.disk().slow_down(0s);
  server.real.start();
  ASSERT_TRUE(server.real.runs());
  EXPECT_GE(losable_of_model, 1u);
  server.lose(1);
  for (const char* const line : {"KEYS *", "GET first", "GET answered"})
    EXPECT_EQ(server.model(line), render(server.real(line))) << line;
  EXPECT_EQ(render(server.real("EXISTS answered")), "(integer) 0");
}

TEST(RealCrash, AServerThatDoesNotSyncWritesBeforeItAnswers) {
  BothLogged server(AppendFsync::no);
  if (!server.real.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  server.real.disk().slow_down(5s);
  for (int i = 0; i < 20; ++i) server.write("RPUSH list " + std::to_string(i));
  EXPECT_EQ(losable(server.file, Outage::process), 0u);
  server.real.kill();
  server.real.start();
  ASSERT_TRUE(server.real.runs());
  server.lose(0);
  EXPECT_EQ(server.model("LRANGE list 0 -1"), render(server.real("LRANGE list 0 -1")));
}

class PowerLoss : public testing::TestWithParam<AppendFsync> {};

TEST_P(PowerLoss, TakesTheNewestWritesAndNoMoreThanTheModelSays) {
  BothLogged server(GetParam());
  if (!server.real.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  constexpr int writes = 60, last_writes = 5;
  for (int i = 1; i <= writes; ++i) {
    // No sync in the background ends behind these, whatever the second it is.
    if (i == writes - last_writes && GetParam() == AppendFsync::everysec) server.real.disk().slow_down(10s);
    server.write("INCR n");
    ::usleep(50'000);
  }
  server.age_until_now();
  const std::size_t losable_of_model = losable(server.file, Outage::power);
  server.real.lose_power();
  server.real.start();
  ASSERT_TRUE(server.real.runs());
  const model::Reply left = server.real("GET n");
  const int kept = left.bulk() ? std::stoi(*left.bulk()) : 0;
  const auto lost = static_cast<std::size_t>(writes - kept);
  EXPECT_LE(lost, losable_of_model);
  EXPECT_EQ(lost == 0, GetParam() == AppendFsync::always) << lost << " lost";
  EXPECT_EQ(kept == 0, GetParam() == AppendFsync::no) << kept << " kept";
  server.lose(lost);
  EXPECT_EQ(server.model("GET n"), render(left));
}

std::string name_of(const testing::TestParamInfo<AppendFsync>& info) {
  constexpr const char* names[] = {"SyncingAlways", "SyncingEverySecond", "NotSyncing"};
  return names[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Real, PowerLoss,
                         testing::Values(AppendFsync::always, AppendFsync::everysec, AppendFsync::no),
                         name_of);

}  // namespace
}  // namespace lockstep::differential
