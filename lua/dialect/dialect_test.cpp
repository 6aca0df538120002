// What the dialect brings back from 5.1 is compared with 5.1 itself in dialect_diff_test. Here stands what
// cannot be brought back, because it lies in the language: each test fails when a difference goes away.
#include "lua/dialect/dialect.h"

#include <utility>

#include <gtest/gtest.h>

#include "lua/testing/fake_host.h"
#include "lua/dialect/wording.h"

namespace lockstep::lua {
namespace {

// The reply under the embedded library, which these tests know to differ.
void expect_differs(std::string_view script, std::string_view in_54, std::string_view in_51) {
  EXPECT_EQ(printed(run_script(script)), runs_on_54() ? in_54 : in_51) << script;
}

// Numbers are doubles wherever they come from, and `..` writes them as 5.1 does.
struct Written {
  const char* script;
  const char* text;
};

class Numbers51 : public ::testing::TestWithParam<Written> {};

TEST_P(Numbers51, AreWrittenAs51WritesThem) {
  EXPECT_EQ(printed(run_script(GetParam().script)), GetParam().text) << GetParam().script;
}

INSTANTIATE_TEST_SUITE_P(
    Concatenated, Numbers51,
    ::testing::Values(Written{"for i = '3', 1, -1 do return 'k:' .. i end", R"("k:3")"},
                      Written{"for i = tonumber('3'), 1, -1 do return 'k:' .. i end", R"("k:3")"},
                      Written{"return 'k:' .. 10 / 2", R"("k:5")"}, Written{"return 10 / 2 .. ''", R"("5")"},
                      Written{"return 'k:' .. 2 ^ 2 .. -0", R"("k:4-0")"},
                      Written{"return '' .. (1.5 + 1.5)", R"("3")"},
                      Written{"return 'k:' .. 1e2 .. 3.0 .. 0x10", R"("k:100316")"},
                      Written{"return '' .. 10000000 * 10000000", R"("1e+14")"},
                      Written{"return '' .. 123456789012345", R"("1.2345678901234e+14")"},
                      Written{"local n = 1 for i = 1, 25 do n = n * i end return n < 1e25", "nil"},
                      Written{"return 9223372036854775807 + 1 < 0", "nil"},
                      Written{"return tostring(1 % 0) == tostring(0 / 0)", "1"}));

TEST(Dialect, AWrongOperandIsNamedWhereverItStands) {
  for (const auto& [script, text] : {
           std::pair{"local a return 'x' .. a", "concatenate local 'a' (a nil value)"},
           std::pair{"local a return (function() return a .. 1 end)()",
                     "concatenate upvalue 'a' (a nil value)"},
           std::pair{"return KEYS[9] .. 'x'", "concatenate field '?' (a nil value)"},
           std::pair{"local t = {} return 1 .. t.b .. nil", "concatenate field 'b' (a nil value)"},
           std::pair{"return 'x' .. redis", "concatenate global 'redis' (a table value)"}}) {
    const Reply reply = run_script(script);
    ASSERT_NE(reply.error(), nullptr) << script;
    EXPECT_NE(reply.error()->text.find(std::string("attempt to ") + text), std::string::npos)
        << reply.error()->text;
  }
}

TEST(Dialect, OperandsAreEvaluatedBeforeAWrongOneIsNoticed) {
  EXPECT_EQ(printed(run_script("local n = 0 local function f() n = n + 1 end "
                               "pcall(function() return nil .. f() end) return n")),
            "1");
}

TEST(Dialect, AMetamethodOfConcatenationGetsNumbersAsTextsIn54) {
  expect_differs("return 1 .. setmetatable({}, {__concat = function(a) return type(a) end})", R"("string")",
                 R"("number")");
}

TEST(Dialect, TheRemainderOfFractionsAndOfLengthsStaysAs54DoesIt) {
  expect_differs("return '' .. 1 % 0.1", R"("0.1")", R"("0")");
  EXPECT_EQ(run_script("return #'a' % #''").error() != nullptr, runs_on_54());
}

TEST(Dialect, TheGrammarOf54IsRefused) {
  for (const char* script : {"return 7 // 2", "return 6 & 3", "return 1 << 2", "goto done ::done:: return 1",
                             "local x <const> = 1 return x", "; return 1", "do ; end"}) {
    EXPECT_NE(run_script(script).error(), nullptr) << script;
  }
  EXPECT_EQ(run_script("local goto = 1; do return goto; end"), Reply(std::int64_t{1}));
}

TEST(Dialect, AnUnknownEscapeIsItsLetter) {
  EXPECT_EQ(printed(run_script("return '\\x41\\z \\q\\65'")), R"("x41z qA")");
}

TEST(Dialect, ManyVariablesOfOthersStayAllowedAsIn54) {
  const char* const variables =
      "local s, u = {}, {} for i = 1, 61 do s[i] = 'local a' .. i u[i] = 'a' .. i end "
      "return loadstring(table.concat(s, ' ') .. ' return function() return ' .. table.concat(u, ', ') .. "
      "' end') ~= nil";
  expect_differs(variables, "1", "nil");
}

TEST(Dialect, LengthMetamethodsOfTablesStayAs54DoesThem) {
  expect_differs("return #setmetatable({}, {__len = function() return 5 end})", "5", "0");
}

TEST(Dialect, TheNegativeZeroKeepsItsSign) {
  EXPECT_EQ(printed(run_script("return {redis.call('echo', -0), tostring(-0), 5 -0}")), R"(["-0", "-0", 5])");
}

TEST(Dialect, AForLoopWithoutAStepStaysAnErrorAs54HasIt) {
  EXPECT_EQ(run_script("for i = 1, 3, 0 do return 1 end").error() != nullptr, runs_on_54());
}

TEST(Dialect, VarargFunctionsStayWithoutArg) {
  EXPECT_EQ(run_script("local function f(...) return arg.n end return f(1, 2)").error() != nullptr,
            runs_on_54());
}

TEST(Dialect, ArithmeticOnAWrongStringStaysWithoutTheNameOfTheVariable) {
  const char* script = "local a = 'x' return a + 1";
  const std::string subject = runs_on_54() ? "a string value" : "local 'a' (a string value)";
  EXPECT_EQ(run_script(script), Reply(Error{"ERR user_script:1: attempt to perform arithmetic on " +
                                            subject + suffix(script, 1)}));
}

TEST(Dialect, SomeSyntaxErrorsStayInTheWordsOf54) {
  const std::string prefix = "-ERR Error compiling script (new function): user_script:1: ";
  expect_differs("break", prefix + "break outside loop at line 1", prefix + "no loop to break near '<eof>'");
  expect_differs("f() = 1", prefix + "syntax error near '='", prefix + "unexpected symbol near '='");
  expect_differs("return '\\300'", prefix + "decimal escape too large near ''\\300''",
                 prefix + "escape sequence too large near '''");
  EXPECT_EQ(printed(run_script("bad")), prefix + "'=' expected near '<eof>'");
  EXPECT_EQ(printed(run_script("return [[x")), prefix + "unfinished long string near '<eof>'");
}

TEST(Dialect, WhatStandsInATextOrARemarkIsLeftAlone) {
  EXPECT_EQ(
      printed(run_script("return '// & | ~ goto <const> 1e2' .. [==[ // 1e2 ]] ]==] -- // 1e2 & \n .. 'x'")),
      R"("// & | ~ goto <const> 1e2 // 1e2 ]] x")");
}

TEST(Wording, RestatesWhatWentWrongWithAVariable) {
  if (!runs_on_54()) GTEST_SKIP() << "5.1 says it so itself";
  EXPECT_EQ(runtime_wording("user_script:1: attempt to index a nil value (local 'x')"),
            "user_script:1: attempt to index local 'x' (a nil value)");
  EXPECT_EQ(runtime_wording("attempt to perform arithmetic on a table value (field '?')"),
            "attempt to perform arithmetic on field '?' (a table value)");
  EXPECT_EQ(runtime_wording("attempt to perform arithmetic on a string value (constant 'a')"),
            "attempt to perform arithmetic on a string value");
  EXPECT_EQ(runtime_wording("bad 'for' limit (number expected, got table)"), "'for' limit must be a number");
}

TEST(Wording, LeavesOtherTextsAlone) {
  for (const char* text : {"attempt to compare two table values", "attempt to do it (yes)", "attempt to ",
                           "", "attempt to a (b)", "attempt to x a (", "attempt to x a ()"}) {
    EXPECT_EQ(runtime_wording(text), text);
  }
}

}  // namespace
}  // namespace lockstep::lua
