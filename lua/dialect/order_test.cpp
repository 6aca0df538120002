#include "lua/dialect/order.h"

#include <gtest/gtest.h>

#include "lua/testing/fake_host.h"

namespace lockstep::lua {
namespace {

constexpr const char* build =
    "local t = {}  for _, k in ipairs({'y','x','zeta','alpha','w', 'z', 'beta', 10, 2.5, -1, 7}) do t[k] = "
    "1 end "
    "t[true] = 1 t[false] = 1 t[1] = 1 t[2] = 1 t[3] = 1 ";
constexpr const char* order = R"("1 2 3 false true -1 2.5 7 10 alpha beta w x y z zeta ")";

std::string with(const char* walk) { return std::string(build) + "local s = '' " + walk + " return s"; }

TEST(Order, PairsWalksTheRunThenBooleansNumbersAndStrings) {
  EXPECT_EQ(printed(run_script(with("for k in pairs(t) do s = s .. tostring(k) .. ' ' end"))), order);
}

TEST(Order, NextWalksInTheSameOrder) {
  EXPECT_EQ(printed(run_script(
                with("local k = next(t) while k ~= nil do s = s .. tostring(k) .. ' ' k = next(t, k) end"))),
            order);
}

TEST(Order, ForeachWalksInTheSameOrder) {
  EXPECT_EQ(printed(run_script(with("table.foreach(t, function(k) s = s .. tostring(k) .. ' ' end)"))),
            order);
}

TEST(Order, IsTheSameInTwentyFreshEngines) {
  const std::string script =
      "local t = {} for i = 1, 50 do t['k' .. (i * 7919 % 1000)] = i end "
      "local s = '' for k, v in pairs(t) do s = s .. k .. '=' .. v .. ' ' end return s";
  const Reply first = run_script(script);
  ASSERT_NE(first.bulk(), nullptr);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(run_script(script), first);
}

TEST(Order, DoesNotDependOnTheOrderOfInsertion) {
  EXPECT_EQ(run_script("local s='' for k in pairs({a=1,b=2,c=3}) do s=s..k end return s"),
            run_script("local t={} t.c=3 t.a=1 t.b=2 local s='' for k in pairs(t) do s=s..k end return s"));
}

TEST(Order, SkipsWhatIsRemovedWhileWalking) {
  EXPECT_EQ(printed(run_script(
                "local t={a=1,b=2,c=3} local s='' for k in pairs(t) do s=s..k t.b=nil end return s")),
            R"("ac")");
}

TEST(Order, LetsALoopRemoveEveryKeyItMeets) {
  EXPECT_EQ(printed(run_script(
                "local t={1,2,a=1,b=2} for k in pairs(t) do t[k]=nil end return tostring(next(t))")),
            R"("nil")");
}

TEST(Order, WalksAnEmptyTable) {
  EXPECT_EQ(run_script("for k in pairs({}) do return k end return next({}) == nil"), Reply(std::int64_t{1}));
}

TEST(Order, AllowsOneKeyThatHasOnlyAnAddressAndRefusesTwo) {
  EXPECT_EQ(run_script("local n=0 for k in pairs({[{}]=1, a=1}) do n=n+1 end return n"),
            Reply(std::int64_t{2}));
  for (const char* walk : {"pairs({[{}]=1, [{}]=2})", "next({[{}]=1, [print_ or function() end]=2})"}) {
    const std::string script = "local print_ = function() end return " + std::string(walk);
    const Reply reply = run_script(script);
    ASSERT_NE(reply.error(), nullptr) << walk;
    EXPECT_NE(reply.error()->text.find("Lockstep has no order"), std::string::npos) << reply.error()->text;
  }
}

TEST(Order, SeesThroughTheSharedTables) {
  EXPECT_EQ(printed(run_script("local s='' for k in pairs(coroutine) do s=s..k..' ' end return s")),
            R"("create resume running status wrap yield ")");
  EXPECT_EQ(printed(run_script("return (next(table))")), R"("concat")");
}

TEST(Order, WantsATable) {
  const Reply reply = run_script("for k in pairs(nil) do end");
  ASSERT_NE(reply.error(), nullptr);
  EXPECT_NE(reply.error()->text.find("bad argument #1 to 'pairs' (table expected, got nil)"),
            std::string::npos);
}

TEST(Order, PrintsTablesByNumberNotByAddress) {
  const char* script =
      "local a, b = {}, {} return {tostring(a), tostring(b), tostring(a), tostring(function() end)}";
  EXPECT_EQ(printed(run_script(script)),
            R"(["table: 0x00000001", "table: 0x00000002", "table: 0x00000001", "function: 0x00000003"])");
}

TEST(Order, SortIsStableOrAtLeastTheSameEveryTime) {
  const char* script =
      "local t = {} for i = 1, 500 do t[i] = {i % 3, i} end table.sort(t, function(a, b) return a[1] < b[1] "
      "end) "
      "local s = '' for _, e in ipairs(t) do s = s .. e[2] .. ' ' end return s";
  const Reply first = run_script(script);
  ASSERT_NE(first.bulk(), nullptr);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run_script(script), first);
}

}  // namespace
}  // namespace lockstep::lua
