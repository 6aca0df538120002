// What the dialect brings back from 5.1 is compared with 5.1 itself in dialect_diff_test. Here stands what
// cannot be brought back, because it lies in the language: each test fails when a difference goes away.
#include "lua/dialect.h"

#include <gtest/gtest.h>

#include "lua/fake_host.h"
#include "lua/wording.h"

namespace lockstep::lua {
namespace {

// The reply under the embedded library, which these tests know to differ.
void expect_differs(std::string_view script, std::string_view in_54, std::string_view in_51) {
  EXPECT_EQ(printed(run_script(script)), runs_on_54() ? in_54 : in_51) << script;
}

TEST(Dialect, ConcatenatingTheResultOfADivisionStaysAs54DoesIt) {
  expect_differs("return 'k:' .. 10 / 2", R"("k:5.0")", R"("k:5")");
  expect_differs("return 'k:' .. 2 ^ 2", R"("k:4.0")", R"("k:4")");
  expect_differs("return 'k:' .. 1e2", R"("k:100.0")", R"("k:100")");
}

TEST(Dialect, ANumericForFromAStringStaysAs54DoesIt) {
  expect_differs("for i = '3', 1, -1 do return 'k:' .. i end", R"("k:3.0")", R"("k:3")");
  expect_differs("for i = tonumber('3'), 1, -1 do return 'k:' .. i end", R"("k:3")", R"("k:3")");
}

TEST(Dialect, LargeIntegerLiteralsStayAs54DoesIt) {
  expect_differs("return '' .. 123456789012345", R"("123456789012345")", R"("1.2345678901234e+14")");
  expect_differs("return tostring(123456789012345)", R"("1.2345678901234e+14")", R"("1.2345678901234e+14")");
  expect_differs("return 9223372036854775807 + 1 < 0", "1", "nil");
}

TEST(Dialect, TheRemainderByZeroOfIntegersStaysAs54DoesIt) {
  EXPECT_EQ(run_script("return 1 % 0").error() != nullptr, runs_on_54());
  EXPECT_EQ(printed(run_script("return tostring(math.mod(1, 0) ~= math.mod(1, 0))")), R"("true")");
}

TEST(Dialect, TheGrammarOf54StaysAccepted) {
  for (const char* script : {"return 7 // 2", "return 6 & 3", "return 1 << 2", "goto done ::done:: return 1",
                             "local x <const> = 1 return x"}) {
    EXPECT_EQ(run_script(script).error() == nullptr, runs_on_54()) << script;
  }
  EXPECT_EQ(run_script("local goto = 1 return goto").error() != nullptr, runs_on_54());
}

TEST(Dialect, HexadecimalEscapesStayAs54DoesThem) { expect_differs("return '\\x41'", R"("A")", R"("x41")"); }

TEST(Dialect, LengthMetamethodsOfTablesStayAs54DoesThem) {
  expect_differs("return #setmetatable({}, {__len = function() return 5 end})", "5", "0");
}

TEST(Dialect, TheNegativeZeroLiteralStaysAs54DoesIt) {
  expect_differs("return redis.call('echo', -0)", R"("0")", R"("-0")");
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

TEST(Dialect, SyntaxErrorsOfAnUnfinishedStatementStayInTheWordsOf54) {
  EXPECT_EQ(run_script("bad"),
            Reply(Error{std::string("ERR Error compiling script (new function): user_script:1: ") +
                        (runs_on_54() ? "syntax error" : "'=' expected") + " near '<eof>'"}));
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
