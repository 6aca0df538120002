// `lockstep import`, run as a user runs it; and the help page about it, which must be true.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lua/sha1.h"
#include "tools/cli/cli_fixture.h"
#include "tools/import/places.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

class ImportCli : public CliTest {
 protected:
  /// A method of a lock that sends this script.
  static std::string method(const std::string& name, const std::string& script, const std::string& keys,
                            const std::string& args) {
    return "  R " + name + "(long threadId) { return evalWriteAsync(getRawName(), C, EVAL_BOOLEAN, " +
           script + ", Arrays.asList(" + keys + ")" + (args.empty() ? "" : ", ") + args + "); }\n";
  }
  static std::string lock_of(const std::string& members, const std::string& name = "RedissonLock") {
    return "package org.redisson;\npublic class " + name + " {\n" + members + "}\n";
  }
  static std::string renewal(const std::string& script) {
    return method("renewExpirationAsync", script, "getRawName()",
                  "internalLockLeaseTime, getLockName(threadId)");
  }

  Finished import(const std::string& path, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"import", "--from", "java", path};
    words.insert(words.end(), more.begin(), more.end());
    return lockstep(words);
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(directory_), {}));
  }
};

TEST_F(ImportCli, TheHelpPageIsTrue) {
  const std::string page = content("tools/help/import.md");
  const std::size_t java = page.find("```java\n") + 8;
  file("RedissonLock.java", page.substr(java, page.find("```\n", java) - java));
  std::istringstream lines(page.substr(page.find("    $ ")));
  std::string expected, out;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    if (!line.starts_with("    $ lockstep ")) {
      expected += line.substr(4) + "\n";
      continue;
    }
    std::istringstream in(line.substr(15));
    const std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
    const Finished it = lockstep(words, {.directory = directory_.string()});
    EXPECT_EQ(it.status, 0) << line << it.out << it.err;
    if (out.empty()) out = it.out;
  }
  EXPECT_EQ(out, expected);
}

TEST_F(ImportCli, TheWireTextIsWrittenByteForByteAndRecorded) {
  const std::string java =
      file("RedissonLock.java", lock_of(renewal("\"return \\t1 -- \\u00fc\\n\" + '\"' + \"\"")));
  EXPECT_EQ(import(java, {"-o", at("set")}).status, 4);  // it does not compile
  file("RedissonLock.java", lock_of(renewal("\"return \\t1 -- \\u00fc\\n\" + '-' + \"-\"")));
  const Finished it = import(java, {"-o", at("deep/set"), "--name", "mine"});
  ASSERT_EQ(it.status, 0) << it.err << it.out;
  const std::string text = "return \t1 -- \xC3\xBC\n--";
  EXPECT_EQ(content(at("deep/set/renew.lua")), text);
  EXPECT_THAT(content(at("deep/set/set.toml")), HasSubstr("[set.\"mine\"]\nrenew = \"renew.lua\"\n"));
  const auto record = nlohmann::json::parse(content(at("deep/set/imported.json")));
  const auto& one = record["scripts"][0];
  EXPECT_EQ(one["text"], text);
  EXPECT_EQ(one["sha1"], lua::sha1_hex(text));
  EXPECT_EQ(one["role"], "renew");
  EXPECT_EQ(one["args"][1], "getLockName(threadId)");
  EXPECT_EQ(one["arg_words"][1], "holder");
  EXPECT_EQ(import(java, {"--format", "json"}).out, content(at("deep/set/imported.json")));
}

TEST_F(ImportCli, WhatHasNoPlaceIsListedWithItsPlaceAndReason) {
  std::filesystem::create_directories(at("src/main"));
  std::filesystem::create_directories(at("src/test"));
  const auto out_of = [&](const std::string& java) {
    file("src/main/RedissonLock.java", java);
    return import(at("src")).out;
  };
  EXPECT_THAT(
      out_of(lock_of(renewal("\"return (\""))),
      HasSubstr("RedissonLock.java:3: RedissonLock.renewExpirationAsync: it does not compile: ERR Error"));
  EXPECT_THAT(out_of(lock_of(renewal("\"return KEYS[2]\""))), HasSubstr("it reads KEYS[2], and 1 are sent"));
  EXPECT_THAT(out_of(lock_of(renewal("threadId"))), HasSubstr("its text is not certain"));
  EXPECT_THAT(out_of(lock_of(method("drain", "\"return 1\"", "getName()", ""))),
              HasSubstr("RedissonLock.drain: no role is known for this method"));
  EXPECT_THAT(out_of(lock_of(renewal("\"return 1\""), "RedissonQueue")),
              HasSubstr("not of locks: 1 script\n"));
  EXPECT_THAT(out_of(lock_of(renewal("fair ? \"return 1\" : \"return 0\""))),
              HasSubstr("renewExpirationAsync if fair: another script claims the role `renew`, too: "
                        "RedissonLock.renewExpirationAsync if not (fair) at "));
  const std::string message = "class LockPubSub { static final Long UNLOCK_MESSAGE = 7L; }\n";
  EXPECT_THAT(out_of(message + lock_of(method("forceUnlockAsync", "\"return 1\"",
                                              "getName(), getChannelName()", "LockPubSub.UNLOCK_MESSAGE"))),
              HasSubstr("ARGV[1], `LockPubSub.UNLOCK_MESSAGE`, is 7, and a client here publishes 0"));
  file("src/test/RedissonLock.java", "class { not read");
  EXPECT_THAT(out_of(lock_of(renewal("\"return 1\"") + renewal("\"return \" + 1"))),
              HasSubstr("    the same: " + at("src/main/RedissonLock.java") +
                        ":4 RedissonLock.renewExpirationAsync\n"));
}

TEST_F(ImportCli, BadInputIsOneSentenceAndNothingIsWritten) {
  for (const std::string& bad : bad_files()) {
    if (std::filesystem::is_directory(bad)) continue;
    expect_one_sentence(import(bad, {"-o", at("set")}), bad);
  }
  expect_one_sentence(lockstep({"import", "--from", "java", directory_.string(), "-o", at("set")}),
                      "no Java in it");
  std::filesystem::create_directories(at("tree"));
  file("tree/A.java", lock_of(renewal("\"return 1\"")));
  for (const char* text :
       {"class A {\n String a = \"x\n}", "class A {\n void f() {", "class A { /* ", "\xff\0\x01"}) {
    file("tree/Z.java", text);
    const Finished it = import(at("tree"), {"-o", at("set")});
    expect_one_sentence(it, text);
    EXPECT_THAT(it.err, HasSubstr("Z.java:"));
    EXPECT_FALSE(std::filesystem::exists(at("set"))) << text;
  }
  std::filesystem::remove(at("tree/Z.java"));
  expect_one_sentence(import(at("tree"), {"-o", at("tree")}), "a folder that is in use");
  expect_one_sentence(import(at("tree"), {"-o", at("tree/A.java")}), "a file");
  expect_one_sentence(import(at("tree"), {"-o", "/proc/set"}), "a folder that takes no files");
  expect_one_sentence(import(at("tree"), {"-o", "-"}), "no folder");
  EXPECT_EQ(lockstep({"import", at("tree")}).status, 2);
  EXPECT_EQ(lockstep({"import", "--from", "java"}).status, 2);
  EXPECT_EQ(import(at("tree"), {"--name", "a+b"}).status, 2);
  const std::size_t before = entries();
  EXPECT_EQ(import(at("tree"), {"-o", at("set")}).status, 0);
  EXPECT_EQ(entries(), before + 1);
}

TEST_F(ImportCli, WithoutAScriptThatHasAPlaceNothingIsWritten) {
  const std::string java = file("A.java", lock_of("", "Empty"));
  const Finished it = import(java, {"-o", at("set")});
  EXPECT_EQ(it.status, 4);
  EXPECT_THAT(it.out, HasSubstr("nothing is written: no script has a place here\n"));
  EXPECT_FALSE(std::filesystem::exists(at("set")));
}

/// The Java below sources/ has the shape of the client of 2024: names that a constructor makes, methods that
/// hand a script on, two ways by the kind of answer, and requests that a loop puts together. The scripts do
/// nothing but read the last of their words.
TEST_F(ImportCli, AWholeClientIsPlaced) {
  const Finished it = import("tools/import/sources", {"-o", at("set"), "--format", "json"});
  ASSERT_EQ(it.status, 0) << it.err;
  const auto record = nlohmann::json::parse(it.out);
  std::map<std::string, std::string> words;
  std::vector<std::string> left;
  for (const auto& one : record["scripts"]) {
    if (one.contains("left_out")) {
      left.push_back(one["class"].get<std::string>() + ": " + one["left_out"].get<std::string>());
      continue;
    }
    std::string& told = words[one["role"].get<std::string>()];
    for (const auto& word : one["key_words"]) told += word.get<std::string>() + " ";
    told += "|";
    for (const auto& word : one["arg_words"]) told += " " + word.get<std::string>();
  }
  const std::map<std::string, std::string> expected{
      {"lock", "lock | lease holder"},
      {"unlock", "lock channel latch | message lease holder publish latch-time"},
      {"force-unlock", "lock channel | message publish"},
      {"renew", "locks | lease holders"},
      {"faster-renew", "lock | lease now holder values"},
      {"fair-lock", "lock queue deadlines | lease holder wait now"},
      {"fair-try-lock", "lock queue deadlines | lease holder now wait"},
      {"fair-acquire-failed", "queue deadlines | holder wait"},
      {"fair-unlock", "lock queue deadlines channel latch | message lease holder now publish latch-time"},
      {"fair-expire", "lock queue deadlines | lease condition"},
      {"fair-force-unlock", "lock queue deadlines channel | message now publish"},
      {"fenced-expire", "lock token | lease condition"},
      {"fenced-lock", "lock token | lease holder"},
      {"fenced-lock-token", "lock token | lease holder"},
      {"read-lock", "lock time-outs | lease holder writer"},
      {"read-unlock", "lock channel time-outs prefix latch | message holder publish latch-time"},
      {"read-renew", "locks prefixes | lease counts holders"},
      {"read-force-unlock", "lock channel | message publish"},
      {"read-is-locked", "lock |"},
      {"write-lock", "lock | lease holder"},
      {"write-unlock", "lock channel latch | message lease holder publish latch-time"},
      {"write-force-unlock", "lock channel | message publish"},
      {"spin-lock", "lock | lease holder"},
      {"spin-unlock", "lock latch | lease holder latch-time"},
      {"spin-force-unlock", "lock |"},
  };
  EXPECT_EQ(words, expected);
  EXPECT_EQ(left, std::vector<std::string>{"RedissonExpirable: its class is no lock's"});
  // The set can be read and its scripts are sent; nobody can make anything of what these answer.
  const Finished checked = lockstep({"check", "spin/two-clients", "--scripts", at("set")});
  EXPECT_THAT(checked.err, HasSubstr("the script in the role `spin-lock` answers A1"));
}

TEST_F(ImportCli, TheTimeToLiveOfAFairLockIsALease) {
  const std::string members =
      "  final String threadsQueueName, timeoutSetName;\n" +
      method("expireAsync", "\"return ARGV[1]\"", "getName(), threadsQueueName, timeoutSetName",
             "timeUnit.toMillis(timeToLive)");
  const Finished it = import(file("Fair.java", lock_of(members, "RedissonFairLock")));
  EXPECT_THAT(it.out, HasSubstr("fair-expire  RedissonFairLock.expireAsync"));
  EXPECT_THAT(it.out, HasSubstr("KEYS lock queue deadlines  ARGV lease\n"));
}

TEST(ImportPlaces, EveryRoleOfALockKindHasAPlaceInTheSources) {
  for (const model::LockKind* kind : model::shipped_kinds())
    for (const model::Role& role : kind->roles)
      EXPECT_TRUE(role.command != nullptr || has_place(role.name)) << role.name << ": add it to places.cpp";
}

}  // namespace
}  // namespace lockstep::tools
