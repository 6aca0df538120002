// What the comparison with a real server (model/redis/scripting_differential_test.cpp) cannot show of cjson,
// cmsgpack, struct and bit: order, limits, settings, and what both builds share.
#include "lua/libraries/libraries.h"

#include <gtest/gtest.h>

#include "lua/testing/fake_host.h"

namespace lockstep::lua {
namespace {

TEST(Libraries, EncodeTablesInTheOneOrderOfKeys) {
  const char* script =
      "local t = {zebra = 1, apple = 2, [10] = 3, [2.5] = 4, [-1] = 5} "
      "return {cjson.encode(t), cmsgpack.pack(t)}";
  const Reply expected = run_script(script);
  EXPECT_EQ(*expected.array()->front().bulk(), R"({"-1":5,"2.5":4,"10":3,"apple":2,"zebra":1})");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(run_script(script), expected) << "a fresh engine has another seed";
}

TEST(Libraries, ReadThroughSharedTables) {
  EXPECT_EQ(printed(run_script("return {pcall(cjson.encode, string)}")),
            R"([nil, "Cannot serialise function: type not supported"])");
  EXPECT_EQ(printed(run_script("return #cmsgpack.pack(struct)")), "21");
}

TEST(Libraries, RefuseKeysOfAnotherKindBeforeAnythingElse) {
  EXPECT_EQ(printed(run_script("return {pcall(cjson.encode, {[{}] = 1, [{}] = 2, [true] = 3, x = pcall})}")),
            R"([nil, "Cannot serialise boolean: table key must be a number or string"])");
}

TEST(Cjson, KeepsNoSettingForTheNextEval) {
  Engine engine;
  EXPECT_EQ(run_script(engine, "cjson.encode_max_depth(3) return cjson.encode_max_depth()"),
            Reply(std::int64_t{3}));
  EXPECT_EQ(run_script(engine, "return cjson.encode_max_depth()"), Reply(std::int64_t{1000}));
}

TEST(Cjson, GivesNumbersThatPrintAsIn51) {
  EXPECT_EQ(printed(run_script("local t = cjson.decode('[3, 4.0, 1e2, 2.5, 123456789012345]') "
                               "return t[1] .. '|' .. t[2] .. '|' .. t[3] .. '|' .. t[4] .. '|' .. t[5]")),
            R"("3|4|100|2.5|1.2345678901234e+14")");
  EXPECT_EQ(
      printed(run_script("return 'k' .. cmsgpack.unpack('\\5') .. struct.unpack('d', struct.pack('d', 7))")),
      R"("k57")");
  EXPECT_EQ(printed(run_script("return 'k' .. bit.bor(1, 2.0) .. bit.lshift('1', 4)")), R"("k316")");
}

TEST(Cjson, RaisesDepthsOnlyUpToTheStackOfC) {
  EXPECT_EQ(printed(run_script("cjson.decode_max_depth(2147483647) "
                               "local ok, e = pcall(cjson.decode, string.rep('[', 100000)) "
                               "return e:match('^Found too many nested data structures')")),
            R"("Found too many nested data structures")");
  EXPECT_EQ(printed(run_script("cjson.encode_max_depth(2147483647) local t = {} t[1] = t "
                               "local ok, e = pcall(cjson.encode, t) "
                               "return e:match('^Cannot serialise, excessive nesting')")),
            R"("Cannot serialise, excessive nesting")");
}

TEST(Bit, RaisesErrorsThroughItsFrames) {
  Engine engine;
  EXPECT_EQ(printed(run_script(engine, "return {pcall(bit.bor, 1, {})}")),
            R"x([nil, "bad argument #2 to '?' (number expected, got table)"])x");
  const char* script = "return bit.bor(1, {})";
  EXPECT_EQ(run_script(engine, script),
            Reply(Error{"ERR user_script:1: bad argument #2 to 'bor' (number expected, got table)" +
                        suffix(script, 1)}));
  EXPECT_EQ(run_script(engine, "return bit.bor(1, 2)"), Reply(std::int64_t{3}));
}

TEST(SetRepl, ReachesTheHost) {
  class Told final : public FakeHost {
   public:
    void set_repl(unsigned mode) override { modes.push_back(mode); }
    std::vector<unsigned> modes;
  };
  Engine engine;
  Told host;
  run_script(engine, "redis.set_repl(redis.REPL_NONE) redis.set_repl(redis.REPL_REPLICA) redis.set_repl(3.9)",
             host);
  run_script(engine, "redis.set_repl(4)", host);
  EXPECT_EQ(host.modes, (std::vector<unsigned>{0, 2, 3}));
}

TEST(AclCheckCmd, AsksTheHostWhichCommandsThereAre) {
  class Knowing final : public FakeHost {
   public:
    bool has_command(std::span<const std::string_view> words) override { return words[0] == "get"; }
  };
  Engine engine;
  Knowing host;
  EXPECT_EQ(run_script(engine, "return redis.acl_check_cmd('get', 'x')", host), Reply(std::int64_t{1}));
  const char* script = "return redis.acl_check_cmd('nosuch')";
  EXPECT_EQ(run_script(engine, script, host),
            Reply(Error{"ERR Invalid command passed to redis.acl_check_cmd()" + suffix(script, 1)}));
}

struct Resp3Case {
  const char* command;
  Reply reply;
  const char* shown;
};

Reply list(std::initializer_list<Reply> items) { return Reply::Array(items); }
Reply text(const char* bytes) { return std::string(bytes); }

TEST(Resp3, GivesScriptsMapsSetsAndDoubles) {  // each measured on 7.0.15
  const Resp3Case cases[] = {
      {"HGETALL h", list({text("a"), text("1")}), R"({"map":{"a":"1"}})"},
      {"smembers s", list({text("x")}), R"({"set":{"x":true}})"},
      {"spop s 1", list({text("x")}), R"({"set":{"x":true}})"},
      {"spop s", text("x"), R"("x")"},
      {"zscore z a", text("1.5"), R"({"double":1.5})"},
      {"zscore z q", Nil{}, "null"},
      {"zmscore z a q", list({text("2"), Nil{}}), R"([{"double":2}])"},
      {"zrange z 0 -1", list({text("a"), text("b")}), R"(["a","b"])"},
      {"zrange z 0 -1 WITHSCORES", list({text("a"), text("1.5")}), R"([["a",{"double":1.5}]])"},
      {"zpopmin z", list({text("a"), text("1")}), R"(["a",{"double":1}])"},
      {"zpopmin z 2", list({text("a"), text("1")}), R"([["a",{"double":1}]])"},
      {"zmpop 1 z min", list({text("z"), list({list({text("a"), text("1")})})}),
       R"(["z",[["a",{"double":1}]]])"},
      {"hrandfield h 1 withvalues", list({text("a"), text("1")}), R"([["a","1"]])"},
      {"zadd z incr 1 a", text("3"), R"({"double":3})"},
      {"zadd z 1 a", std::int64_t{1}, "1"},
      {"geopos g p", list({list({text("13.5"), text("38")})}), R"([[{"double":13.5},{"double":38}]])"},
      {"lcs a b idx", list({text("len"), std::int64_t{2}}), R"({"map":{"len":2}})"},
      {"xread streams s 0", list({list({text("s"), list({})})}), R"({"map":{"s":{}}})"},
      {"info", text("# Server"), R"({"verbatim_string":{"format":"txt","string":"# Server"}})"},
      {"incrbyfloat n 1.5", text("1.5"), R"("1.5")"},
  };
  for (const Resp3Case& each : cases) {
    Engine engine;
    FakeHost host({{each.command, each.reply}});
    const std::string script = "redis.setresp(3) local words = {} for word in ('" +
                               std::string(each.command) +
                               "'):gmatch('%S+') do words[#words + 1] = word end "
                               "return cjson.encode(redis.call(unpack(words)))";
    EXPECT_EQ(printed(run_script(engine, script, host)), '"' + std::string(each.shown) + '"') << each.command;
  }
}

}  // namespace
}  // namespace lockstep::lua
