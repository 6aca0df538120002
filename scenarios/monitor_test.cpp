// The model against what a real server's MONITOR printed for two threads that take turns (monitor/log.txt).
//
// The log was made step by step with a debugger, so its times mean nothing; the commands, their arguments
// and their order do. Comments begin at the first '#' of a line and may stand right behind a command.
#include <gtest/gtest.h>

#include <fstream>

#include "scenarios/exploring.h"
#include "sim/run/run.h"

namespace lockstep::scenarios {
namespace {

/// `"EVAL" "…" …` of each command, with "lua: " in front of those that a script called. Times and addresses
/// are left out.
std::string command_of(const std::string& line) {
  const std::size_t source = line.find('['), end = line.find("] ");
  if (source == std::string::npos || end == std::string::npos || line.find('#') < source) return "";
  std::string words = line.substr(end + 2);
  words.resize(words.rfind('"') + 1);
  return (line.substr(source, end - source).ends_with(" lua") ? "lua: " : "") + words;
}

/// What stands in a line before its comment. A '#' inside quotes would be part of a word; no key here has
/// one.
std::string without_comment(const std::string& line) { return line.substr(0, line.find('#')); }

std::vector<std::string> commands_of_the_log() {
  std::ifstream file("scenarios/monitor/log.txt");
  EXPECT_TRUE(file.good()) << "tests run in the root of the repository";
  std::vector<std::string> commands;
  for (std::string line; std::getline(file, line);) {
    const std::string command = command_of(without_comment(line));
    if (!command.empty()) commands.push_back(command);
  }
  return commands;
}

TEST(Monitor, TheLogHasTheCommandsOfTwoThreadsTakingTurns) {
  const auto commands = commands_of_the_log();
  ASSERT_EQ(commands.size(), 30U);
  EXPECT_TRUE(commands.front().starts_with("\"EVAL\" \"if (redis.call('exists', KEYS[1]) == 0) then"));
  EXPECT_EQ(commands[3], R"(lua: "pexpire" "my_first_lock_name" "600000")");
  EXPECT_EQ(commands.back(), R"(lua: "publish" "redisson_lock__channel:{my_first_lock_name}" "0")");
}

TEST(Monitor, TheModelPrintsTheSameCommandsInTheSameOrder) {
  const model::Setup setup = shipped_setup("monitor/two-threads");
  Checked system(setup);
  model::Tracer tracer(setup);
  system.tell(&tracer);
  // The default schedule is that of the log: each thread goes on until it waits.
  sim::DefaultSchedule<Checked> policy;
  const auto run = sim::run(system, system.initial(), policy);
  EXPECT_EQ(run.end, sim::End::at_rest);
  EXPECT_EQ(run.violated, 0U);
  std::vector<std::string> printed;
  for (const std::string& line : tracer.monitor_lines()) printed.push_back(command_of(line));
  const auto logged = commands_of_the_log();
  for (std::size_t i = 0; i < std::max(printed.size(), logged.size()); ++i) {
    const std::string model = i < printed.size() ? printed[i] : "nothing";
    const std::string server = i < logged.size() ? logged[i] : "nothing";
    EXPECT_EQ(model, server) << "line " << i;
  }
}

}  // namespace
}  // namespace lockstep::scenarios
