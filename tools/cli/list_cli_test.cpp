// `lockstep list`, run as a user runs it. LOCKSTEP_UPDATE_GOLDENS=1 writes the expected texts anew.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

class ListCli : public CliTest {
 protected:
  static void expect_golden(const std::string& kind) {
    const Finished it = lockstep({"list", kind});
    EXPECT_EQ(it.status, 0);
    EXPECT_EQ(it.err, "");
    const std::string path = "tools/goldens/list-" + kind + ".txt";
    if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) {
      ASSERT_EQ(write_file(path, it.out), std::nullopt);
    }
    EXPECT_EQ(it.out, content(path)) << "LOCKSTEP_UPDATE_GOLDENS=1 writes " << path << " anew";
  }
};

TEST_F(ListCli, WhatThereIsOfEveryKindIsAsReviewed) {
  for (const char* kind : {"kinds", "schemes", "properties", "roles", "scripts", "versions", "knobs",
                           "faults", "steps", "exporters", "witnesses"})
    expect_golden(kind);
}

TEST_F(ListCli, EveryBuiltInScenarioIsListedWithWhatItAsks) {
  const Finished it = lockstep({"list", "scenarios"});
  EXPECT_EQ(it.status, 0);
  EXPECT_THAT(it.out, ::testing::ContainsRegex("\nplain/two-clients  +[A-Z]"));
  EXPECT_THAT(it.out, ::testing::StartsWith("async/"));
}

TEST_F(ListCli, TheJsonHasANameAndAnExplanationForEachEntry) {
  for (const char* kind : {"scenarios", "kinds", "schemes", "properties", "roles", "scripts", "versions",
                           "knobs", "faults", "steps", "exporters", "witnesses"}) {
    const auto json = nlohmann::json::parse(lockstep({"list", kind, "--format", "json"}).out);
    ASSERT_FALSE(json.empty()) << kind;
    for (const auto& one : json) {
      EXPECT_NE(one["name"], "") << kind;
      EXPECT_NE(one["about"], "") << one["name"];
    }
  }
}

TEST_F(ListCli, AnUnknownKindIsAMistakeWithASuggestion) {
  const Finished it = lockstep({"list", "scenarois"});
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, ::testing::HasSubstr("did you mean `scenarios`?"));
}

}  // namespace
}  // namespace lockstep::tools
