// Symmetry is used only where nobody looks into the names of those that are interchangeable.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "properties/check/check.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;

CheckReport in_corpus(const std::string& name, properties::CheckOptions options = {}) {
  const auto content = [](const std::string& file) -> sim::Result<std::string> {
    std::ifstream stream("properties/verdicts/" + file, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(stream), {}};
  };
  options.strategy = properties::Strategy::search;
  options.shrink = false;
  const std::string file = name + ".toml";
  const auto setup = read_scenario(*content(file), file, *built_in_scripts(content), test_vocabulary());
  EXPECT_TRUE(setup.ok()) << (setup.ok() ? "" : setup.problem().text);
  return properties::check(*setup, options);
}

TEST(NamesInScripts, SwitchSymmetryOffAndNameTheCulprit) {
  for (const char* name : {"names-smaller-takes", "names-first-of-equal-scores", "names-last-kept",
                           "names-smaller-number-takes", "names-smaller-of-three"}) {
    const CheckReport report = in_corpus(name);
    EXPECT_EQ(report.symmetry_off, "the script in the role `lock`") << name;
    EXPECT_FALSE(report.symmetry) << name;
    EXPECT_TRUE(report.complete) << name;
  }
}

TEST(NamesInScripts, ThatChangeNothingKeepSymmetry) {
  for (const char* name : {"names-sorted-without-effect", "names-smaller-number-of-processes"}) {
    const CheckReport report = in_corpus(name);
    EXPECT_FALSE(report.symmetry_off) << name;
    EXPECT_TRUE(report.symmetry) << name;
  }
}

TEST(NamesInScripts, AreNotLookedForWhereSymmetryIsNotWanted) {
  EXPECT_FALSE(in_corpus("names-smaller-takes", {.symmetry = false}).symmetry_off);
}

TEST(NamesInScripts, OfRedissonAreTreatedAlike) {
  const CheckReport report =
      properties::check(shipped_setup("plain/three-clients"), {.strategy = properties::Strategy::search});
  EXPECT_TRUE(report.symmetry);
  EXPECT_FALSE(report.symmetry_off);
}

}  // namespace
}  // namespace lockstep::scenarios
