// `lockstep bench` runs and what it prints can be read. No time is asserted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/cli/exit_code.h"
#include "tools/testing/test_process.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

TEST(Bench, ItsJsonHasTheYardstickAndWhatWasAskedFor) {
  const Finished it = run_program(LOCKSTEP_PROGRAM, {"bench", "--filter", "script/engine", "--json"});
  ASSERT_EQ(it.status, status(ExitCode::as_expected)) << it.err;
  const auto json = nlohmann::json::parse(it.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << it.out;
  ASSERT_EQ(json["benchmarks"].size(), 2u);
  EXPECT_EQ(json["benchmarks"][0]["name"], json["yardstick"]);
  EXPECT_EQ(json["benchmarks"][0]["ratio"], 1.0);
  EXPECT_EQ(json["benchmarks"][1]["name"], "script/engine");
  EXPECT_GT(json["benchmarks"][1]["cpu_ns_per_item"], 0.0);
}

TEST(Bench, AFilterThatSelectsNothingIsAnsweredWithTheNames) {
  const Finished it = run_program(LOCKSTEP_PROGRAM, {"bench", "--filter", "no-such-thing"});
  EXPECT_EQ(it.status, status(ExitCode::vacuous));
  EXPECT_EQ(it.out, "");
  EXPECT_THAT(it.err, HasSubstr("script/eval"));
}

}  // namespace
}  // namespace lockstep::tools
