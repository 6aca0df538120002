// The model of MySQL beside a real server, MariaDB, which the test starts on this machine: a duplicate key,
// GET_LOCK on a connection that breaks, and who waits too long for a locked row.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "model/mysql/database.h"

extern char** environ;

namespace lockstep::mysql {
namespace {

using namespace std::chrono_literals;

pid_t spawn(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int output : {1, 2}) posix_spawn_file_actions_addopen(&quiet, output, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  if (posix_spawnp(&child, arguments.front(), &quiet, nullptr, arguments.data(), environ) != 0) child = 0;
  posix_spawn_file_actions_destroy(&quiet);
  return child;
}

void end(pid_t child) {
  if (child > 0) ::kill(child, SIGKILL), ::waitpid(child, nullptr, 0);
}

/// A table of locks on a real server. Each statement has a connection of its own, unless one is kept.
class RealTable {
 public:
  RealTable()
      : folder_(std::filesystem::temp_directory_path() / ("lockstep-mysql-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    const pid_t made = spawn({"mariadb-install-db", "--no-defaults", "--datadir=" + at("data"), "--user=root",
                              "--auth-root-authentication-method=normal", "--skip-test-db"});
    if (made > 0) ::waitpid(made, nullptr, 0);
    server_ = spawn({"mariadbd", "--no-defaults", "--datadir=" + at("data"), "--socket=" + at("s"),
                     "--pid-file=" + at("pid"), "--skip-networking", "--skip-grant-tables", "--user=root"});
  }
  ~RealTable() {
    end(kept_);
    end(server_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  RealTable(const RealTable&) = delete;
  RealTable& operator=(const RealTable&) = delete;

  bool starts() {
    for (int tries = 0; tries < 300; ++tries, std::this_thread::sleep_for(100ms))
      if (ask("select 1") == "1\n") {
        ask("create database locks");
        ask("create table locks.rows (name varchar(64) primary key, holder varchar(64)) engine=innodb");
        return true;
      }
    return false;
  }
  /// What it printed, mistakes as well.
  std::string ask(const std::string& statement) const {
    const std::string command =
        "mariadb --no-defaults --socket=" + at("s") + " -N -B -e \"" + statement + "\" 2>&1";
    std::string printed;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return printed;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) printed += static_cast<char>(c);
    ::pclose(pipe);
    return printed;
  }
  /// The answer as a number: that of a mistake, or what was printed.
  std::int64_t number(const std::string& statement) const {
    const std::string printed = ask(statement);
    const std::size_t mistake = printed.find("ERROR ");
    return std::atoll(printed.c_str() + (mistake == std::string::npos ? 0 : mistake + 6));
  }
  /// The number of the connection that runs such a statement; 0: there is none within three seconds.
  std::int64_t who_runs(const std::string& statement) const {
    for (int tries = 0; tries < 30; ++tries, std::this_thread::sleep_for(100ms))
      if (const auto id = number("select id from information_schema.processlist where info like '" +
                                 statement + "%' and id <> connection_id()"))
        return id;
    return 0;
  }
  void crash() { end(std::exchange(server_, 0)); }
  /// A connection that runs this and then stays; the one before it breaks.
  void keep(const std::string& statement) {
    end(std::exchange(kept_, 0));
    if (statement.empty()) return;
    kept_ =
        spawn({"mariadb", "--no-defaults", "--socket=" + at("s"), "-e", statement + "; select sleep(60)"});
    std::this_thread::sleep_for(500ms);
  }

 private:
  std::string at(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
  pid_t server_ = 0, kept_ = 0;
};

constexpr ProcessId a = sim::make_id<ProcessId>(0), b = sim::make_id<ProcessId>(1);

std::int64_t asked(Database& database, ProcessId who, const model::Command& words) {
  return *serve(database, who, words).reply.integer();
}

/// What the second message says to who waited.
std::int64_t told_after(Database& database, Duration passed) {
  const model::Unasked unasked = pass(database, passed, passed);
  return unasked.pushes.size() == 1 ? *(*unasked.pushes[0].message.array())[4].integer() : -1;
}

class MysqlReal : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v mariadbd mariadb mariadb-install-db >/dev/null 2>&1") != 0)
      GTEST_SKIP() << "there is no MariaDB on this machine";
    started_.emplace();
    ASSERT_TRUE(started_->starts());
  }
  RealTable& real() { return *started_; }

  Database model;

 private:
  std::optional<RealTable> started_;
};

TEST_F(MysqlReal, RowsNamesAndLockedRowsAreThoseOfARealServer) {
  model.lock_wait = Duration{1'000};
  const std::string insert = "insert into locks.rows values ('orders', ";
  EXPECT_EQ(real().number(insert + "'A'); select row_count()"), asked(model, a, {"INSERT", "orders", "A"}));
  EXPECT_EQ(real().number(insert + "'B')"), asked(model, b, {"INSERT", "orders", "B"}));
  const std::string remove = "; select row_count()";
  EXPECT_EQ(real().number("delete from locks.rows where name='orders' and holder='B'" + remove),
            asked(model, b, {"DELETE", "orders", "B"}));

  real().keep("select get_lock('stock', 0)");
  EXPECT_EQ(asked(model, a, {"GET-LOCK", "stock", "A", "0"}), 1);
  EXPECT_EQ(real().number("select get_lock('stock', 0)"), asked(model, b, {"GET-LOCK", "stock", "B", "0"}));
  EXPECT_EQ(real().number("select release_lock('stock')"), asked(model, b, {"RELEASE-LOCK", "stock", "B"}));
  EXPECT_EQ(asked(model, b, {"GET-LOCK", "stock", "B", "1000"}), 2) << "it waits";
  EXPECT_EQ(real().number("select get_lock('stock', 1)"), told_after(model, Duration{1'000}));
  real().keep("");
  disconnect(model, a);
  EXPECT_EQ(real().number("select get_lock('stock', 5)"),
            asked(model, b, {"GET-LOCK", "stock", "B", "5000"}));
  disconnect(model, b);

  real().keep("begin; select * from locks.rows where name='orders' for update");
  EXPECT_EQ(asked(model, a, {"SELECT-FOR-UPDATE", "orders", "A", "-1"}), 1);
  EXPECT_EQ(asked(model, b, {"SELECT-FOR-UPDATE", "orders", "B", "-1"}), 2) << "it waits";
  EXPECT_EQ(real().number(
                "set innodb_lock_wait_timeout=1; select * from locks.rows where name='orders' for update"),
            told_after(model, Duration{1'000}));
  real().keep("");
  disconnect(model, a);
  EXPECT_EQ(real().number("begin; select * from locks.rows where name='orders' for update; select 1; commit"),
            0)
      << "the row is named, and no mistake";
  EXPECT_EQ(asked(model, b, {"SELECT-FOR-UPDATE", "orders", "B", "-1"}), 1);
}

/// Who waits for a name is told at once that its connection is gone (what the client of the model hears:
/// scenarios/mysql/get-lock-server-crash.toml), and the server serves it no more.
TEST_F(MysqlReal, WhoWaitsOnAConnectionThatBreaksIsToldSoAndIsNoLongerInLine) {
  real().keep("select get_lock('stock', 0)");
  EXPECT_EQ(asked(model, a, {"GET-LOCK", "stock", "A", "0"}), 1);

  const auto waits = [&] {
    return std::async(std::launch::async, [&] { return real().number("select get_lock('stock', 50)"); });
  };
  auto killed = waits();
  EXPECT_EQ(asked(model, b, {"GET-LOCK", "stock", "B", "50000"}), 2) << "it waits";
  const std::int64_t connection = real().who_runs("select get_lock");
  ASSERT_NE(connection, 0);
  real().ask("kill " + std::to_string(connection));
  disconnect(model, b);
  const std::int64_t told = killed.get();
  EXPECT_TRUE(told == 1927 || told == 2013) << told << ": it was killed, or its connection is lost";
  real().keep("");
  disconnect(model, a);
  EXPECT_EQ(real().number("select get_lock('stock', 5)"), asked(model, b, {"GET-LOCK", "stock", "B", "5000"}))
      << "it is not that of who waited";

  real().keep("select get_lock('stock', 5)");
  auto left = waits();
  ASSERT_NE(real().who_runs("select get_lock"), 0);
  real().crash();
  EXPECT_EQ(left.get(), 2013) << "the connection is lost";
}

}  // namespace
}  // namespace lockstep::mysql
