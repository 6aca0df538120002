#include "scenarios/format/include.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/format/normalise.h"
#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

using testing::HasSubstr;

const std::string base = R"(format = 1
name = "base"
[time]
watchdog = "10s"
grain = "2s"
[process.A]
threads = [["lock a", "unlock a"]]
)";

/// `x.toml` in a folder `f` that holds these.
sim::Result<model::Setup> with_files(const std::string& text, std::map<std::string, std::string> content) {
  ScriptLibrary library = test_library();
  library.load = files(std::move(content));
  return read_scenario(text, "f/x.toml", library, test_vocabulary());
}

std::string refused(const std::string& text, std::map<std::string, std::string> content) {
  const auto setup = with_files(text, std::move(content));
  return setup.ok() ? "no error" : setup.problem().text;
}

TEST(Include, TablesAreMergedAndTheIncludingFileWins) {
  const auto setup = with_files("include = \"base.toml\"\n[time]\nwatchdog = \"20s\"\n[process.B]\n"
                                "threads = [[\"lock a\", \"unlock a\"]]\n",
                                {{"base.toml", base}});
  ASSERT_TRUE(setup.ok()) << setup.problem().text;
  EXPECT_EQ(setup->name, "x") << "the name is not taken over";
  EXPECT_EQ(setup->client.watchdog, sim::Duration(20'000));
  EXPECT_EQ(setup->grain, sim::Duration(2'000));
  EXPECT_EQ(setup->processes.size(), 2U);
  const auto again = with_files(normalised(*setup), {});
  ASSERT_TRUE(again.ok()) << again.problem().text;
  EXPECT_EQ(again->digest, setup->digest) << "written in one file it is the same scenario";
}

TEST(Include, MistakesStandInTheFileThatHasThem) {
  const std::string wrong = "format = 1\n[process.A]\nthreads = [[\"lock a lese=3s\"]]\n";
  EXPECT_EQ(refused("include = \"sub/base.toml\"\n", {{"sub/base.toml", wrong}}),
            R"(error: unknown option `lese` of step `lock`
  --> f/sub/base.toml:3:21
3 | threads = [["lock a lese=3s"]]
  |                     ^^^^ did you mean `lease`?)");
  EXPECT_THAT(refused("include = \"base.toml\"\nnaem = 1\n", {{"base.toml", base}}),
              HasSubstr("--> f/x.toml:2:1"));
  EXPECT_THAT(refused("include = \"base.toml\"\n", {{"base.toml", "format = \n"}}),
              HasSubstr("--> f/base.toml:1:"));
}

TEST(Include, CyclesMissingFilesAndSecondLevelsAreRefusedWithTheirPlace) {
  EXPECT_THAT(refused("\ninclude = \"none.toml\"\n", {}),
              AllOf(HasSubstr("no such file"), HasSubstr("--> f/x.toml:2:11")));
  EXPECT_THAT(refused("include = \"../f/x.toml\"\n", {{"../f/x.toml", base}}),
              HasSubstr("a file cannot include itself"));
  EXPECT_THAT(refused("include = \"y.toml\"\n", {{"y.toml", "include = \"x.toml\"\n"}}),
              AllOf(HasSubstr("include each other"), HasSubstr("--> f/y.toml:1:11")));
  EXPECT_THAT(refused("include = \"y.toml\"\n", {{"y.toml", "include = \"z.toml\"\n"}}),
              AllOf(HasSubstr("may not include another one"), HasSubstr("--> f/y.toml:1:11")));
  EXPECT_THAT(refused("include = 3\n", {}), HasSubstr("`include` wants a string"));
}

TEST(Include, ScriptsOfTheIncludedFileLieBesideIt) {
  const std::string own = "format = 1\n[scripts]\nlock = \"my.lua\"\n[process.A]\nthreads = [[\"lock a\"]]\n";
  const auto setup =
      with_files("include = \"sub/y.toml\"\n", {{"sub/y.toml", own}, {"sub/my.lua", "return 1"}});
  ASSERT_TRUE(setup.ok()) << setup.problem().text;
  EXPECT_EQ(setup->scripts.roles.at("lock").file, "sub/my.lua");
}

}  // namespace
}  // namespace lockstep::scenarios
