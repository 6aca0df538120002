// The table in README.md is what is found. LOCKSTEP_UPDATE_GOLDENS=1 writes it anew, which asks everything;
// else what a short search decides is asked again, row by row, and all is written as it would be.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "model/schemes/written.h"
#include "scenarios/embedded.h"
#include "scenarios/format/section_schemes.h"
#include "tools/cli/load.h"
#include "tools/compare/compared.h"

namespace lockstep::tools {
namespace {

constexpr std::string_view begins = "<!-- lockstep compare --format markdown -->\n",
                           ends = "<!-- end of the table -->\n";

std::string readme() {
  std::ifstream file("README.md", std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string shown_table() {
  const std::string text = readme();
  const std::size_t begin = text.find(begins), end = text.find(ends);
  EXPECT_NE(begin, std::string::npos);
  EXPECT_NE(end, std::string::npos);
  if (begin == std::string::npos || end == std::string::npos) return {};
  return text.substr(begin + begins.size(), end - begin - begins.size());
}

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// "violated 3", "proved", "-"
Cell cell_of(std::string_view word) {
  if (word == "-") return {.verdict = "not offered"};
  const std::size_t blank = word.find(' ');
  Cell cell{.verdict = std::string(word.substr(0, blank))};
  if (blank != std::string_view::npos) cell.decisions = number_in(word.substr(blank + 1));
  return cell;
}

Cost cost_in(std::string_view text) { return {number_in(text), number_in(text.substr(text.find('/') + 1))}; }

/// The words of a line of the table.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 2; at < line.size();) {
    const std::size_t next = std::min(line.find(" |", at), line.size());
    words.emplace_back(line.substr(at, next - at));
    at = next + 3;
  }
  return words;
}

/// By their names; a name stands in backquotes.
const std::map<std::string, ComparedRow>& shown_rows() {
  static const std::map<std::string, ComparedRow> rows = [] {
    std::map<std::string, ComparedRow> found;
    const std::string table = shown_table();
    for (std::size_t at = 0; (at = table.find("| `", at)) != std::string::npos; ++at) {
      const std::vector<std::string> words =
          words_of(std::string_view(table).substr(at, table.find('\n', at) - at));
      EXPECT_EQ(words.size(), questions().size() + 3) << words.front();
      if (words.size() != questions().size() + 3) continue;
      ComparedRow row{
          .contestant = {.name = words[0].substr(1, words[0].size() - 2), .head = {}, .lock = {}}};
      for (std::size_t q = 0; q < questions().size(); ++q) row.cells.push_back(cell_of(words[q + 1]));
      row.alone = cost_in(words[words.size() - 2]);
      row.contended = cost_in(words.back());
      found.emplace(row.contestant.name, row);
    }
    return found;
  }();
  return rows;
}

ComparedRow asked(const Contestant& contestant, const AskingLimits& limits) {
  auto row = compare_one(contestant, limits, ::testing::TempDir() + "lockstep-readme");
  EXPECT_TRUE(row.ok()) << (row.ok() ? "" : row.problem().text);
  return row.ok() ? *std::move(row) : ComparedRow{.contestant = contestant};
}

TEST(Readme, ShowsTheTableAsItIsWritten) {
  const AskingLimits limits;
  const bool anew = std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr;
  std::vector<ComparedRow> rows;
  for (const Contestant& one : usual_contestants()) {
    const auto shown = shown_rows().find(one.name);
    const bool is_there = anew || shown != shown_rows().end();
    ASSERT_TRUE(is_there) << one.name << " is not shown";
    rows.push_back(anew ? asked(one, limits) : shown->second);
  }
  const std::string table = comparison(rows, limits, CompareForm::markdown);
  if (!anew) {
    EXPECT_EQ(shown_table(), table) << "LOCKSTEP_UPDATE_GOLDENS=1 writes it anew";
    return;
  }
  std::string text = readme();
  const std::size_t from = text.find(begins) + begins.size();
  text.replace(from, text.find(ends) - from, table);
  std::ofstream("README.md", std::ios::binary) << text;
}

class ReadmeRow : public ::testing::TestWithParam<Contestant> {};

TEST_P(ReadmeRow, IsFoundAgain) {
  if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) GTEST_SKIP() << "all of it was found just now";
  const ComparedRow found = asked(GetParam(), {.states_max = 1'200, .runs = 0});
  ASSERT_TRUE(shown_rows().contains(GetParam().name));
  const ComparedRow& shown = shown_rows().at(GetParam().name);
  std::size_t decided = 0;
  for (std::size_t q = 0; q < found.cells.size(); ++q) {
    if (found.cells[q].verdict == "unknown") continue;
    ++decided;
    EXPECT_EQ(found.cells[q].verdict, shown.cells[q].verdict) << questions()[q].key;
    EXPECT_EQ(found.cells[q].decisions, shown.cells[q].decisions) << questions()[q].key;
  }
  EXPECT_GE(decided, 4U) << "most of a row is not looked at";
  EXPECT_EQ(found.alone.commands, shown.alone.commands);
  EXPECT_EQ(found.alone.messages, shown.alone.messages);
  EXPECT_EQ(found.contended.commands, shown.contended.commands);
  EXPECT_EQ(found.contended.messages, shown.contended.messages);
}

INSTANTIATE_TEST_SUITE_P(OfEach, ReadmeRow, ::testing::ValuesIn(usual_contestants()), [](const auto& row) {
  std::string name = row.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// What a scheme says of itself, as names of properties.
struct Said {
  std::vector<std::string> promises, weaknesses;
};

std::map<std::string, Said> said_of_schemes() {
  std::map<std::string, Said> all;
  const auto library = script_library();
  EXPECT_TRUE(library.ok());
  for (const sim::EmbeddedFile& file : scenarios::embedded_schemes()) {
    if (!file.name.ends_with(".scheme")) continue;
    const auto kinds = scenarios::schemes_in(file.text, std::string(file.name), *library);
    EXPECT_TRUE(kinds.ok()) << (kinds.ok() ? "" : kinds.problem().text);
    if (!kinds.ok()) continue;
    for (const model::LockKind* kind : *kinds)
      all[std::string(kind->name)] = {kind->scheme->promises, kind->scheme->weaknesses};
  }
  for (const schemes::WrittenPromises& one : schemes::promises_of_servers())
    all[std::string(one.kind->name)] = {{one.promises.begin(), one.promises.end()},
                                        {one.weaknesses.begin(), one.weaknesses.end()}};
  return all;
}

/// In which columns a property is asked for: where nothing goes wrong a promise of it is not violated, and
/// with a weakness one of the others is.
struct AskedIn {
  std::string_view property;
  std::vector<std::string_view> promised, weak;
};
const std::vector<AskedIn> asked_in{
    {"mutual-exclusion", {"excludes"}, {"failover", "pause", "clock", "node-crash", "lost"}},
    {"owner-only", {"own"}, {"own"}},
    {"free-after-crash", {"freed"}, {"freed"}},
    {"lock-has-ttl", {"freed"}, {"freed"}},
    {"nothing-left-behind", {"freed"}, {"freed"}},
    {"calls-return", {"freed"}, {"freed", "lost"}},
    {"granted-in-time", {"waits"}, {"waits"}},
    {"no-uncaught-exception", {}, {"node-crash"}},
    {"writes-in-turn", {"fenced"}, {}},
};
/// Weaknesses that no column shows, with the reason.
struct Explained {
  std::string_view scheme, property, why;
};
const std::vector<Explained> explained{
    {"setnx-getset", "lock-has-ttl", "its key has no time to live, and whoever finds the time past takes it"},
    {"setnx-getset", "free-after-crash", "the same: `freed` asks whether who waits gets the lock"},
    {"set-nx-px-event", "granted-in-time", "compare asks the server for its events; without them it is late"},
    {"zookeeper", "writes-in-turn", "`fenced` asks with a resource that checks tokens"},
    {"zookeeper", "no-uncaught-exception", "it is the pause that throws; a crash of one server does not"},
};

bool any_is(const ComparedRow& row, const std::vector<std::string_view>& columns, std::string_view verdict) {
  for (std::size_t q = 0; q < questions().size(); ++q)
    if (std::find(columns.begin(), columns.end(), questions()[q].key) != columns.end() &&
        row.cells[q].verdict == verdict)
      return true;
  return false;
}

TEST(Readme, SaysOfEachSchemeWhatItSaysOfItself) {
  std::size_t explanations = 0;
  for (const auto& one_said : said_of_schemes()) {
    const std::string& scheme = one_said.first;
    const Said& said = one_said.second;
    ASSERT_TRUE(shown_rows().contains(scheme)) << scheme;
    const ComparedRow& row = shown_rows().at(scheme);
    for (const AskedIn& one : asked_in) {
      const auto has = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), one.property) != names.end();
      };
      const bool is_broken = has(said.promises) && any_is(row, one.promised, "violated");
      EXPECT_FALSE(is_broken) << scheme << " promises " << one.property;
      if (!has(said.weaknesses)) continue;
      const bool is_explained = std::any_of(explained.begin(), explained.end(), [&](const Explained& it) {
        return it.scheme == scheme && it.property == one.property;
      });
      explanations += is_explained;
      EXPECT_NE(any_is(row, one.weak, "violated"), is_explained)
          << scheme << ": " << one.property << (is_explained ? " is shown" : " is not shown");
    }
    for (const std::string& weakness : said.weaknesses)
      EXPECT_TRUE(std::any_of(asked_in.begin(), asked_in.end(),
                              [&](const AskedIn& one) { return one.property == weakness; }))
          << scheme << ": no column for " << weakness;
  }
  EXPECT_EQ(explanations, explained.size()) << "one of them explains nothing";
}

/// A cell that breaks is a weakness which the scheme admits.
TEST(Readme, ShowsNoWeaknessThatASchemeDoesNotName) {
  for (const auto& one_said : said_of_schemes()) {
    const std::string& scheme = one_said.first;
    const Said& said = one_said.second;
    const ComparedRow& row = shown_rows().at(scheme);
    const auto admits = [&](std::string_view property) {
      return std::find(said.weaknesses.begin(), said.weaknesses.end(), property) != said.weaknesses.end();
    };
    const auto names_what_breaks = [&](const std::vector<std::string_view>& columns,
                                       std::string_view property) {
      return !any_is(row, columns, "violated") || admits(property);
    };
    EXPECT_TRUE(names_what_breaks({"own"}, "owner-only")) << scheme;
    EXPECT_TRUE(names_what_breaks({"freed"}, "free-after-crash")) << scheme;
    EXPECT_TRUE(names_what_breaks({"failover", "pause", "clock"}, "mutual-exclusion")) << scheme;
  }
}

}  // namespace
}  // namespace lockstep::tools
