// FIDELITY.md claims that tests and scenarios hold each behaviour: what it names must exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "tools/tidy/tidy.h"

namespace lockstep::tidy {
namespace {

/// "Suite.Name" of every test that the text defines.
void collect_tests(std::string_view text, std::set<std::string>& tests) {
  for (const std::string_view line : lines_of(text)) {
    const auto open = line.find('(');
    const bool defines = begins_with(line, "TEST(") || begins_with(line, "TEST_F(") ||
                         begins_with(line, "TEST_P(") || begins_with(line, "RC_GTEST_PROP(");
    if (!defines) continue;
    const auto comma = line.find(", ", open);
    const auto end = line.find_first_of("),", comma + 1);
    if (comma == line.npos) continue;
    const std::string_view name = line.substr(comma + 2, end == line.npos ? end : end - comma - 2);
    tests.insert(std::string(line.substr(open + 1, comma - open - 1)) + "." + std::string(name));
  }
}

/// What stands between backquotes.
std::vector<std::string> quoted(std::string_view text) {
  std::vector<std::string> words;
  for (auto at = text.find('`'); at != text.npos; at = text.find('`', at + 1)) {
    const auto end = text.find('`', at + 1);
    if (end == text.npos) break;
    words.emplace_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return words;
}

bool names_a_test(std::string_view word) {
  const auto dot = word.find('.');
  const auto is_upper = [&](std::size_t at) {
    return std::isupper(static_cast<unsigned char>(word[at])) != 0;
  };
  const bool has_blank = word.find(' ') != word.npos;
  return dot != word.npos && dot > 0 && dot + 1 < word.size() && !has_blank && is_upper(0) &&
         is_upper(dot + 1);
}

bool names_a_scenario(std::string_view word) {
  return begins_with(word, "scenarios/") && ends_with(word, ".toml");
}

/// The last cell of each row says what holds it: nothing else may stand there.
std::vector<std::string> holders(std::string_view table) {
  std::vector<std::string> all;
  for (const std::string_view line : lines_of(table)) {
    if (!begins_with(line, "| ") || !ends_with(line, " |") || begins_with(line, "|---")) continue;
    const std::string_view row = line.substr(0, line.size() - 2);
    const std::string_view cell = row.substr(row.rfind("| ") + 2);
    if (cell == "held by" || cell == "–") continue;
    const std::vector<std::string> words = quoted(cell);
    if (words.empty()) all.emplace_back(cell);
    all.insert(all.end(), words.begin(), words.end());
  }
  return all;
}

TEST(Fidelity, NamesOnlyTestsAndScenariosThatExist) {
  const Tree tree = read_tree(std::filesystem::current_path().string());
  std::set<std::string> tests, scenarios;
  std::string_view fidelity;
  for (const SourceFile& file : tree) {
    if (is_test(file.path)) collect_tests(file.text, tests);
    if (names_a_scenario(file.path)) scenarios.insert(file.path);
    if (file.path == "FIDELITY.md") fidelity = file.text;
  }
  const std::vector<std::string> named = holders(fidelity);
  ASSERT_GT(named.size(), 60u) << "FIDELITY.md is not there, or its tables are not read";
  for (const std::string& word : named) {
    const bool exists = names_a_test(word) ? tests.contains(word) : scenarios.contains(word);
    EXPECT_TRUE(exists) << "FIDELITY.md: `" << word << "` is neither a test nor a scenario";
  }
}

TEST(Fidelity, TestsAreFoundInTheFormsThatTheRepositoryUses) {
  std::set<std::string> tests;
  collect_tests(
      "TEST(A, One) {\nRC_GTEST_PROP(B, Two, (int x)) {\n  TEST(No, NotIndented)\nTEST_P(C, Three) {\n",
      tests);
  EXPECT_EQ(tests, (std::set<std::string>{"A.One", "B.Two", "C.Three"}));
}

}  // namespace
}  // namespace lockstep::tidy
