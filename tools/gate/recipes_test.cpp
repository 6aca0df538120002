// The recipes of `help gate`, run as they stand there: the shell script, and the step of the workflow.
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

class GateRecipes : public CliTest {
 protected:
  /// A repository with an unlock script of Redisson's form, a scenario, and a trail that was kept.
  void SetUp() override {
    CliTest::SetUp();
    page_ = lockstep({"help", "gate"}).out;
    namespace fs = std::filesystem;
    fs::create_directories(at("bin"));
    fs::create_symlink(fs::absolute(LOCKSTEP_PROGRAM), at("bin/lockstep"));
    fs::create_directories(at("scenarios"));
    fs::copy("scenarios/plain/not-the-owner.toml", at("scenarios"));
    file("unlock.lua", unlock());
    file("bad.lua", "return redis.call('del', KEYS[1]);");
    ASSERT_EQ(
        shell("lockstep check scenarios/not-the-owner.toml --scripts unlock=bad.lua -q --out-dir traces")
            .status,
        1);
    ASSERT_EQ(shell("git init -q -b main . && git config user.email a@b.c && git config user.name a && "
                    "git add unlock.lua scenarios traces && git commit -qm base && "
                    "git update-ref refs/remotes/origin/main HEAD")
                  .status,
              0);
  }

  static std::string unlock() {
    return "if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then\n  return nil;\nend;\n"
           "if (redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0) then\n"
           "  redis.call('pexpire', KEYS[1], ARGV[2]);\n  return 0;\nend;\n"
           "redis.call('del', KEYS[1]);\nredis.call('publish', KEYS[2], ARGV[1]);\nreturn 1;\n";
  }
  static std::string bad_unlock() { return unlock().erase(0, unlock().find("if (redis.call('hincrby'")); }

  Finished shell(const std::string& script) const {
    return run_program("/bin/sh", {"-e", "-c", "PATH=\"$PWD/bin:$PATH\"; unset CI GITHUB_ACTIONS; " + script},
                       {.directory = directory_.string()});
  }

  /// The lines of a block of the page, each less the indentation of the first.
  std::string block_behind(const std::string& words) const {
    std::size_t begin = page_.find(words);
    EXPECT_NE(begin, std::string::npos) << words;
    begin = page_.find('\n', begin + words.size()) + 1;
    const std::size_t indent = page_.find_first_not_of(' ', begin) - begin;
    std::string block;
    for (std::size_t at = begin; page_.compare(at, indent, std::string(indent, ' ')) == 0;) {
      const std::size_t end = page_.find('\n', at);
      block += page_.substr(at + indent, end + 1 - at - indent);
      at = end + 1;
      if (page_.compare(at, 3, "```") == 0) break;
    }
    return block;
  }

  std::string page_;
};

TEST_F(GateRecipes, TheShellScriptTellsAGoodChangeFromABadOne) {
  file("gate.sh", block_behind("```sh"));
  file("unlock.lua", "-- only the owner may\n" + unlock());
  const Finished good = shell("sh gate.sh HEAD");
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("3 trails replayed: 3 same"));
  EXPECT_THAT(content(at("out/junit.xml")), HasSubstr("failures=\"0\""));
  file("unlock.lua", bad_unlock());
  const Finished bad = shell("sh gate.sh");  // against origin/main
  EXPECT_EQ(bad.status, 1) << bad.out << bad.err;
  EXPECT_THAT(bad.out, HasSubstr("REGRESSED  plain/not-the-owner · owner-only"));
  EXPECT_THAT(content(at("out/junit.xml")), HasSubstr("<failure type=\"regressed\""));
  EXPECT_THAT(content(at("out/gate.html")), HasSubstr("unlock.lua:5"));
}

TEST_F(GateRecipes, TheWorkflowOfGithubTellsThemApart) {
  const std::string step = block_behind("- name: Gate\n        run: |");
  const std::string around =
      "export CI=true GITHUB_ACTIONS=true GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=\"$PWD/summary.md\"\n";
  ASSERT_THAT(step, HasSubstr("lockstep gate"));
  file("summary.md", "what an earlier command of the step wrote\n");
  file("unlock.lua", "-- only the owner may\n" + unlock());
  const Finished good = shell(around + step);
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  EXPECT_THAT(good.out, ::testing::Not(HasSubstr("::error")));
  file("unlock.lua", bad_unlock());
  const Finished bad = shell(around + step);
  EXPECT_EQ(bad.status, 1) << bad.out << bad.err;
  EXPECT_THAT(bad.out, HasSubstr("\n::error file=unlock.lua,line=5,title=plain/not-the-owner owner-only::"));
  const std::string summary = content(at("summary.md"));
  EXPECT_THAT(summary, ::testing::StartsWith("what an earlier command"));
  EXPECT_THAT(summary, HasSubstr("| regressed | plain/not-the-owner | owner-only |"));
  EXPECT_THAT(summary, HasSubstr("```mermaid\nsequenceDiagram"));
  EXPECT_THAT(content(at("out/lockstep.sarif")), HasSubstr("\"uri\": \"unlock.lua\""));
}

}  // namespace
}  // namespace lockstep::tools
