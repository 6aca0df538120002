// The lint over the whole repository, as it lies in the working directory.
#include <gtest/gtest.h>

#include <filesystem>

#include "tools/tidy/tidy.h"

namespace lockstep::tidy {
namespace {

TEST(Repository, IsTidy) {
  const Tree tree = read_tree(std::filesystem::current_path().string());
  ASSERT_GT(tree.size(), 30u) << "the working directory is not the top of the repository";
  for (const Finding& finding : check(tree, excuses())) ADD_FAILURE() << show(finding);
}

TEST(Repository, EveryExcuseGivesAReason) {
  for (const Excuse& excuse : excuses()) EXPECT_GT(excuse.reason.size(), 15u) << excuse.path;
}

}  // namespace
}  // namespace lockstep::tidy
