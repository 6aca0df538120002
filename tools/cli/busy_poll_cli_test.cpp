// What a verdict on busy-poll says: how often was too often.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using testing::HasSubstr;

class BusyPoll : public CliTest {};

TEST_F(BusyPoll, SaysItsBoundAndHowOftenTheThreadWasRefused) {
  const std::string scenario = file("poll.toml", R"(format = 1
[process.P]
count   = 2
threads = [["lock orders", "work 20ms", "unlock orders"]]
[bounds]
busy-poll = 3
)");
  const std::string mutant =
      std::filesystem::absolute("scenarios/mutants/lock-says-one-millisecond.lua").string();
  const Finished it = lockstep({"check", scenario, "--property", "busy-poll", "--scripts", "lock=" + mutant,
                                "--out-dir", at("out")});
  EXPECT_EQ(it.status, 1) << it.err;
  EXPECT_THAT(it.out, HasSubstr("was refused orders 4 times in one call, more often than 3"));
}

TEST_F(BusyPoll, IsNotAskedWithoutABound) {
  const std::string scenario = file("poll.toml", R"(format = 1
[process.P]
threads = [["lock orders", "unlock orders"]]
)");
  const Finished it = lockstep({"check", scenario, "--property", "busy-poll"});
  EXPECT_EQ(it.status, 2) << it.out;
  EXPECT_THAT(it.err, HasSubstr("`busy-poll` needs its bound: `[bounds]` `busy-poll = 3`"));
}

}  // namespace
}  // namespace lockstep::tools
