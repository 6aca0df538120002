#include "scenarios/format/script_reader.h"

#include <gtest/gtest.h>

#include "lua/engine/engine.h"
#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

constexpr const char* two_sets = R"toml(format = 1
[[script]]
file = "lock-hset.lua"
role = "lock"
origin = "Redisson"
keys = ["lock"]
args = ["lease in ms", "holder (its name)"]
replies = "nil: acquired"
versions = "3.0.0 .. 3.12.2"
[[script]]
role = "unlock"
file = "sub/unlock.lua"
[set.one]
lock = "lock-hset.lua"
[set."redisson@3.10.5"]
lock = "lock-hset.lua"
unlock = "sub/unlock.lua"
)toml";

FileLoader two_files() {
  return files({{"d/lock-hset.lua", "return 1\n"},
                {"d/sub/unlock.lua", "return 2"},
                {"my.lua", "return 3"},
                {"d/set.toml", two_sets}});
}

std::string refused(std::string_view text, const FileLoader& load = two_files()) {
  const auto sets = read_script_sets(text, "d", load);
  return sets.ok() ? "no error" : sets.problem().text;
}

TEST(ScriptSets, ASetKnowsItsScriptsByRoleWithTheirExactBytes) {
  const auto sets = read_script_sets(two_sets, "d", two_files());
  ASSERT_TRUE(sets.ok()) << sets.problem().text;
  ASSERT_EQ(sets->size(), 2U);
  const lua::ScriptSet& set = sets->at("redisson@3.10.5");
  EXPECT_EQ(set.name, "redisson@3.10.5");
  const lua::Script* lock = set.find("lock");
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->text, "return 1\n");
  EXPECT_EQ(lock->sha1, lua::sha1_hex("return 1\n"));
  EXPECT_EQ(lock->file, "d/lock-hset.lua");
  EXPECT_EQ(lock->args, (std::vector<std::string>{"lease", "holder"}));
  EXPECT_EQ(set.find("unlock")->role, "unlock");
  EXPECT_EQ(sets->at("one").find("unlock"), nullptr);
}

const std::string described = "format = 1\n[[script]]\nfile = \"lock-hset.lua\"\nrole = \"lock\"\n";

TEST(ScriptSets, MistakesInASetFileAreShownWithTheirPlace) {
  EXPECT_EQ(refused(described + "[set.x]\nlock = \"lock-hste.lua\"\n"),
            "error: unknown script `lock-hste.lua`\n  --> d/set.toml:6:8\n6 | lock = \"lock-hste.lua\"\n"
            "  |        ^^^^^^^^^^^^^^^ did you mean `lock-hset.lua`?");
  EXPECT_EQ(refused(described + "[set.x]\nunlock = \"lock-hset.lua\"\n"),
            "error: script `lock-hset.lua` does not serve as `unlock`\n  --> d/set.toml:6:1\n"
            "6 | unlock = \"lock-hset.lua\"\n  | ^^^^^^ its role is `lock`");
  EXPECT_EQ(refused("format = 1\n[[script]]\nfile = \"none.lua\"\nrole = \"lock\"\n"),
            "error: cannot read the script d/none.lua: no such file\n  --> d/set.toml:3:8\n"
            "3 | file = \"none.lua\"\n  |        ^^^^^^^^^^");
  EXPECT_EQ(refused("format = 1\n[[script]]\nfile = \"lock-hset.lua\"\nrole = \"lock\"\nrols = 1\n"),
            "error: unknown key `rols` in [[script]]\n  --> d/set.toml:5:1\n5 | rols = 1\n  | ^^^^ did you "
            "mean `role`?");
  EXPECT_EQ(refused("format = 1\n[[script]]\nfile = \"../lock.lua\"\nrole = \"lock\"\n"),
            "error: `file` lies beside set.toml: no `..`, and no `/` in front\n  --> d/set.toml:3:8\n"
            "3 | file = \"../lock.lua\"\n  |        ^^^^^^^^^^^^^");
  EXPECT_EQ(refused("[set.x]\n"),
            "error: a script set begins with `format = 1`\n  --> d/set.toml:1:1\n1 | [set.x]\n  | ^");
  EXPECT_EQ(refused(described), "error: d/set.toml names no script set: it has no [set.NAME]");
  EXPECT_EQ(refused(""), "error: d/set.toml is empty, not a script set");
}

TEST(ScriptSets, AScriptWithoutItsRoleOrDescribedTwiceIsRefused) {
  const std::string without = refused("format = 1\n[[script]]\nfile = \"lock-hset.lua\"\n[set.x]\n");
  EXPECT_EQ(without.substr(0, without.find('\n')), "error: a [[script]] wants its `role`");
  const std::string twice = refused(described + described.substr(11) + "[set.x]\n");
  EXPECT_EQ(twice.substr(0, twice.find('\n')), "error: `lock-hset.lua` is described twice");
}

TEST(ScriptSets, EmptyBinaryAndCompiledScriptsAreRefused) {
  const lua::ScriptSet set = test_library().sets.at("redisson@3.10.5");
  const FileLoader load =
      files({{"empty", " \n"}, {"binary", std::string("a\0b", 3)}, {"compiled", "\x1bLua"}});
  EXPECT_EQ(replace_script(set, "lock", "empty", load).problem().text, "the script empty is empty");
  EXPECT_EQ(replace_script(set, "lock", "binary", load).problem().text, "the script binary is a binary file");
  EXPECT_EQ(replace_script(set, "lock", "compiled", load).problem().text,
            "the script compiled is compiled Lua; Redis takes source only");
  EXPECT_EQ(replace_script(set, "lock", "none", load).problem().text,
            "cannot read the script none: no such file");
  EXPECT_EQ(replace_script(set, "lock", "none", {}).problem().text,
            "the script file none cannot be read here");
}

TEST(ScriptSets, AScriptThatReadsAWordItIsNotSentIsRefused) {
  const lua::ScriptSet set = built_in_scripts({})->sets.at("redisson@3.10.5");
  const FileLoader load = files({{"five", "return ARGV[5]"}, {"three", "return KEYS[3]"}});
  EXPECT_EQ(replace_script(set, "lock", "five", load).problem().text,
            "the script five reads ARGV[5], and the role `lock` is sent 2 of them: lease, holder");
  EXPECT_EQ(replace_script(set, "unlock", "three", load).problem().text,
            "the script three reads KEYS[3], and the role `unlock` is sent 2 of them: lock, channel");
}

TEST(ScriptSets, AnOverrideNamesASetADirectoryOrARoleAndAFile) {
  const ScriptLibrary library{.sets = test_library().sets, .load = two_files()};
  const lua::ScriptSet base = library.sets.at("redisson@3.10.5");
  EXPECT_EQ(apply_override(base, "redisson@3.12.3", library)->name, "redisson@3.12.3");
  EXPECT_EQ(apply_override(base, "./d#one", library).problem().text,
            "cannot read the script set ./d/set.toml: no such file");
  const auto unlock = apply_override(base, "unlock=my.lua", library);
  ASSERT_TRUE(unlock.ok());
  EXPECT_EQ(unlock->find("unlock")->text, "return 3");
  EXPECT_EQ(apply_override(*unlock, "lock=my.lua", library)->name, "redisson@3.10.5+lock+unlock");
  EXPECT_EQ(apply_override(*unlock, "unlock=my.lua", library)->name, "redisson@3.10.5+unlock");
  EXPECT_EQ(apply_override(base, "unlok=my.lua", library).problem().text,
            "script set redisson@3.10.5 has no role `unlok`; did you mean `unlock`?");
  EXPECT_EQ(apply_override(base, "", library).problem().text,
            "--scripts wants SET, DIR or ROLE=FILE, not nothing");
}

TEST(ScriptSets, ADirectoryWithSeveralSetsWantsToKnowWhich) {
  const ScriptLibrary library{.sets = {},
                              .load = files({{"./d/set.toml", two_sets},
                                             {"./d/lock-hset.lua", "return 1"},
                                             {"./d/sub/unlock.lua", "return 2"}})};
  EXPECT_EQ(find_script_set("./d/", library).problem().text,
            "./d/set.toml has several script sets; write ./d#SET with `one` or `redisson@3.10.5`");
  EXPECT_EQ(find_script_set("./d#two", library).problem().text,
            "./d/set.toml has no script set `two`; it has `one` or `redisson@3.10.5`");
  const auto one = find_script_set("./d#one", library);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->name, "./d#one");
  EXPECT_EQ(split_set_name("./d+e#one+lock").base, "./d+e#one");
}

TEST(ScriptSets, TheBuiltInSetsCanBeSentByTheModelledClients) {
  const auto library = built_in_scripts({});
  ASSERT_TRUE(library.ok()) << library.problem().text;
  ASSERT_EQ(library->sets.count("redisson@3.10.5"), 1U);
  for (const auto& [name, set] : library->sets) {
    const std::string lock = set.find("lock") != nullptr ? "a" : "fair:a";
    const std::string text = "format = 1\nscripts = \"" + name +
                             "\"\n[process.A]\nthreads = [[\"lock " + lock + "\", \"force-unlock " + lock +
                             "\"]]\n";
    const auto setup = read_scenario(text, "x.toml", *library, test_vocabulary());
    EXPECT_TRUE(setup.ok()) << (setup.ok() ? "" : setup.problem().text);
  }
  const lua::Script* lock = library->sets.at("redisson@3.10.5").find("lock");
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->file, "lua/scripts/lock-hset.lua");
  EXPECT_EQ(lock->args, (std::vector<std::string>{"lease", "holder"}));
}

}  // namespace
}  // namespace lockstep::scenarios
