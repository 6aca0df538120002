// The lint itself: for each rule a text that breaks it, and one that nearly does.
#include "tools/tidy/tidy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <class Check>
std::vector<std::string> shown(Check check, const std::string& path, const std::string& text) {
  std::vector<Finding> findings;
  check(SourceFile{path, text}, findings);
  std::vector<std::string> lines;
  for (const Finding& finding : findings) lines.push_back(show(finding));
  return lines;
}

std::vector<std::string> shown(void (*check)(const Tree&, std::vector<Finding>&), const Tree& tree) {
  std::vector<Finding> findings;
  check(tree, findings);
  std::vector<std::string> lines;
  for (const Finding& finding : findings) lines.push_back(show(finding));
  return lines;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(TidyCode, CommentsAndStringsAreBlankAndLinesKeepTheirNumbers) {
  EXPECT_EQ(code_of("a // b\nc"), "a     \nc");
  EXPECT_EQ(code_of("a /* b\nc */ d"), "a     \n     d");
  EXPECT_EQ(code_of("f(\"x\\\"y\") + 'z'"), "f(      ) +    ");
  EXPECT_EQ(code_of("n = 10'000; m"), "n = 10'000; m");
  EXPECT_EQ(code_of("R\"q(a)\" \n)q\" b"), "        \n    b");
  EXPECT_EQ(code_of("/* open"), "       ");
  EXPECT_EQ(code_of("\"open\nnext"), "     \nnext");
}

TEST(TidyLayers, AnArrowMayNotPointUp) {
  EXPECT_THAT(shown(check_layers, "sim/x.cpp", "#include \"sim/x.h\"\n#include \"lua/x.h\"\n"),
              ElementsAre("sim/x.cpp:2: sim may not include lua, move what both need below them"));
  EXPECT_THAT(shown(check_layers, "sim/base/id.h", "#include \"sim/trace.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(shown(check_layers, "properties/x.h", "#include \"scenarios/y.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(shown(check_layers, "tools/main.cpp", "#include \"reports/x.h\"\n#include \"model/world.h\"\n"),
              IsEmpty());
}

TEST(TidyLayers, TheHalvesOfTheModelAndReportsKeepApart) {
  EXPECT_THAT(shown(check_layers, "model/redis/node.cpp", "#include \"model/redisson/x.h\"\n"),
              testing::SizeIs(1));
  EXPECT_THAT(shown(check_layers, "model/redisson/x.cpp", "#include \"model/redis/node.h\"\n"),
              testing::SizeIs(1));
  EXPECT_THAT(shown(check_layers, "model/redis/node.h", "#include \"model/wire.h\"\n"), IsEmpty());
  EXPECT_THAT(shown(check_layers, "model/redisson/x.h", "#include \"model/setup/setup.h\"\n"), IsEmpty());
  EXPECT_THAT(shown(check_layers, "model/redis/node.h", "#include \"model/world.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(shown(check_layers, "model/world/world.h", "#include \"model/server/server.h\"\n"),
              IsEmpty());
  EXPECT_THAT(shown(check_layers, "model/world/world.h", "#include \"model/redis/kind.h\"\n"),
              testing::SizeIs(1));
  EXPECT_THAT(shown(check_layers, "model/setup/x.h", "#include \"model/redis/kind.h\"\n"), IsEmpty());
  EXPECT_THAT(shown(check_layers, "reports/dot.cpp", "#include \"model/wire.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(shown(check_layers, "reports/dot.cpp", "#include \"sim/trace.h\"\n"), IsEmpty());
}

TEST(TidyLayers, IncludesAreRootedAndLibrariesHaveTheirDoor) {
  EXPECT_THAT(shown(check_layers, "sim/a.cpp", "#include \"a.h\"\n"),
              ElementsAre("sim/a.cpp:1: \"a.h\" is not rooted at the repository, write its whole path"));
  EXPECT_THAT(shown(check_layers, "model/a.cpp", "#include <lua.hpp>\n"),
              ElementsAre("model/a.cpp:1: lua.hpp is known in lua/ only, use what that folder offers"));
  EXPECT_THAT(shown(check_layers, "lua/a.cpp", "#include <lua.hpp>\n#include <vector>\n"), IsEmpty());
}

TEST(TidyWords, ABannedWordIsNamedWithItsReplacement) {
  EXPECT_THAT(
      shown(check_words, "model/world.cpp", "\nstd::unordered_map<int, int> m;\n"),
      ElementsAre("model/world.cpp:2: std::unordered_map is banned here, use std::map, std::set or a sorted "
                  "vector (iteration order is observable)"));
  for (const char* text : {"std::rand();", "#include <random>", "std::chrono::system_clock::now()",
                           "::getenv(x)", "std::thread t;", "std::ifstream f;", "double d;", "float f;"}) {
    EXPECT_THAT(shown(check_words, "sim/x.cpp", text), testing::SizeIs(1)) << text;
  }
}

TEST(TidyWords, ThreadsHaveOneDoorIntoTheCore) {
  EXPECT_THAT(shown(check_words, "sim/search/workers.h", "#include <thread>\nstd::thread t;"), IsEmpty());
  EXPECT_THAT(shown(check_words, "sim/search/search.h", "#include <thread>"), testing::SizeIs(1));
  EXPECT_THAT(shown(check_words, "sim/search/workers.h", "std::rand();"), testing::SizeIs(1));
}

TEST(TidyWords, OnlyWholeWordsOfCodeInTheCoreCount) {
  EXPECT_THAT(shown(check_words, "sim/x.cpp", "// a double\n\"float\"; is_floating_point_v; doubled"),
              IsEmpty());
  EXPECT_THAT(shown(check_words, "tools/x.cpp", "std::unordered_map<int, int> m; double d;"), IsEmpty());
  EXPECT_THAT(shown(check_words, "reports/x.cpp", "double d;"), IsEmpty());
}

TEST(TidyWords, RedisOwnNumbersMayBeFractions) {
  EXPECT_THAT(shown(check_words, "lua/engine/convert.cpp", "double d;"), IsEmpty());
  EXPECT_THAT(shown(check_words, "model/redis/score.h", "double d;"), IsEmpty());
  EXPECT_THAT(shown(check_words, "model/redis/node.h", "double d;"), testing::SizeIs(1));
  EXPECT_THAT(shown(check_words, "model/world/world.h", "double d;"), testing::SizeIs(1));
}

TEST(TidyWords, ATestMayTouchTheOutsideButNotDrawFromAnotherSource) {
  EXPECT_THAT(shown(check_words, "sim/x_test.cpp", "std::ifstream f; std::unordered_set<int> s; double d;"),
              IsEmpty());
  EXPECT_THAT(shown(check_words, "sim/x_test.cpp", "std::random_device d;"), testing::SizeIs(1));
}

TEST(TidyShape, ALineEndsAtColumn110AndColumnsAreCharacters) {
  EXPECT_THAT(shown(check_shape, "sim/x.cpp", "int x;\n" + repeated("a", 111) + "\n"),
              ElementsAre("sim/x.cpp:2: 111 columns, break the line before 110"));
  EXPECT_THAT(shown(check_shape, "sim/x.cpp", repeated("é", 110) + "\n"), IsEmpty());
  EXPECT_THAT(shown(check_shape, "README.md", repeated("a", 300) + "\n"), IsEmpty());
}

TEST(TidyShape, BlanksAtTheEndTabsAndAnOpenLastLineAreFound) {
  EXPECT_THAT(shown(check_shape, "sim/x.cpp", "a \n\tb\nc\r\nd"), testing::SizeIs(4));
}

TEST(TidyShape, BlanksInARawStringAreData) {
  EXPECT_THAT(shown(check_shape, "sim/x_test.cpp", "f(R\"(a \n\tb\n)\");\n"), IsEmpty());
  EXPECT_THAT(shown(check_shape, "sim/x_test.cpp", "f(R\"(a \n\tb\n)\"); \n"), testing::SizeIs(1));
}

TEST(TidyShape, ANoteNeedsAReason) {
  const std::string note = "TO" "DO";
  EXPECT_THAT(
      shown(check_shape, "sim/x.cpp", "// " + note + ": later\n"),
      ElementsAre("sim/x.cpp:1: " + note + " without a reason, do it or write " + note + "(reason): what"));
  EXPECT_THAT(shown(check_shape, "sim/x.cpp", "// " + note + "(clang 14 lacks it): use views\n"), IsEmpty());
}

TEST(TidyShape, AHeaderOpensWithItsNameAndPurpose) {
  EXPECT_THAT(shown(check_shape, "sim/x.h", "// x.h: what it is.\n#pragma once\n"), IsEmpty());
  EXPECT_THAT(shown(check_shape, "sim/x.h", "#pragma once\n"),
              ElementsAre("sim/x.h:1: a header begins with its purpose, `// x.h: …`"));
  EXPECT_THAT(shown(check_shape, "sim/x.h", "// x.h: it says #pragma once, and does not have it.\n"),
              ElementsAre(HasSubstr("no #pragma once")));
}

std::string body(int lines) { return " {\n" + repeated("  f();\n", lines - 2) + "}\n"; }

TEST(TidyShape, AFunctionHasAtMost60Lines) {
  for (const std::string head :
       {"void f()", "int A::g(int x = {}, int y = 2) const", "A::A(int x) : a_{x}, b_(2)",
        "template <class T>\n  requires(sizeof(T) > 1)\nauto h(T t) -> int", "TEST(A, B)",
        "bool A::operator==(const A& a) const", "template <class T = int>\nvoid f(T t)",
        "A::A() : m_{1}, n_{2}"}) {
    EXPECT_THAT(shown(check_shape, "sim/x.cpp", head + body(60)), IsEmpty()) << head;
    EXPECT_THAT(shown(check_shape, "sim/x.cpp", head + body(61)),
                ElementsAre(HasSubstr("a function of 61 lines, split it by meaning (60 at most)")))
        << head;
  }
}

TEST(TidyShape, AFunctionIsFoundInNamespacesAndClassesAndCountedOnce) {
  const std::string inner = "namespace a {\nclass B : public C {\n  void f()" + body(70) + "};\n}\n";
  EXPECT_THAT(shown(check_shape, "sim/x.cpp", inner),
              ElementsAre(HasSubstr("sim/x.cpp:3: a function of 70 lines")));
  EXPECT_THAT(shown(check_shape, "sim/x.cpp", "void f() {\n  if (a)" + body(62) + "}\n"), testing::SizeIs(1));
}

TEST(TidyShape, TablesAndTypesMayBeLonger) {
  EXPECT_THAT(shown(check_shape, "sim/x.cpp", "const std::array table" + body(80)), IsEmpty());
  EXPECT_THAT(
      shown(check_shape, "sim/x.cpp", "const std::vector<A> table = {\n" + repeated("  {1},\n", 80) + "};\n"),
      IsEmpty());
  EXPECT_THAT(
      shown(check_shape, "sim/x.cpp", "struct A {\n" + repeated("  int f() { return 1; }\n", 80) + "};\n"),
      IsEmpty());
}

TEST(TidyShape, AFileHasAtMost450Lines) {
  EXPECT_THAT(shown(check_shape, "sim/x.cpp", repeated("int x;\n", 450)), IsEmpty());
  EXPECT_THAT(shown(check_shape, "sim/x.cpp", repeated("int x;\n", 451)),
              ElementsAre("sim/x.cpp: 451 lines, split it by idea (450 at most)"));
}

TEST(TidyTree, AHeaderThatNobodyIncludesIsDead) {
  const Tree tree{{"sim/a.cpp", "#include \"sim/a.h\"\n"},
                  {"sim/a.h", ""},
                  {"sim/base/b.cpp", ""},
                  {"sim/dead.h", "#include \"sim/dead.h\"\n"}};
  EXPECT_THAT(shown(check_listed, tree),
              ElementsAre("sim/dead.h: no file includes this header, use it or remove it"));
}

TEST(TidyTree, AScriptBelongsToASet) {
  const Tree tree{{"lua/scripts/a.lua", "return 1"},
                  {"lua/scripts/b.lua", "return 1"},
                  {"lua/scripts/c.lua", "return 1"},
                  {"lua/scripts/set.toml", "[script.a]\n[script.other]\nfile = \"b.lua\"\n"}};
  EXPECT_THAT(shown(check_listed, tree),
              ElementsAre("lua/scripts/c.lua: in no set.toml, give it a role and an origin there"));
}

TEST(TidyTree, PathsOfOneMachineAreFound) {
  const std::string path = "/ho" "me/me/lockstep";
  EXPECT_THAT(shown(check_listed, Tree{{"HACKING.md", "cd " + path + "\n"}}), testing::SizeIs(1));
  EXPECT_THAT(shown(check_listed, Tree{{"HACKING.md", "see https://example.org" + path + "\n"}}), IsEmpty());
}

TEST(TidyTree, ALinkLeadsToAFileOrFolderOfTheTree) {
  const Tree tree{
      {"README.md", "[a](docs/a.md) [b](docs/) [c](https://x.org/y) [d](#here) [e](docs/none.md)\n"},
      {"docs/a.md", "[up](../README.md#top)\n```\n[not](a link)\n```\n"}};
  EXPECT_THAT(shown(check_links, tree),
              ElementsAre("README.md:1: the link to docs/none.md leads nowhere, name a file that exists"));
}

TEST(TidyExcuses, AnExcuseCoversItsRuleInItsFileOrFolder) {
  const Tree tree{{"sim/seen/a.cpp", "std::unordered_set<int> s;\n"}};
  EXPECT_THAT(check(tree, {}), testing::SizeIs(1));
  const std::vector<Excuse> by_file{{"sim/seen/a.cpp", Rule::words, "never iterated"}};
  const std::vector<Excuse> by_folder{{"sim/seen/", Rule::words, "never iterated"}};
  const std::vector<Excuse> other_rule{{"sim/seen/a.cpp", Rule::layers, "never iterated"}};
  EXPECT_THAT(check(tree, by_file), IsEmpty());
  EXPECT_THAT(check(tree, by_folder), IsEmpty());
  EXPECT_THAT(check(tree, other_rule), testing::SizeIs(2));
}

TEST(TidyExcuses, AnExcuseThatNothingNeedsIsAFinding) {
  const std::vector<Excuse> stale{{"sim/gone.cpp", Rule::words, "it was needed once"}};
  const auto findings = check({}, stale);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(show(findings[0]),
            "sim/gone.cpp: an excuse that nothing needs (\"it was needed once\"), remove it");
}

}  // namespace
}  // namespace lockstep::tidy
