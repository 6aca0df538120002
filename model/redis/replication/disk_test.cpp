#include "model/redis/replication/disk.h"

#include <gtest/gtest.h>

#include "lua/engine/engine.h"
#include "model/redis/kind.h"
#include "model/redis/node.h"

namespace lockstep::redis {
namespace {

using model::Server;
using model::ServerSettings;

const ServerSettings everysec{.persistence = Persistence::append_only, .fsync = Fsync::everysec, .save = {}};

ServerSettings saving(std::vector<SavePoint> points) {
  return {.persistence = Persistence::snapshot, .save = std::move(points)};
}

/// A server of a world, driven by its table.
struct Served {
  explicit Served(const ServerSettings& settings)
      : server(server_kind.make(settings)), persistence(settings.persistence) {}

  void ask(const Command& command) {
    server_kind.serve(server, model::ConnectionId{}, command, {.engine = engine, .want_effects = false});
  }
  void pass(std::int64_t ms) { server_kind.pass(server, Duration{ms}); }
  /// A save point is fulfilled.
  bool saves() {
    const bool due = server_kind.has_due(server);
    if (due) server_kind.do_due(server);
    return due;
  }
  void crash() { server_kind.crash(server); }
  void restart() { server_kind.restart(server, persistence); }
  void fault(std::string_view key, std::size_t choice = 0) {
    for (const model::ServerFault& each : server_kind.faults)
      if (each.key == key) each.apply(server, choice);
  }
  std::size_t choices(std::string_view key) const {
    for (const model::ServerFault& each : server_kind.faults)
      if (each.key == key) return each.choices(server);
    return 0;
  }
  const Node& node() const { return node_in(server); }
  bool has(std::string_view key) const { return node().db.find(key) != nullptr; }

  lua::Engine engine;
  Server server;
  Persistence persistence;
};

TEST(Disk, ASnapshotIsWhatARestartBringsBack) {
  Served served(saving({}));
  served.ask({"SET", "saved", "1"});
  served.fault("save");
  served.ask({"SET", "late", "1"});
  served.crash();
  served.restart();
  EXPECT_TRUE(served.has("saved"));
  EXPECT_FALSE(served.has("late"));
}

TEST(Disk, ASnapshotIsOfferedWhereItWouldBeAnotherOne) {
  Served served(saving({}));
  EXPECT_EQ(served.choices("save"), 1U) << "there is none yet";
  served.fault("save");
  EXPECT_EQ(served.choices("save"), 0U);
  served.ask({"SET", "k", "1", "PX", "5000"});
  served.fault("save");
  served.pass(1'000);
  EXPECT_EQ(served.choices("save"), 0U) << "what is left of times is the same in both";
  EXPECT_EQ(Served(everysec).choices("save"), 0U) << "nobody would read it";
}

TEST(Disk, ASavePointIsFulfilledOneSecondAfterItsSeconds) {
  Served served(saving({{Duration{5'000}, 2}}));
  served.pass(1'000);
  served.ask({"SET", "a", "1"});
  EXPECT_EQ(server_kind.next_change(served.server), sim::never) << "one change is not enough";
  served.ask({"SET", "b", "1"});
  EXPECT_EQ(server_kind.next_change(served.server), Duration{5'000});
  served.pass(4'999);
  EXPECT_FALSE(served.saves());
  served.pass(1);
  EXPECT_TRUE(served.saves());
  EXPECT_TRUE(served.node().snapshot.has_value());
  EXPECT_FALSE(served.saves());
  EXPECT_EQ(server_kind.next_change(served.server), sim::never);
}

TEST(Disk, AChangeThatComesLateIsSavedATenthOfASecondLater) {
  Served served(saving({{Duration{900'000}, 9}, {Duration{1'000}, 1}}));
  served.pass(100'000);
  served.ask({"SET", "a", "1"});
  EXPECT_EQ(server_kind.next_change(served.server), save_check);
  served.pass(99);
  EXPECT_FALSE(served.saves());
  served.pass(1);
  EXPECT_TRUE(served.saves());
}

TEST(Disk, ASavePointStaysDueUntilItIsDoneAndACrashComesBeforeIt) {
  Served served(saving({{Duration{1'000}, 1}}));
  served.ask({"SET", "a", "1"});
  served.pass(2'000);
  EXPECT_FALSE(served.node().snapshot.has_value()) << "whoever drives it decides when";
  served.pass(500);
  EXPECT_TRUE(server_kind.has_due(served.server)) << "a paused server does it later";
  served.crash();
  EXPECT_FALSE(served.saves());
  served.restart();
  EXPECT_FALSE(served.has("a"));
  EXPECT_FALSE(served.saves());
}

TEST(Disk, PublishedMessagesAndDeathsAreNoChanges) {
  Served served(saving({{Duration{1'000}, 1}}));
  served.ask({"PUBLISH", "c", "m"});
  served.ask({"GET", "none"});
  EXPECT_EQ(server_kind.next_change(served.server), sim::never);
}

TEST(Disk, TimeIsCountedNoFurtherThanSavePointsCanTell) {
  Served served(saving({{Duration{1'000}, 2}}));
  served.pass(10'000);
  const Node before = served.node();
  served.pass(10'000);
  EXPECT_EQ(served.node(), before);
}

TEST(Disk, AWriteMayBeLostWithThePowerForTwoSeconds) {
  for (const auto& [ms, versions] : {std::pair{1'999, 1}, {2'000, 1}, {2'001, 0}}) {
    Served served(everysec);
    served.ask({"SET", "k", "1"});
    served.pass(ms);
    EXPECT_EQ(served.choices("power-loss"), 0U) << "it runs";
    served.crash();
    EXPECT_EQ(served.choices("power-loss"), static_cast<std::size_t>(versions)) << ms;
  }
}

TEST(Disk, APowerLossTakesTheNewestWritesAsManyAsItLikes) {
  for (std::size_t kept = 0; kept < 3; ++kept) {
    Served served(everysec);
    for (const char* key : {"a", "b", "c"}) served.ask({"SET", key, "1"});
    served.crash();
    ASSERT_EQ(served.choices("power-loss"), 3U);
    served.fault("power-loss", kept);
    EXPECT_EQ(served.choices("power-loss"), 0U);
    served.restart();
    EXPECT_EQ(served.node().db.size(), kept);
  }
}

TEST(Disk, AKilledProcessLosesNothing) {
  Served served(everysec);
  served.ask({"SET", "k", "1"});
  served.crash();
  served.pass(1);
  EXPECT_EQ(served.choices("power-loss"), 0U) << "the machine ran on";
  served.restart();
  EXPECT_TRUE(served.has("k"));
}

TEST(Disk, WhatIsBroughtBackHasAgedMeanwhile) {
  Served served(everysec);
  served.ask({"SET", "k", "1", "PX", "3000"});
  served.pass(2'001);
  served.ask({"DEL", "k"});
  served.crash();
  served.fault("power-loss");
  EXPECT_TRUE(served.has("k"));
  served.pass(1'000);
  served.restart();
  EXPECT_FALSE(served.has("k"));
}

TEST(Disk, AClockThatIsSetMovesTheDeathsOfASnapshot) {
  Served served(saving({}));
  served.ask({"SET", "k", "1", "PX", "3000"});
  served.fault("save");
  server_kind.jump(served.server, Duration{3'001});
  served.crash();
  served.restart();
  EXPECT_FALSE(served.has("k"));
}

TEST(Disk, DataOfAMasterAreASnapshotAndLieOnTheDisk) {
  Served master(saving({})), replica(saving({}));
  master.ask({"SET", "k", "1"});
  server_kind.resynchronise(replica.server, master.server, Duration::zero());
  replica.crash();
  replica.restart();
  EXPECT_TRUE(replica.has("k"));
}

TEST(Disk, NamesInASnapshotAndInVersionsAreRenamed) {
  Served served(everysec);
  served.ask({"SET", "k", "1"});
  EXPECT_TRUE(served.node().holds_names());
  served.ask({"DEL", "k"});
  EXPECT_TRUE(served.node().holds_names()) << "a version has it";
  served.pass(2'001);
  EXPECT_FALSE(served.node().holds_names());
}

TEST(Loading, RefusesWhatIsNotAboutTheServerUntilTheFileIsRead) {
  lua::Engine engine;
  Server server = server_kind.make({.persistence = Persistence::append_only,
                                    .fsync = Fsync::always,
                                    .save = {},
                                    .loading = Duration{2'000}});
  const auto ask = [&](const Command& command, std::uint16_t from = 0) {
    return server_kind
        .serve(server, model::ConnectionId{from}, command, {.engine = engine, .want_effects = false})
        .reply;
  };
  ask({"SET", "a", "1"});
  server_kind.crash(server);
  server_kind.restart(server, Persistence::append_only);
  EXPECT_EQ(server_kind.next_change(server), Duration{2'000});
  server_kind.pass(server, Duration{1'999});
  ASSERT_NE(ask({"GET", "a"}).error(), nullptr);
  EXPECT_EQ(ask({"GET", "a"}).error()->text, "LOADING Redis is loading the dataset in memory");
  EXPECT_NE(ask({"EVAL", "return 1", "0"}).error(), nullptr);
  EXPECT_EQ(ask({"SUBSCRIBE", "c"}, 1).error(), nullptr);
  server_kind.pass(server, Duration{1});
  EXPECT_NE(ask({"GET", "a"}).bulk(), nullptr);
}

}  // namespace
}  // namespace lockstep::redis
