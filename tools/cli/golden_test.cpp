// The help texts of all verbs, byte for byte. LOCKSTEP_UPDATE_GOLDENS=1 writes them anew; review the
// difference.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tools/cli/command_line.h"
#include "tools/cli/input.h"
#include "tools/cli/output.h"

namespace lockstep::tools {
namespace {

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = "tools/goldens/" + name;
  if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) {
    const auto problem = write_file(path, text);
    ASSERT_FALSE(problem.has_value()) << problem->text;
  }
  const auto golden = read_input(path);
  ASSERT_TRUE(golden.ok()) << golden.problem().text;
  EXPECT_EQ(*golden, text) << "LOCKSTEP_UPDATE_GOLDENS=1 writes " << path << " anew";
}

TEST(Golden, TheHelpOfEveryVerbIsAsReviewed) {
  for (const Verb& verb : verbs()) expect_golden("help-" + std::string(verb.name) + ".txt", verb_help(verb));
}

TEST(Golden, TheUsageIsAsReviewed) { expect_golden("usage.txt", usage()); }

}  // namespace
}  // namespace lockstep::tools
