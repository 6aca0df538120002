// `lockstep step`: moves chosen by hand, taken back, jumped over, and saved as a trail that replays.
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using StepCli = CliTest;

/// What stands behind the last heading: the state that was reached.
std::string last_state(const std::string& out) { return out.substr(out.rfind("step ")); }

TEST_F(StepCli, WhatIsChosenIsTakenBackExactly) {
  const Finished start = lockstep({"step", "plain/two-clients"});
  ASSERT_EQ(start.status, 0) << start.err;
  EXPECT_THAT(start.out, StartsWith("step 0 · 0 s\n  orders: free\n   0  "));
  const Finished back = lockstep({"step", "plain/two-clients", "--choose", "0,1,u,u"});
  EXPECT_EQ(last_state(back.out), start.out);
}

TEST_F(StepCli, AJumpEndsWhereTheLockChanges) {
  const Finished it = lockstep({"step", "plain/two-clients", "--choose", "n,n"});
  ASSERT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, HasSubstr("orders: A1"));
  EXPECT_THAT(last_state(it.out), Not(HasSubstr("orders: free")));
}

TEST_F(StepCli, TheEndIsSaidAndNothingIsTakenThere) {
  const Finished end = lockstep({"step", "plain/two-clients", "--choose", "n,n,n,n,n,n,n,n,n,n,n,n"});
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.err, HasSubstr("by default nothing more happens"));
}

TEST_F(StepCli, WhatIsTypedIsCarriedOutAndMistakesDoNotEndIt) {
  const Finished it = typed(
      "printf 'x\\n99\\n\\nu\\nu\\n0\\ns way.trail\\nq\\n0\\n' | lockstep step plain/two-clients");
  ASSERT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, HasSubstr("`x` is none of the words here"));
  EXPECT_THAT(it.out, HasSubstr("there is no move 99, only 0 to "));
  EXPECT_THAT(it.out, HasSubstr("this is the start"));
  EXPECT_THAT(it.out, EndsWith("saved; again: lockstep replay way.trail\n"));
  EXPECT_EQ(here({"replay", "way.trail"}).status, 0);
}

TEST_F(StepCli, ASavedWayIsGoneOnFrom) {
  ASSERT_EQ(here({"step", "plain/two-clients", "--choose", "0,1,0", "--save", "way.trail"}).status, 0);
  const Finished on = here({"step", "way.trail"});
  EXPECT_THAT(on.out, StartsWith("step 3 · "));
  const Finished back = here({"step", "way.trail", "--choose", "u,u,u"});
  EXPECT_EQ(last_state(back.out), lockstep({"step", "plain/two-clients"}).out);
}

TEST_F(StepCli, WhatCannotBeChosenIsOneSentence) {
  for (const char* words : {"99", "0,,1", "0,x", ",", "s file", "u", "-1", "18446744073709551616"}) {
    const Finished it = here({"step", "plain/two-clients", "--choose", words, "--save", "none.trail"});
    EXPECT_EQ(it.status, 2) << words;
    EXPECT_THAT(it.err, StartsWith("error: --choose: word ")) << words;
    EXPECT_FALSE(std::filesystem::exists(at("none.trail"))) << words;
  }
  for (const std::string& bad : bad_files()) EXPECT_EQ(lockstep({"step", bad}).status, 2) << bad;
}

}  // namespace
}  // namespace lockstep::tools
