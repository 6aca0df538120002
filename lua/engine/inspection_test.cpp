// An engine with an inspector: what is told, and that scripts notice nothing.
#include <gtest/gtest.h>

#include "lua/testing/fake_host.h"

namespace lockstep::lua {
namespace {

struct Told final : Inspector {
  std::vector<std::string> calls;
  void called(Inspected call) override {
    std::string text = call.function + '(';
    for (const std::string& argument : call.arguments) text += argument + ' ';
    calls.push_back(text + ") " + call.found);
  }
};

std::vector<std::string> told_of(const char* script) {
  Told told;
  Engine engine({.inspector = &told});
  FakeHost host;
  const Reply reply = run_script(engine, script, host, {"key"}, {"a:17"});
  Engine plain;
  FakeHost other;
  EXPECT_EQ(reply, run_script(plain, script, other, {"key"}, {"a:17"})) << script;
  EXPECT_EQ(host.calls, other.calls) << script;
  return told.calls;
}

using Calls = std::vector<std::string>;

TEST(Inspection, TellsWhatIsReadOfATextAndWhatIsFound) {
  EXPECT_EQ(told_of("return string.sub(ARGV[1], -2)"), Calls{"string.sub('a:17 -2 ) '17 "});
  EXPECT_EQ(told_of("return ARGV[1]:find('1', 1, true)"), Calls{"string.find('a:17 '1 1 true ) 3 3 "});
  EXPECT_EQ(told_of("return {string.byte(ARGV[1], 1, 2)}"), Calls{"string.byte('a:17 1 2 ) 97 58 "});
  EXPECT_EQ(told_of("return ARGV[1] .. #ARGV[1]"), Calls{}) << "it is handed on whole";
}

TEST(Inspection, TellsEachThatAnIteratorFinds) {
  EXPECT_EQ(told_of("local n = 0 for d in string.gmatch(ARGV[1], '%d') do n = n + d end return n"),
            (Calls{"string.gmatch('a:17 '%d ) function ", "string.gmatch()(nil nil ) '1 ",
                   "string.gmatch()(nil '1 ) '7 ", "string.gmatch()(nil '7 ) "}));
}

TEST(Inspection, TellsWhatAServerIsAskedAndSays) {
  EXPECT_EQ(told_of("return redis.call('echo', ARGV[1])"), Calls{"redis.call('echo 'a:17 ) 'a:17 "});
  EXPECT_EQ(told_of("return redis.sha1hex('')"),
            Calls{"redis.sha1hex(' ) 'da39a3ee5e6b4b0d3255bfef95601890afd80709 "});
}

TEST(Inspection, ReachesFunctionsByAnyName) {
  EXPECT_EQ(told_of("local s = string return s['su' .. 'b'](ARGV[1], 1, 1)"),
            Calls{"string.sub('a:17 1 1 ) 'a "});
}

}  // namespace
}  // namespace lockstep::lua
