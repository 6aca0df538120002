// What the random sequences are made of: enough of each kind, so that a comparison of them means something.
#include <gtest/gtest.h>

#include <set>

#include "lua/scripts/embedded_scripts.h"
#include "tools/differential/campaign.h"
#include "tools/differential/random_scripts.h"

namespace lockstep::differential {
namespace {

using redis::testing::TestClient;

struct Seen {
  int errors = 0, replies = 0, at_deadline = 0, behind_deadline = 0, backwards = 0;
};

/// Runs steps of the source on the model alone.
Seen seen_of(const Source& source, int count) {
  Dice dice(1);
  TestClient model(redis::Role::master, redis::Expiry::lazy);
  Seen seen;
  for (int i = 0; i < count; ++i) {
    const Step step = source(dice, model);
    model.pass(step.passes.count());
    seen.backwards += step.passes < sim::Duration::zero() ? 1 : 0;
    bool at = false, behind = false;
    for (const auto& [key, entry] : model.node.db.entries()) {
      at = at || entry.remaining == sim::Duration::zero();
      behind = behind || entry.dead();
    }
    seen.at_deadline += at ? 1 : 0;
    seen.behind_deadline += behind ? 1 : 0;
    (model.execute(step.command, step.from).reply.error() ? seen.errors : seen.replies) += 1;
  }
  return seen;
}

TEST(RandomSteps, MeetDeadlinesErrorsAndClocksThatGoBack) {
  const Seen seen = seen_of(command_plan(0, {}).new_source(), 5'000);
  EXPECT_GT(seen.at_deadline, 50);
  EXPECT_GT(seen.behind_deadline, 200);
  EXPECT_GT(seen.backwards, 50);
  EXPECT_GT(seen.errors, 500);
  EXPECT_GT(seen.replies, 2'000);
}

TEST(RandomScripts, SucceedAndFailInEqualMeasure) {
  const Seen seen = seen_of(script_plan(0).new_source(), 2'000);
  EXPECT_GT(seen.errors, 500);
  EXPECT_GT(seen.replies, 500);
}

TEST(RandomLockSteps, HardlyEverFailAndMeetDeadlines) {
  const Seen seen = seen_of(lock_plan(0).new_source(), 2'000);
  EXPECT_GT(seen.replies, 1'000);
  EXPECT_GT(seen.at_deadline, 20);
}

TEST(RandomLockSteps, SendEveryScriptOfTheSet) {
  Dice dice(1);
  const TestClient model;
  const Source source = lock_plan(0).new_source();
  std::set<std::string> sent;
  for (int i = 0; i < 5'000; ++i) {  // each script comes once in some 140 steps
    const Step step = source(dice, model);
    if (step.command[0] == "EVAL") sent.insert(step.command[1]);
  }
  for (const lua::EmbeddedFile& file : lua::embedded_scripts()) {
    if (!file.name.ends_with(".lua")) continue;
    EXPECT_TRUE(sent.contains(std::string(file.text))) << file.name;
  }
}

TEST(RandomSteps, AreTheSameForTheSameSeed) {
  const auto first_commands = [](const Source& source) {
    Dice dice(7);
    TestClient model;
    std::vector<model::Command> commands;
    for (int i = 0; i < 50; ++i) commands.push_back(source(dice, model).command);
    return commands;
  };
  for (const Plan& plan : {command_plan(0, {}), script_plan(0), lock_plan(0)})
    EXPECT_EQ(first_commands(plan.new_source()), first_commands(plan.new_source())) << plan.what;
}

}  // namespace
}  // namespace lockstep::differential
