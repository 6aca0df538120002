// Installs this build to a folder, and builds two programs of others with what lies there: one finds the
// library through CMake, the other through pkg-config. One version goes through all.
#include <fmt/format.h>

#include "sim/testing/sanitizers.h"
#include "tools/cli/cli_fixture.h"
#include "tools/cli/cmd_version.h"

namespace lockstep::tools {
namespace {

namespace fs = std::filesystem;

class Installed : public CliTest {
 protected:
  Finished shell(const std::string& line) const {
    return run_program("/bin/bash", {"-c", line}, {.directory = directory_.string()});
  }
  void install() const {
    const Finished it = shell("cmake --install " LOCKSTEP_BUILD " --prefix $PWD/prefix");
    ASSERT_EQ(it.status, 0) << it.err;
  }
  /// Where the library went: lib, or lib/x86_64-linux-gnu.
  std::string packages() const {
    for (const auto& entry : fs::recursive_directory_iterator(at("prefix")))
      if (entry.path().filename() == "lockstep.pc") return entry.path().parent_path().string();
    return "nowhere";
  }
};

TEST_F(Installed, ProgramsOfOthersAreBuiltAgainstItAndAllIsThere) {
  if (sim::testing::address_sanitizer) GTEST_SKIP() << "a library with sanitizers needs consumers with them";
  install();
  const std::string sources = fs::absolute("tools/install/consumer").string();
  const Finished flagged = shell(
      fmt::format("export PKG_CONFIG_PATH={0}; "
                  "{2} {1}/small.cpp -o small $(pkg-config --cflags --libs lockstep) && "
                  "./small && pkg-config --modversion lockstep",
                  packages(), sources, LOCKSTEP_COMPILER));
  EXPECT_EQ(flagged.status, 0) << flagged.out << flagged.err;
  EXPECT_THAT(flagged.out, ::testing::StartsWith("1 thread of "));
  EXPECT_EQ("lockstep " + flagged.out.substr(flagged.out.find('\n') + 1), version_line() + "\n");

  const Finished found = shell(
      fmt::format("cmake -S {} -B build -DCMAKE_PREFIX_PATH=$PWD/prefix -DCMAKE_CXX_COMPILER={} && "
                  "cmake --build build && build/consumer",
                  sources, LOCKSTEP_COMPILER));
  EXPECT_EQ(found.status, 0) << found.out << found.err;
  EXPECT_THAT(found.out, ::testing::EndsWith("complete: yes, the lock changes hands: yes\n"));

  for (const char* file : {"bin/lockstep", "share/doc/lockstep/LICENSE", "share/doc/lockstep/NOTICE",
                           "share/doc/lockstep/CHANGELOG.md", "share/lockstep/scripts/set.toml",
                           "share/bash-completion/completions/lockstep", "share/man/man1/lockstep.1",
                           "share/doc/lockstep/manual.html",
                           "share/lockstep/scenarios/plain/two-clients.toml",
                           "include/lockstep/sim/search/search.h"})
    EXPECT_TRUE(fs::exists(at("prefix") + "/" + file)) << file;
  const Finished itself = shell("prefix/bin/lockstep version");
  EXPECT_THAT(itself.out, ::testing::StartsWith(version_line() + "\n"));
}

TEST(Version, TheChangesBeginWithTheOneThatTheProgramNames) {
  const auto changes = read_input("CHANGELOG.md");
  ASSERT_TRUE(changes.ok());
  const std::size_t at = changes->find("\n## ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ("lockstep " + changes->substr(at + 4, changes->find('\n', at + 1) - at - 4), version_line());
}

}  // namespace
}  // namespace lockstep::tools
