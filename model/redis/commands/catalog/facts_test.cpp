#include "model/redis/commands/catalog/facts.h"

#include <algorithm>

#include <gtest/gtest.h>
#include "model/redis/commands/server/help.h"
#include "model/redis/testing/test_client.h"

namespace lockstep::redis::commands {
namespace {

using testing::TestClient;

TEST(Facts, EveryCommandOfTheTableHasThem) {
  for (const Spec& spec : all_commands()) EXPECT_NE(find_facts(spec.name).facts, nullptr) << spec.name;
}

TEST(Facts, AreSortedByNameInEachGroup) {
  for (const Group* const group : {&string_group, &generic_group, &server_group, &stream_group}) {
    EXPECT_TRUE(std::is_sorted(group->facts.begin(), group->facts.end(), [](const Facts& a, const Facts& b) {
      return a.name < b.name;
    })) << group->name;
  }
}

struct Pair {
  std::string_view word;
  Flag flag;
};
constexpr Pair pairs[] = {{"write", write},           {"readonly", read_only}, {"noscript", no_script},
                          {"denyoom", deny_oom},      {"fast", fast},          {"admin", admin},
                          {"no_multi", no_multi},     {"stale", stale},        {"loading", loading},
                          {"allow_busy", allow_busy}, {"no_auth", no_auth}};

// What dispatch asks must be what clients are told.
TEST(Facts, TheTableHasTheSameArityKeysAndFlags) {
  for (const Spec& spec : all_commands()) {
    const Facts* const facts = find_facts(spec.name).facts;
    ASSERT_NE(facts, nullptr) << spec.name;
    EXPECT_EQ(spec.arity, facts->arity) << spec.name;
    EXPECT_EQ(spec.first_key, facts->first_key) << spec.name;
    EXPECT_EQ(spec.last_key, facts->last_key) << spec.name;
    EXPECT_EQ(spec.key_step, facts->key_step) << spec.name;
    for (const Pair& pair : pairs) {
      EXPECT_EQ(spec.has(pair.flag), facts->has_flag(pair.word)) << spec.name << ": " << pair.word;
    }
  }
}

// COMMAND does not tell this flag; Redis has it on these (server.h, CMD_MAY_REPLICATE).
TEST(Facts, WhatMayReplicateWithoutBeingAWrite) {
  constexpr std::string_view known[] = {"eval", "evalsha", "fcall", "pfcount", "publish", "spublish"};
  for (const Spec& spec : all_commands()) {
    const bool expected = std::find(std::begin(known), std::end(known), spec.name) != std::end(known);
    EXPECT_EQ(spec.has(may_replicate), expected) << spec.name;
  }
}

TEST(Facts, EachContainerHasItsHelp) {
  for (const Spec& spec : all_commands()) {
    if (!spec.name.ends_with("|help")) continue;
    EXPECT_FALSE(help_of(spec.name.substr(0, spec.name.size() - 5)).empty()) << spec.name;
  }
}

TEST(FoundKeys, OptionsOfSortAndMigrateAndSetAreRead) {
  const auto keys = [](std::string_view line) {
    const Command command = testing::words_of(line);
    const std::vector<std::string_view> words(command.begin(), command.end());
    const auto found = find_keys(*find_facts(command[0]).facts, words);
    std::string text;
    if (!found) return std::string("?");
    for (const FoundKey& key : *found) text.append(text.empty() ? "" : " ").append(key.key);
    return text;
  };
  EXPECT_EQ(keys("sort a by w get x store b"), "a b");
  EXPECT_EQ(keys("sort_ro a by w"), "a");
  EXPECT_EQ(keys("migrate h 1 k 0 1"), "k");
  EXPECT_EQ(keys("migrate h 1 '' 0 1 auth x keys a b"), "a b");
  EXPECT_EQ(keys("zunionstore d 2 a b"), "d a b");
  EXPECT_EQ(keys("zunion 0 a"), "?");
  EXPECT_EQ(keys("zunionstore d 0 a"), "?");
  EXPECT_EQ(keys("zunion x a"), "?");
  EXPECT_EQ(keys("xread count 1 streams a b 1 2"), "a b");
  EXPECT_EQ(keys("georadius k 1 2 3 m store d"), "k d");
  EXPECT_EQ(keys("bitfield a set u8 0 1"), "a");
}

TEST(Introspection, TheListHasSubcommandsAndTheCountHasNot) {
  TestClient client;
  const Outcome listed = client.execute({"COMMAND", "LIST"}), counted = client.execute({"COMMAND", "COUNT"}),
                described = client.execute({"COMMAND"});
  const Reply::Array& names = *listed.reply.array();
  const auto is_command = [](const Reply& name) { return name.bulk()->find('|') == std::string::npos; };
  EXPECT_EQ(*counted.reply.integer(), std::count_if(names.begin(), names.end(), is_command));
  EXPECT_EQ(described.reply.array()->size(), static_cast<std::size_t>(*counted.reply.integer()));
  EXPECT_EQ(std::count(names.begin(), names.end(), Reply(std::string("config|get"))), 1);
}

TEST(Introspection, ACategoryHasContainersTooIfTheyAreInIt) {
  TestClient client;
  const std::string slow = client("ACL CAT slow");
  EXPECT_NE(slow.find(R"("config", "config|get")"), std::string::npos) << slow;
}

TEST(Introspection, DocumentationNamesGroupAndVersionWithoutSentences) {
  TestClient client;
  EXPECT_EQ(client("COMMAND DOCS get"), R"(["get", ["summary", "", "since", "1.0.0", "group", "string"]])");
}

}  // namespace
}  // namespace lockstep::redis::commands
