// The table in README.md is what is found. LOCKSTEP_UPDATE_GOLDENS=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <future>
#include <iterator>

#include "tools/compare/compared.h"

namespace lockstep::tools {
namespace {

constexpr std::string_view begins = "<!-- lockstep compare --format markdown -->\n",
                           ends = "<!-- end of the table -->\n";

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Rows are asked by two threads, one half each.
std::vector<ComparedRow> all_rows(const AskingLimits& limits) {
  const std::vector<Contestant> all = usual_contestants();
  const auto every_second = [&](std::size_t first) {
    std::vector<ComparedRow> rows;
    for (std::size_t i = first; i < all.size(); i += 2) {
      auto row = compare_one(all[i], limits, ::testing::TempDir() + "lockstep-readme");
      EXPECT_TRUE(row.ok()) << (row.ok() ? "" : row.problem().text);
      rows.push_back(row.ok() ? *std::move(row) : ComparedRow{.contestant = all[i]});
    }
    return rows;
  };
  auto odd = std::async(std::launch::async, every_second, 1);
  std::vector<ComparedRow> even = every_second(0), others = odd.get(), rows;
  for (std::size_t i = 0; i < all.size(); ++i)
    rows.push_back(std::move((i % 2 == 0 ? even : others)[i / 2]));
  return rows;
}

TEST(Readme, ShowsTheTableThatIsFound) {
  const AskingLimits limits;
  std::string readme = text_of("README.md");
  const std::size_t begin = readme.find(begins), end = readme.find(ends);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::size_t from = begin + begins.size();
  const std::string found = comparison(all_rows(limits), limits, CompareForm::markdown);
  if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) {
    readme.replace(from, end - from, found);
    std::ofstream("README.md", std::ios::binary) << readme;
    return;
  }
  EXPECT_EQ(readme.substr(from, end - from), found) << "LOCKSTEP_UPDATE_GOLDENS=1 writes it anew";
}

}  // namespace
}  // namespace lockstep::tools
