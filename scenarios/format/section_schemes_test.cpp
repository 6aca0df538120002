// [scheme.NAME] as it is read and printed, and what is refused, with its place.
#include "scenarios/format/section_schemes.h"

#include <gmock/gmock.h>

#include "model/client/lock_kind.h"
#include "scenarios/embedded.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

using ::testing::HasSubstr;

const ScriptLibrary& library() {
  static const ScriptLibrary shipped = *built_in_scripts(files({
      {"more.scheme",
       "[scheme.more]\nacquire = { send = \"SETNX {lock} {owner}\", reply = { 1 = \"granted\", 0 = "
       "\"refused\" } }\nrelease = { send = \"DEL {lock}\", reply = { 1 = \"released\", 0 = "
       "\"not the holder\" } }\nholder = { string = \"{owner}\" }\n"},
      {"odd/odd.scheme", "[scheme.odd]\nacquire = 1\n"},
      {"odd/own.lua", "return redis.call('DEL', KEYS[1])"},
  }));
  return shipped;
}

const std::string mine = R"(format = 1
[scheme.mine]
retry = { poll = "500ms" }
holder = { string = "{token}" }
acquire = { send = "SET {lock} {token} NX PX {lease}", reply = { OK = "granted", nil = "refused" } }
[scheme.mine.release]
script = "compare-and-delete.lua"
keys = ["{lock}"]
args = ["{token}"]
reply = { 1 = "released", 0 = "not the holder" }
[process.P]
threads = [["lock mine:orders", "unlock mine:orders"]]
)";

sim::Result<model::Setup> read(const std::string& text) {
  return read_scenario(text, "x.toml", library(), test_vocabulary());
}

/// The scheme with one part of its text replaced: what the reader says.
std::string said(const std::string& part, const std::string& other) {
  std::string text = mine;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  text.replace(at, part.size(), other);
  const auto setup = read(text);
  return setup.ok() ? "no error" : setup.problem().text;
}

TEST(Schemes, AreKindsOfTheScenarioBehindThoseOfTheProgram) {
  const auto setup = read(mine);
  ASSERT_TRUE(setup.ok()) << setup.problem().text;
  EXPECT_EQ(setup->kinds.size(), model::shipped_kinds().size() + 1);
  const model::LockKind& kind = *setup->kinds.back();
  EXPECT_EQ(kind.name, "mine");
  EXPECT_EQ(&model::kind_of(*setup, setup->threads[0].program[0].object), &kind);
  EXPECT_EQ(kind.roles[0].name, "lock");
  EXPECT_EQ(kind.roles[1].described->script->sha1.size(), 40u);
}

TEST(Schemes, ComeBackFromTheirNormalisedTextWhateverTheOrderOfTheirKeys) {
  for (const EmbeddedFile& file : embedded_schemes()) {
    if (!file.name.ends_with(".scheme")) continue;
    const std::string name(file.name.substr(0, file.name.rfind('.')));
    const auto setup =
        read("format = 1\nschemes = \"" + name + "\"\n[redis]\nmode = \"independent\"\nnodes = 3\n" +
             "[process.P]\nthreads = [[\"lock " + name + ":orders\", \"unlock " + name + ":orders\"]]\n");
    ASSERT_TRUE(setup.ok()) << setup.problem().text;
    const auto again = read(normalised(*setup));
    ASSERT_TRUE(again.ok()) << again.problem().text << normalised(*setup);
    EXPECT_EQ(normalised(*again), normalised(*setup));
    EXPECT_TRUE(*again == *setup) << name;
  }
}

TEST(Schemes, ChangeTheDigestWithWhatTheySend) {
  const auto setup = read(mine);
  std::string text = mine;
  text.replace(text.find("500ms"), 5, "400ms");
  EXPECT_NE(read(text)->digest, setup->digest);
}

TEST(Schemes, MayStandInAFileOfTheirOwn) {
  const auto setup = read(
      "format = 1\nschemes = [\"more.scheme\", \"set-nx-px\"]\n[process.P]\n"
      "threads = [[\"lock more:a\", \"lock set-nx-px:b\"]]\n");
  ASSERT_TRUE(setup.ok()) << setup.problem().text;
  EXPECT_EQ(setup->kinds.back()->name, "set-nx-px");
}

TEST(Schemes, AreRefusedWithTheirPlace) {
  EXPECT_EQ(said("{token} NX", "{tokn} NX"),
            "error: nothing is called `{tokn}`\n  --> x.toml:5:32\n"
            "5 | acquire = { send = \"SET {lock} {tokn} NX PX {lease}\", reply = { OK = \"granted\", nil = "
            "\"refused\" } }\n  |                                ^^^^^^ did you mean `token`?");
  EXPECT_THAT(said(", nil = \"refused\"", ""),
              HasSubstr("no rule of `reply` reads what `SET {lock} {token} NX "
                        "PX {lease}` may answer: nil\n  --> x.toml:5:11"));
  EXPECT_THAT(said("\"refused\"", "\"refusd\""), HasSubstr("no reply here means `refusd`"));
  EXPECT_THAT(said("string = \"{token}\"", "string = \"me\""),
              HasSubstr("`holder` names no one: it wants {owner} or {token}"));
  EXPECT_THAT(said("string = \"{token}\"", "key = \"a\""), HasSubstr("in one form where the holder stands"));
  EXPECT_THAT(said("mine.release]", "mine.undo]"), HasSubstr("[scheme.mine] wants `release`"));
  EXPECT_THAT(said("args = [\"{token}\"]", "args = []"), HasSubstr("reads ARGV[1]"));
  EXPECT_THAT(said("compare-and-delete.lua", "no-such.lua"), HasSubstr("cannot read the script no-such.lua"));
  EXPECT_THAT(said("script = \"compare-and-delete.lua\"\n", ""),
              HasSubstr("wants either `send`, a command, or"));
  EXPECT_THAT(said("poll = \"500ms\"", "poll = \"1s\", channel = \"c\""),
              HasSubstr("is one of `poll`, `back-off`"));
  EXPECT_THAT(said("SET {lock} {token} NX PX {lease}", "MULTI"), HasSubstr("`MULTI` is about a connection"));
  EXPECT_THAT(said("lock mine:orders", "lock mein:orders"), HasSubstr("unknown kind of lock `mein`"));
  EXPECT_THAT(said("lock mine:orders", "force-unlock mine:orders"),
              HasSubstr("a mine lock has no such call"));
  EXPECT_THAT(said("[scheme.mine]", "[scheme.plain]"), HasSubstr("`plain` is a kind of lock already"));
  EXPECT_THAT(said("format = 1", "format = 1\nschemes = \"set-nx-xp\""),
              HasSubstr("`schemes`: unknown scheme `set-nx-xp`; did you mean `set-nx-px`?"));
  EXPECT_THAT(said("format = 1", "format = 1\nschemes = \"odd/odd.scheme\""),
              HasSubstr("[scheme.odd] wants `release`\n  --> odd/odd.scheme:1:9"));
}

TEST(Schemes, SendScriptsThatLieBesideTheirFile) {
  ScriptLibrary there = library();
  there.folder = "odd/";
  const auto script = find_script("own.lua", there);
  ASSERT_TRUE(script.ok()) << script.problem().text;
  EXPECT_EQ(script->file, "odd/own.lua");
}

}  // namespace
}  // namespace lockstep::scenarios
