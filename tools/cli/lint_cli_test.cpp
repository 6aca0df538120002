// `lockstep lint`, run as a user runs it.
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

constexpr const char* six_lines =
    "format = 1\nname = \"two\"\n[process.A]\nthreads = [[\"lock orders\", \"unlock orders\"]]\n"
    "[process.B]\nthreads = [[\"lock orders\", \"unlock orders\"]]\n";

class LintCli : public CliTest {};

TEST_F(LintCli, AFaultlessFileIsOk) {
  const std::string two = file("two.toml", six_lines);
  const Finished it = lockstep({"lint", two, "plain/two-clients"});
  EXPECT_EQ(it.status, 0);
  EXPECT_EQ(it.out, two + ": ok\nplain/two-clients: ok\n");
  EXPECT_EQ(it.err, "");
}

TEST_F(LintCli, WhatIsProbablyNotMeantIsAWarningAndNoMistake) {
  const std::string slip =
      file("slip.toml", "format = 1\n[process.A]\nthreads = [[\"lock orders\", \"unlock ordres\"]]\n");
  const Finished it = lockstep({"lint", slip});
  EXPECT_EQ(it.status, 0);
  EXPECT_EQ(it.out, slip + ": ok\n");
  EXPECT_THAT(it.err, ::testing::HasSubstr(slip + ": warning: A1: `unlock ordres`: the lock `ordres` is "
                                                  "released and never taken; did you mean `orders`?"));
}

/// A message under way makes sums of instants that nobody knows, so that every millisecond counts.
TEST_F(LintCli, AnExactGrainThatIsEveryMillisecondIsAWarning) {
  const std::string process = "[process.A]\nthreads = [[\"start 0..1s\", \"trylock x\"]]\n";
  const std::string few = file("few.toml", "format = 1\n[time]\ngrain = \"exact\"\n" + process);
  const std::string all =
      file("all.toml", "format = 1\n[time]\ngrain = \"exact\"\nnetwork = \"1..20ms\"\n" + process);
  EXPECT_THAT(lockstep({"lint", few}).err, ::testing::Not(::testing::HasSubstr("every millisecond")));
  const Finished it = lockstep({"lint", all});
  EXPECT_EQ(it.status, 0);
  EXPECT_THAT(it.err,
              ::testing::HasSubstr("warning: grain = \"exact\" comes down to every millisecond here"));
}

TEST_F(LintCli, AllFilesAreReadAndOneMistakeDecides) {
  const std::string bad =
      file("bad.toml", "format = 1\nnaem = \"x\"\n[process.A]\nthreads = [[\"lock x\"]]\n");
  const std::string good = file("good.toml", six_lines);
  const Finished it = lockstep({"lint", bad, good, at("missing.toml")});
  EXPECT_EQ(it.status, 2);
  EXPECT_EQ(it.out, good + ": ok\n");
  EXPECT_THAT(it.err, ::testing::HasSubstr("bad.toml:2:1"));
  EXPECT_THAT(it.err, ::testing::HasSubstr("^"));
  EXPECT_THAT(it.err, ::testing::HasSubstr("did you mean `name`?"));
  EXPECT_THAT(it.err, ::testing::HasSubstr("missing.toml: there is no such file"));
}

TEST_F(LintCli, TheNormalisedTextIsAScenarioThatNormalisesToItself) {
  const std::string two = file("two.toml", six_lines);
  const Finished once = lockstep({"lint", two, "--print", "normalised"});
  ASSERT_EQ(once.status, 0);
  EXPECT_THAT(once.out, ::testing::HasSubstr("name "));
  const Finished twice = lockstep({"lint", file("again.toml", once.out), "--print", "normalised"});
  EXPECT_EQ(twice.out, once.out);
}

TEST_F(LintCli, TheJsonIsAScenarioThatSaysTheSame) {
  const std::string two = file("two.toml", six_lines);
  const Finished json = lockstep({"lint", two, "--print", "json"});
  ASSERT_EQ(json.status, 0) << json.err;
  EXPECT_THAT(json.out, ::testing::HasSubstr("\"name\": \"two\""));
  const std::string again = file("two.json", json.out);
  EXPECT_EQ(lockstep({"lint", again, "--print", "json"}).out, json.out);
  EXPECT_EQ(lockstep({"lint", again, "--print", "normalised"}).out,
            lockstep({"lint", two, "--print", "normalised"}).out);
  const Finished both = lockstep({"lint", two, again, "--print", "json"});
  EXPECT_THAT(both.out, ::testing::StartsWith("[\n{\n")) << "of several, one list";
  EXPECT_THAT(both.out, ::testing::EndsWith("}\n]\n"));
  EXPECT_EQ(lockstep({"lint", two, "--print", "jsno"}).status, 2);
}

TEST_F(LintCli, AScriptThatDoesNotCompileIsReported) {
  file("broken.lua", "return (");
  const std::string scenario =
      file("x.toml", std::string("format = 1\nname = \"x\"\n[process.A]\nthreads = [[\"lock orders\"]]\n") +
                         "[scripts]\nset = \"redisson@3.10.5\"\nlock = \"" + at("broken.lua") + "\"\n");
  const Finished it = lockstep({"lint", scenario});
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, ::testing::HasSubstr("does not compile: ERR Error compiling script"));
}

TEST_F(LintCli, AScriptThatDoesSomethingElseThanOnAServerIsRefused) {
  const auto lint = [&](const std::string& script) {
    file("other.lua", script);
    return lockstep(
        {"lint", file("x.toml", "format = 1\nname = \"x\"\n[process.A]\nthreads = [[\"lock orders\"]]\n"
                                "[scripts]\nset = \"redisson@3.10.5\"\nlock = \"" +
                                    at("other.lua") + "\"\n")});
  };
  const Finished it = lint("local x = 1\nreturn x % 0.1");
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, ::testing::HasSubstr("the script of `lock`, line 2: `%` by a fraction"));
  EXPECT_EQ(lint("return 1 % 0 .. ''").status, 0);
}

TEST_F(LintCli, WhatIsNoScenarioIsOneSentence) {
  for (const std::string& bad : bad_files()) expect_one_sentence(lockstep({"lint", bad}), bad);
  expect_one_sentence(lockstep({"lint", file("huge.toml", std::string(3u << 20, '#'))}), "huge");
}

TEST_F(LintCli, AMistakeLeavesNoFile) {
  lockstep({"lint", at("missing.toml"), "plain/two-clients", "-o", at("out")});
  EXPECT_FALSE(std::filesystem::exists(at("out")));
}

}  // namespace
}  // namespace lockstep::tools
