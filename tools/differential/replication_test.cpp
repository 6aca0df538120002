// Nodes that replicate beside real servers that do: replies, offsets to the byte, whether a return is partial
// or full, and what data are left.
#include <unistd.h>

#include <chrono>
#include <functional>
#include <future>

#include <gtest/gtest.h>
#include "model/redis/testing/replica_bed.h"
#include "tools/differential/replica_server.h"

namespace lockstep::differential {
namespace {

using model::Command;
using model::Reply;
using redis::testing::render;
using redis::testing::ReplicaBed;
using redis::testing::words_of;
using Dice = sim::Random;

/// Real servers are given time to come to where they must be: tries until it is true, or ten seconds.
bool comes_true(const std::function<bool()>& holds) {
  constexpr unsigned pause_micros = 20'000;
  for (int tries = 0; tries < 500; ++tries) {
    if (holds()) return true;
    ::usleep(pause_micros);
  }
  return holds();
}

void replace(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// Two real servers and the two nodes that must do the same.
class BothPairs {
 public:
  bool run() const { return real_[0].runs() && real_[1].runs(); }
  ReplicaBed& model() { return bed_; }
  ReplicaServer& real(std::size_t i) { return real_[i]; }

  /// Runs the command on both sides.
  void ask(std::size_t node, const Command& command) {
    const std::string line = "server " + std::to_string(node) + ": " + joined(command);
    story_ += line + '\n';
    const Reply model = bed_[node].execute(command).reply;
    EXPECT_EQ(render(model), render(real_[node].ask(command))) << story_;
  }
  void ask(std::size_t node, std::string_view line) { ask(node, words_of(line)); }

  void replicate(std::size_t node, std::size_t from) {
    story_ += "server " + std::to_string(node) + " follows " + std::to_string(from) + '\n';
    EXPECT_EQ(bed_.replicate(node, from),
              render(real_[node].ask({"REPLICAOF", "127.0.0.1", std::to_string(real_[from].port())})))
        << story_;
  }
  void cut_replicas_of(std::size_t master) {
    story_ += "cut replicas of " + std::to_string(master) + '\n';
    bed_.cut_replicas_of(master);
    real_[master]("CLIENT KILL TYPE replica");
  }

  /// Both sides come to rest, and must then agree in all they tell.
  void settle() {
    story_ += "settle\n";
    bed_.settle();
    for (std::size_t i = 0; i < 2; ++i) {
      std::string expected, told;
      const bool same = comes_true([&] {
        expected = shown(i, bed_[i]("ROLE"));
        told = render(real_[i]("ROLE"));
        return told == expected;
      });
      EXPECT_TRUE(same) << "ROLE of " << i << ": model " << expected << ", server " << told << '\n' << story_;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      compare_offsets(i);
      compare_data(i);
    }
    EXPECT_EQ(ids([&](std::size_t i, std::string_view name) { return modelled(i, name); }),
              ids([&](std::size_t i, std::string_view name) { return real_[i].told("replication", name); }))
        << story_;
  }

 private:
  static std::string joined(const Command& command) {
    std::string line;
    for (const std::string& word : command) line += '\'' + word.substr(0, 40) + "' ";
    return line;
  }

  /// What the model says, with the real ports.
  std::string shown(std::size_t, std::string text) {
    for (std::size_t i = 0; i < 2; ++i)
      replace(text, std::to_string(ReplicaBed::first_port + static_cast<int>(i)),
              std::to_string(real_[i].port()));
    return text;
  }

  std::string modelled(std::size_t i, std::string_view name) {
    const std::string text = "\r\n" + redis::replication_section(bed_[i].node);
    const std::size_t at = text.find("\r\n" + std::string(name) + ':');
    if (at == std::string::npos) return {};
    const std::size_t from = at + name.size() + 3;
    return shown(i, text.substr(from, text.find("\r\n", from) - from));
  }

  void compare_offsets(std::size_t i) {
    for (const std::string_view name :
         {"role", "connected_slaves", "master_link_status", "slave_repl_offset", "slave_read_repl_offset",
          "master_repl_offset", "second_repl_offset", "repl_backlog_active", "repl_backlog_first_byte_offset",
          "repl_backlog_histlen", "master_host", "slave_read_only"}) {
      EXPECT_EQ(modelled(i, name), real_[i].told("replication", name))
          << name << " of " << i << '\n' << story_;
    }
    const redis::SyncCounts& syncs = bed_.replication(i).syncs;
    EXPECT_EQ(std::to_string(syncs.full), real_[i].told("stats", "sync_full")) << i << '\n' << story_;
    EXPECT_EQ(std::to_string(syncs.partial_ok), real_[i].told("stats", "sync_partial_ok"))
        << i << '\n' << story_;
    EXPECT_EQ(std::to_string(syncs.partial_err), real_[i].told("stats", "sync_partial_err"))
        << i << '\n' << story_;
  }

  /// Which of the four ids are the same.
  static std::string ids(const std::function<std::string(std::size_t, std::string_view)>& told) {
    const std::string all[] = {told(0, "master_replid"), told(0, "master_replid2"), told(1, "master_replid"),
                               told(1, "master_replid2"), std::string(40, '0')};
    std::string pattern;
    for (const std::string& one : all)
      for (const std::string& other : all) pattern += one == other ? '=' : '/';
    return pattern;
  }

  void compare_data(std::size_t i) {
    for (std::uint8_t db = 0; db < 3; ++db) {
      const Command select{"SELECT", std::to_string(db)};
      bed_[i].execute(select, reader);
      real_[i].ask(select);
      std::vector<Command> reads{{"DBSIZE"}};
      if (const redis::Keyspace* const keys = redis::find_database(bed_[i].node, db)) {
        for (const auto& [key, entry] : keys->entries()) {
          reads.push_back({"TYPE", key});
          const std::string_view type = redis::type_name(entry.value);
          if (type == "string") reads.push_back({"GET", key});
          if (type == "list") reads.push_back({"LRANGE", key, "0", "-1"});
          if (type == "hash") reads.push_back({"HGETALL", key});
          if (type == "zset") reads.push_back({"ZRANGE", key, "0", "-1", "WITHSCORES"});
        }
      }
      for (const Command& read : reads) {
        EXPECT_EQ(render(bed_[i].execute(read, reader).reply), render(real_[i].ask(read)))
            << "data of " << i << ": " << joined(read) << '\n' << story_;
      }
    }
    const Command select{"SELECT", "0"};
    real_[i].ask(select);
    bed_[i].execute(select);
  }

  static constexpr redis::ConnectionId reader{0};  // the same connection on both sides
  ReplicaBed bed_{2};
  ReplicaServer real_[2];
  std::string story_;
};

#define SKIP_WITHOUT_SERVERS(both) \
  if (!(both).run()) GTEST_SKIP() << "there is no redis-server on this machine"

Command random_write(Dice& dice) {
  static constexpr std::string_view lines[] = {
      "SET k1 v", "SET k2 w EX 100000", "INCR n", "RPUSH list a b", "LPOP list", "HSET h f v g w", "HDEL h f",
      "ZADD z 1 a 2.5 b", "DEL k1 n", "GET k1", "SETNX k1 x", "PUBLISH c m", "SELECT 0", "SELECT 1",
      "SELECT 2", "EXPIRE k1 90000", "PERSIST k2", "MSET a 1 b 2", "APPEND k1 tail", "FLUSHDB", "RENAME a b",
      "EVAL \"redis.call('SET','s1','x') redis.call('SET','s2','y') return 1\" 0",
      "EVAL \"redis.call('SET','s1','x') return redis.call('NOSUCH')\" 0", "EVAL \"return 1\" 0"};
  if (dice.below(12) == 0) return {"SET", "big", std::string(dice.below(60'000), 'x')};
  return words_of(lines[dice.below(std::size(lines))]);
}

void write_some(BothPairs& both, std::size_t node, Dice& dice) {
  for (std::size_t n = dice.below(12); n > 0; --n) both.ask(node, random_write(dice));
  if (dice.below(3) != 0) return;
  both.ask(node, "MULTI");
  for (std::size_t n = dice.below(4); n > 0; --n) both.ask(node, random_write(dice));
  both.ask(node, "EXEC");
}

// A master and a replica change places at random; one that returns may have written on its own.
TEST(RealReplication, RandomSchedulesEndAsOnRealServers) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    BothPairs both;
    SKIP_WITHOUT_SERVERS(both);
    Dice dice(seed);
    std::size_t master = 0;
    write_some(both, 0, dice);
    both.replicate(1, 0);
    both.settle();
    for (int round = 0; round < 6 && !::testing::Test::HasFailure(); ++round) {
      write_some(both, master, dice);
      switch (dice.below(3)) {
        case 0:
          both.cut_replicas_of(master);
          write_some(both, master, dice);
          break;
        case 1:  // a promotion, and the old master returns as a replica, with or without writes of its own
          both.settle();
          both.ask(1 - master, "REPLICAOF NO ONE");
          if (dice.below(2) == 0) write_some(both, master, dice);
          write_some(both, 1 - master, dice);
          both.replicate(master, 1 - master);
          master = 1 - master;
          break;
        default:  // the replica leaves, writes perhaps, and returns
          both.settle();
          both.ask(1 - master, "REPLICAOF NO ONE");
          if (dice.below(2) == 0) write_some(both, 1 - master, dice);
          write_some(both, master, dice);
          both.replicate(1 - master, master);
      }
      both.settle();
    }
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(RealReplication, TheBacklogIsCutWhereARealServerCutsIt) {
  BothPairs both;
  SKIP_WITHOUT_SERVERS(both);
  both.replicate(1, 0);
  both.settle();
  for (const std::size_t size : {200'000, 100, 300'000, 70'000, 900'000, 100, 900'000, 300'000, 10}) {
    both.ask(0, Command{"SET", "big", std::string(size, 'x')});
    both.model().settle();
  }
  const std::string first = std::to_string(both.model().replication(0).backlog.first);
  const auto told = [&] { return both.real(0).told("replication", "repl_backlog_first_byte_offset"); };
  EXPECT_TRUE(comes_true([&] { return told() == first; })) << "model " << first << ", server " << told();
}

TEST(RealReplication, APingIsFourteenBytesAndSelectsNothing) {
  BothPairs both;
  SKIP_WITHOUT_SERVERS(both);
  both.replicate(1, 0);
  both.settle();
  both.real(0)("CONFIG SET repl-ping-replica-period 1");
  const auto offset = [&] { return std::stoll(both.real(0).told("replication", "master_repl_offset")); };
  EXPECT_TRUE(comes_true([&] { return offset() > 0; }));
  EXPECT_EQ(offset() % 14, 0);
  both.model().pass(10'000);
  EXPECT_EQ(both.model().replication(0).offset, 14);
}

TEST(RealReplication, WaitCountsWhoAcknowledgedAndAsksTheOthers) {
  BothPairs both;
  SKIP_WITHOUT_SERVERS(both);
  both.replicate(1, 0);
  both.settle();
  both.real(1).freeze();
  both.ask(0, "SET k v");
  EXPECT_EQ(render(both.real(0)("WAIT 1 50")), "(integer) 0");
  // The second one asks the replica again, too, because it comes before the answer to the first.
  auto answer = std::async(std::launch::async, [&] { return render(both.real(0)("WAIT 1 5000")); });
  EXPECT_EQ(answer.wait_for(std::chrono::milliseconds(300)), std::future_status::timeout);
  both.real(1).thaw();
  EXPECT_EQ(answer.get(), "(integer) 1");
  const auto waiting = both.model()[0].execute({"WAIT", "1", "50"}).waiting;
  ASSERT_TRUE(waiting.has_value());
  EXPECT_EQ(redis::acknowledged(both.model()[0].node, waiting->offset), 0);
  const auto again = both.model()[0].execute({"WAIT", "1", "5000"}).waiting;
  ASSERT_TRUE(again.has_value());
  both.model().settle();
  EXPECT_EQ(redis::acknowledged(both.model()[0].node, again->offset), 1);
  both.settle();
  both.ask(0, "WAIT 1 0");
  both.ask(1, "WAIT 1 0");
}

TEST(RealReplication, WritesAreRefusedAWholeSecondAfterTheLagAndReadsAreNot) {
  BothPairs both;
  SKIP_WITHOUT_SERVERS(both);
  both.replicate(1, 0);
  both.settle();
  both.real(0)("CONFIG SET min-replicas-max-lag 2");
  both.real(0)("CONFIG SET min-replicas-to-write 1");
  both.model()[0].node.settings.write().min_replicas_to_write = 1;
  both.model()[0].node.settings.write().min_replicas_max_lag = 2;
  both.ask(0, "SET k v");
  both.real(1).freeze();
  const auto began = std::chrono::steady_clock::now();
  EXPECT_TRUE(comes_true([&] { return both.real(0)("SET k v").error() != nullptr; }));
  const auto refused = std::chrono::steady_clock::now() - began;
  EXPECT_GT(refused, std::chrono::milliseconds(1'000));
  EXPECT_LT(refused, std::chrono::milliseconds(5'000));
  both.model().pass(3'000);
  for (const std::string_view line :
       {"SET k v", "GET k", "PUBLISH c m", "EVAL \"return redis.call('SET','k','w')\" 0",
        "EVAL \"return redis.call('GET','k')\" 0", "MULTI", "INCR k", "EXEC"})
    both.ask(0, line);
  both.real(1).thaw();
}

TEST(RealReplication, AReplicaRefusesWhatARealOneRefuses) {
  BothPairs both;
  SKIP_WITHOUT_SERVERS(both);
  both.replicate(1, 0);
  both.settle();
  const std::vector<std::string_view> lines{
      "SET k v", "GET k", "EVAL \"return redis.call('SET','k','w')\" 0", "EVAL \"return 1\" 0",
      "REPLCONF", "REPLCONF a b", "REPLCONF capa", "REPLCONF rdb-only 2", "REPLICAOF x y",
      "REPLICAOF x 65536",
      "MULTI", "SYNC", "EXEC", "MULTI", "GET k", "SET k v", "EXEC", "PUBLISH c m", "PING", "ECHO x"};
  for (const std::string_view line : lines) both.ask(1, line);
  both.real(1)("CONFIG SET replica-serve-stale-data no");
  both.model()[1].node.settings.write().serves_stale = false;
  both.real(0).kill();
  both.model().cut_replicas_of(0);
  redis::lose_master(both.model()[1].node);
  EXPECT_TRUE(comes_true([&] { return both.real(1).told("replication", "master_link_status") == "down"; }));
  for (const std::string_view line : lines) both.ask(1, line);
}

// ---- crashes ------------------------------------------------------------------------------------

TEST(RealRestart, ALoggedServerThatIsKilledHasEverythingAndDropsWhatDiedMeanwhile) {
  ReplicaServer server(redis::AppendFsync::always);
  if (!server.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  redis::testing::TestClient model;
  redis::AppendOnlyFile file;
  file.fsync = redis::AppendFsync::always;
  Dice dice(5);
  const auto both = [&](const Command& command) {
    const auto outcome = model.execute(command);
    append(file, outcome.effects);
    EXPECT_EQ(render(outcome.reply), render(server.ask(command)));
  };
  for (int i = 0; i < 200; ++i) both(random_write(dice));
  both({"SELECT", "0"});
  both({"SET", "short", "v", "PX", "300"});
  server.kill();
  constexpr int gone_ms = 400;
  ::usleep(gone_ms * 1'000);
  server.start();
  ASSERT_TRUE(server.runs());
  model.pass(gone_ms);
  age(file, redis::Duration(gone_ms));
  EXPECT_EQ(losable(file, redis::Outage::process), 0u);
  restart(model.node, file, 0, redis::Environment{model.engine, model.wall_ms});
  model.pass(0);
  EXPECT_TRUE(comes_true([&] { return render(server("DBSIZE")) == model("DBSIZE"); }));
  for (const std::string_view line :
       {"EXISTS short", "GET k1", "GET n", "LRANGE list 0 -1", "HGETALL h", "GET s1", "STRLEN big", "DBSIZE",
        "SELECT 1", "DBSIZE", "GET k1", "SELECT 2", "DBSIZE", "LRANGE list 0 -1"})
    EXPECT_EQ(model(line), render(server(line))) << line;
}

TEST(RealRestart, AServerThatSavedHasWhatItSavedInAllDatabases) {
  ReplicaServer server;
  if (!server.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  redis::testing::TestClient model;
  for (const std::string_view line : {"SET saved v", "SELECT 7", "RPUSH seven a b", "SET short v PX 100",
                                      "SAVE", "SET unsaved v", "SELECT 0", "DEL saved"})
    EXPECT_EQ(model(line), render(server(line))) << line;
  server.kill();
  constexpr int gone_ms = 200;
  ::usleep(gone_ms * 1'000);
  server.start();
  ASSERT_TRUE(server.runs());
  model.pass(gone_ms);
  restart(model.node, redis::Persistence::snapshot);
  for (const std::string_view line :
       {"DBSIZE", "GET saved", "SELECT 7", "DBSIZE", "LRANGE seven 0 -1", "EXISTS unsaved", "EXISTS short"})
    EXPECT_EQ(model(line), render(server(line))) << line;
}

}  // namespace
}  // namespace lockstep::differential
