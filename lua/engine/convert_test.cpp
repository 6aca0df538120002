#include "lua/engine/convert.h"

#include <gtest/gtest.h>

#include <memory>

#include "lua/testing/fake_host.h"

namespace lockstep::lua {
namespace {

Reply::Array list(std::vector<Reply> items) { return items; }

TEST(ToReply, CutsNumbersTowardsZero) {
  EXPECT_EQ(run_script("return {3.99, -3.99, -0.5, 7}"),
            Reply(list({integer(3), integer(-3), integer(0), integer(7)})));
}

TEST(ToReply, GivesTheLowestIntegerForWhatIsNone) {
  const Reply lowest = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(run_script("return {1/0, -1/0, 0/0, 1e19}"), Reply(list({lowest, lowest, lowest, lowest})));
}

TEST(ToReply, KnowsOnlyDoubles) { EXPECT_EQ(run_script("return 2^53 + 1"), integer(9007199254740992)); }

TEST(ToReply, TurnsTrueIntoOneAndFalseIntoNull) {
  EXPECT_EQ(run_script("return true"), integer(1));
  EXPECT_EQ(run_script("return false"), Reply(Nil{}));
}

TEST(ToReply, ChangesBooleansAfterSetrespThree) {
  EXPECT_EQ(run_script("redis.setresp(3) return {true, false}"), Reply(list({integer(1), integer(0)})));
}

TEST(ToReply, HasNoFormForFunctionsCoroutinesAndNothing) {
  for (const char* text : {"return nil", "return", "", "return function() end",
                           "return coroutine.create(function() end)"}) {
    EXPECT_EQ(run_script(text), Reply(Nil{})) << text;
  }
}

TEST(ToReply, TakesOnlyTheFirstOfSeveralValues) { EXPECT_EQ(run_script("return 1, 2"), integer(1)); }

TEST(ToReply, EndsAnArrayAtItsFirstNilAndDropsOtherKeys) {
  EXPECT_EQ(run_script("return {1, 2, nil, 4}"), Reply(list({integer(1), integer(2)})));
  EXPECT_EQ(run_script("return {nil, 2}"), Reply(list({})));
  EXPECT_EQ(run_script("return {1, a = 2}"), Reply(list({integer(1)})));
}

TEST(ToReply, KeepsNestingAndFalseInsideArrays) {
  EXPECT_EQ(run_script("return {{1, {'x'}}, false}"),
            Reply(list({Reply(list({integer(1), Reply(list({bulk("x")}))})), Nil{}})));
}

TEST(ToReply, ReadsTablesRaw) {
  EXPECT_EQ(run_script("return setmetatable({}, {__index = function() return 1 end})"), Reply(list({})));
}

TEST(ToReply, ReadsErrBeforeOk) {
  EXPECT_EQ(run_script("return {ok = 'fine', err = 'MY error'}"), Reply(Error{"MY error"}));
  EXPECT_EQ(run_script("return {ok = 'fine'}"), Reply(Status{"fine"}));
  EXPECT_EQ(run_script("return {err = 'hi'}"), Reply(Error{"hi"}));
}

TEST(ToReply, TreatsErrAndOkThatAreNoStringsAsAnArray) {
  EXPECT_EQ(run_script("return {err = 1}"), Reply(list({})));
  EXPECT_EQ(run_script("return {ok = true, 5}"), Reply(list({integer(5)})));
}

TEST(ToReply, MakesErrorsAndStatusesOneLine) {
  EXPECT_EQ(run_script("return {err = 'a\\r\\nb'}"), Reply(Error{"a  b"}));
  EXPECT_EQ(run_script("return {ok = 'a\\nb'}"), Reply(Status{"a b"}));
}

TEST(ToReply, ConvertsTheTypesOfResp3ForAResp2Client) {
  EXPECT_EQ(run_script("return {double = 3.5}"), bulk("3.5"));
  EXPECT_EQ(run_script("return {big_number = '123'}"), bulk("123"));
  EXPECT_EQ(run_script("return {verbatim_string = {string = 'a', format = 'txt'}}"), bulk("a"));
  EXPECT_EQ(run_script("return {map = {b = 2, a = 1}}"),
            Reply(list({bulk("a"), integer(1), bulk("b"), integer(2)})));
  EXPECT_EQ(run_script("return {set = {b = true, a = true}}"), Reply(list({bulk("a"), bulk("b")})));
}

TEST(ToReply, AnswersATableInsideItselfWithAnError) {
  const Reply reply = run_script("local t = {} t[1] = t return t");
  const Reply* inner = &reply;
  int depth = 0;
  while (inner->array() != nullptr && inner->array()->size() == 1) inner = &inner->array()->front(), ++depth;
  EXPECT_EQ(*inner, Reply(Error{"ERR reached lua stack limit"}));
  EXPECT_EQ(depth, reply_depth_max + 1);
}

TEST(ToReply, KeepsAnyBytes) { EXPECT_EQ(run_script("return 'a\\0b'"), Reply(std::string("a\0b", 3))); }

Reply seen_by_script(Reply reply, std::string_view expression) {
  Engine engine;
  FakeHost host({{"get x", std::move(reply)}});
  return run_script(engine, "local r = redis.pcall('get', 'x') return " + std::string(expression), host);
}

TEST(PushReply, GivesIntegersThatPrintWithoutAPoint) {
  EXPECT_EQ(seen_by_script(integer(2), "'k:' .. r"), bulk("k:2"));
  EXPECT_EQ(seen_by_script(integer(-7), "tostring(r + 1)"), bulk("-6"));
}

TEST(PushReply, LosesDigitsOfLargeIntegersAsDoublesDo) {
  EXPECT_EQ(seen_by_script(integer(9007199254740993), "r"), integer(9007199254740992));
  EXPECT_EQ(seen_by_script(integer(123456789012345), "'' .. r"), bulk("1.2345678901234e+14"));
}

TEST(PushReply, GivesFalseForNulls) {
  EXPECT_EQ(seen_by_script(Nil{}, "r == false"), integer(1));
  EXPECT_EQ(seen_by_script(NilArray{}, "r == false"), integer(1));
}

TEST(PushReply, GivesNilForNullsAfterSetrespThree) {
  Engine engine;
  FakeHost host({{"get x", Nil{}}});
  EXPECT_EQ(run_script(engine, "redis.setresp(3) return redis.call('get', 'x') == nil", host), integer(1));
  EXPECT_EQ(run_script(engine, "return redis.call('get', 'x') == nil", host), Reply(Nil{}))
      << "setresp lasts for one eval";
}

TEST(PushReply, GivesTablesForStatusesAndErrors) {
  EXPECT_EQ(seen_by_script(Status{"OK"}, "r.ok"), bulk("OK"));
  EXPECT_EQ(seen_by_script(Error{"ERR no"}, "r.err"), bulk("ERR no"));
  EXPECT_EQ(seen_by_script(Error{"ERR no"}, "r.ignore_error_stats_update"), integer(1));
}

TEST(PushReply, CountsNullsInArrays) {
  EXPECT_EQ(
      seen_by_script(list({bulk("a"), Nil{}, list({integer(1)})}), "{#r, r[1], r[2] == false, r[3][1]}"),
      Reply(list({integer(3), bulk("a"), integer(1), integer(1)})));
}

int destroyed = 0;
struct Witness {
  Witness() = default;
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() { ++destroyed; }
};

int raise_past_a_witness(lua_State* L) {
  const Witness witness;
  raise(L, "leaving");
}

TEST(LuaErrors, RunTheDestructorsOfTheFramesTheyLeave) {
  const std::unique_ptr<lua_State, void (*)(lua_State*)> state(luaL_newstate(), lua_close);
  destroyed = 0;
  lua_pushcfunction(state.get(), raise_past_a_witness);
  EXPECT_EQ(lua_pcall(state.get(), 0, 0, 0), LUA_ERRRUN);
  EXPECT_EQ(destroyed, 1);
}

}  // namespace
}  // namespace lockstep::lua
