#include <gtest/gtest.h>

#include <map>
#include <set>

#include <toml++/toml.h>

#include "lua/scripts/embedded_scripts.h"
#include "lua/scripts/words_read.h"
#include "lua/testing/fake_host.h"

namespace lockstep::lua {
namespace {

std::string_view text_of(std::string_view name) {
  for (const EmbeddedFile& file : embedded_scripts()) {
    if (file.name == name) return file.text;
  }
  ADD_FAILURE() << "no file " << name;
  return {};
}

toml::table set_toml() { return toml::parse(text_of("set.toml")); }

TEST(Scripts, AreTheExactBytesThatServersKnowBySha1) {
  const std::map<std::string_view, std::string> expected{
      {"compare-and-delete.lua", "34d842858bfa3c216cc02a7749afd11f8b0dee7c"},
      {"fair-acquire-failed-at-head.lua", "181018e207666cd32cebf1793855242b1c33ad9d"},
      {"fair-acquire-failed.lua", "92d4afcdea828dc4c71cb6e45a3df585005fb253"},
      {"fair-force-unlock-publish-wants-scores.lua", "74d2b72d26fd64f4071e5da939c1eaeb1df90dbf"},
      {"fair-force-unlock-wants-scores.lua", "d07ee1efa3f12593264688ac8bc8e70e4ed5363c"},
      {"fair-force-unlock.lua", "559e855ffbb8d7a5241c9e1418acdcc0901212ca"},
      {"fair-lock-behind-head.lua", "011d6acef1547a20112ed6a53db5098bae443b62"},
      {"fair-lock-score-left.lua", "72c5174c5c80b0b6747a8b13a0ecb032aeb398dd"},
      {"fair-lock-simplified.lua", "94014caeb3b465019a4868929ff3ff22ce3bed73"},
      {"force-unlock-by-command.lua", "8e95524e099af571bd727f30f9c27f192e6b5ccb"},
      {"fair-lock-time-left.lua", "8906f0fac8034e31f571ec35d44fd15ac1c852f1"},
      {"fair-lock-wants-scores.lua", "45d8b7f563161f10bb608a7d655a575974fd9b33"},
      {"fair-lock.lua", "318b0bad32848f3163ad587cc1110b46794ddbd4"},
      {"fair-try-lock-behind-head.lua", "987f0e4c1f2525b38012b637bd09072d4372b822"},
      {"fair-try-lock-wants-scores.lua", "f03b7af246a5c4ae0d14e544e6133c0d06a1fb93"},
      {"fair-try-lock.lua", "c8ccda6da6b0312eb9e9d5cfac47efd4a2174dd8"},
      {"fair-unlock-latch-wants-scores.lua", "760cdd4847d6cd7fa48a3e394d6a665406af913c"},
      {"fair-unlock-publish-wants-scores.lua", "964085402a9ab615204154eb709d47483ba8ecfc"},
      {"fair-unlock-wants-scores.lua", "e7bb208647fdfb45c8bf5e20c958f8e8dcb78af2"},
      {"fair-unlock.lua", "135b785d977aa59765b87b3158a7825e8ce682e3"},
      {"fenced-lock-token.lua", "30442685c4c57293a992e22ee2b99a7df27ee92f"},
      {"fenced-lock.lua", "077e5490b2ad0301ab484612213cbfbf71ac9cdd"},
      {"force-unlock.lua", "7f1ba71f949d5a09e9b5548c6aa10560f2ab0177"},
      {"lock-free-or-mine.lua", "4509bc1ae210c6375d5b775a5c1adddf4f35d913"},
      {"lock-hincrby.lua", "dad0f8d619e548e04f21fb48d50be5034df3adae"},
      {"lock-hset.lua", "9401052d872adfd0179ef8c8e8c028512707629a"},
      {"non-reentrant-lock.lua", "3daa7be6cf69d9309ad990442e83bf25094f9b22"},
      {"read-force-unlock.lua", "b149e0aad99dc6c9cf3e91c01c19f1c2ef37ae2c"},
      {"read-lock-keeps-longer.lua", "0bd7c1849b366bbcc6b479e6401ca3376d4b97c9"},
      {"read-lock.lua", "933a68c850b70e292f8ba7459ee7b8081798b672"},
      {"read-renew.lua", "57ce2f04d7d29727d0fe6002726c0f1264ce472d"},
      {"read-unlock.lua", "453db35e937f0ca32b5f3f6fc9b02d08cee5321c"},
      {"renew-all.lua", "b932e5e88baf9023a3ee0b23f5900cbb2c8fbfd9"},
      {"renew.lua", "8e19a1ddbdee9138df9f32a480c57addab4353d1"},
      {"spin-force-unlock.lua", "2e5521c1e09c528e0c6a5e3a7c41a6db58806fe5"},
      {"spin-unlock-with-latch.lua", "18938731b4da75a5d45e20da3ff3ab0d202ed603"},
      {"spin-unlock.lua", "2622c4028b2b32539497d1550493424317a42f71"},
      {"unlock-by-command.lua", "11f8d40fca4ce493e405b9f0d2c6134ca6985cdc"},
      {"unlock-publish-if-absent.lua", "93cfc048f82624d1670a310aa0ad58918c0824a5"},
      {"unlock-with-latch.lua", "e64eb78b3a2fa9fc8e4131a32d78c41d97a15084"},
      {"unlock.lua", "9cf6cbbb1e83c69ebe434c700246a5d210569d35"},
      {"write-force-unlock.lua", "ac413235578e3ed7fa8d5a8b3de0ea6bb6941236"},
      {"write-lock.lua", "20f79934b377fc9cd4b5f9f919c3d2392e06501f"},
      {"write-unlock.lua", "f7fe290b33e199d1112efdd0e6c5dbc062023a20"}};
  std::map<std::string_view, std::string> found;
  for (const EmbeddedFile& file : embedded_scripts()) {
    if (file.name != "set.toml") found[file.name] = sha1_hex(file.text);
  }
  EXPECT_EQ(found, expected);
}

// The highest i of NAME[i] in a text; words behind those, of which there is one for each lock, count as one.
int highest_index(std::string_view text, const std::string& name) {
  int highest = 0, of_each = 0;
  for (auto at = text.find(name + "["); at != text.npos; at = text.find(name + "[", at + 1)) {
    const std::string index(text.substr(at + name.size() + 1, 2));
    if (index.front() == 'i') of_each = 1;
    else highest = std::max(highest, std::stoi(index));
  }
  return highest + of_each;
}

TEST(Scripts, UseAsManyKeysAndArgumentsAsTheirSetTomlNames) {
  const toml::table table = set_toml();
  std::set<std::string> described;
  for (const auto& node : *table["script"].as_array()) {
    const toml::table& script = *node.as_table();
    const auto file = *script["file"].value<std::string>();
    described.insert(file);
    EXPECT_EQ(highest_index(text_of(file), "KEYS"), static_cast<int>(script["keys"].as_array()->size()))
        << file;
    EXPECT_EQ(highest_index(text_of(file), "ARGV"), static_cast<int>(script["args"].as_array()->size()))
        << file;
    for (const char* field : {"role", "origin", "replies", "versions"}) {
      EXPECT_FALSE(script[field].value_or(std::string()).empty()) << file << ": " << field;
    }
  }
  EXPECT_EQ(described.size() + 1, embedded_scripts().size()) << "every script is described, once";
}

TEST(Scripts, AreSentInTheirRoleByEverySet) {
  const toml::table table = set_toml();
  std::map<std::string, std::string> role_of;
  for (const auto& node : *table["script"].as_array()) {
    const toml::table& script = *node.as_table();
    role_of[*script["file"].value<std::string>()] = *script["role"].value<std::string>();
  }
  int sets = 0;
  for (const auto& [name, set] : *table["set"].as_table()) {
    ++sets;
    std::set<std::string> roles;
    for (const auto& [role, file] : *set.as_table()) {
      if (role.str() == "like") continue;
      roles.insert(std::string(role.str()));
      EXPECT_EQ(role_of[*file.value<std::string>()], role.str()) << name.str();
    }
    std::set<std::string> wanted{"fair-acquire-failed", "fair-force-unlock", "fair-lock",  "fair-try-lock",
                                 "fair-unlock",         "force-unlock",      "lock",       "renew",
                                 "unlock",              "read-force-unlock", "read-lock",  "read-renew",
                                 "read-unlock",         "write-force-unlock", "write-lock", "write-unlock"};
    const bool first = name.str() == "redisson@3.0.0", later = name.str() == "redisson@3.22.0";
    const auto of_read_write = [](const std::string& role) {
      return role.starts_with("read-") || role.starts_with("write-");
    };
    if (first || later) std::erase_if(wanted, of_read_write);
    if (first) std::erase_if(wanted, [](const std::string& role) { return role.starts_with("fair-"); });
    if (later) wanted.insert({"fenced-lock", "fenced-lock-token"});
    if (later || name.str() == "redisson@3.15.0") wanted.insert({"spin-force-unlock", "spin-unlock"});
    if (name.str() == "fair-simplified") wanted = {"fair-force-unlock", "fair-lock", "fair-unlock", "renew"};
    if (set.as_table()->get("like") == nullptr) { EXPECT_EQ(roles, wanted) << name.str(); }
  }
  EXPECT_EQ(sets, 17);
}

struct Row {
  const char* what;
  std::map<std::string, Reply> server;  // answers to reads; everything else answers 1
  std::vector<std::string> calls;
  Reply reply;
};

void expect_rows(const char* file, std::vector<std::string_view> keys, std::vector<std::string_view> args,
                 const std::vector<Row>& rows) {
  Engine engine;
  for (const Row& row : rows) {
    FakeHost host(row.server);
    const Reply reply = run_script(engine, text_of(file), host, keys, args);
    EXPECT_EQ(printed(reply), printed(row.reply)) << file << ", " << row.what;
    EXPECT_EQ(host.calls, row.calls) << file << ", " << row.what;
  }
}

TEST(Scripts, LockIsGrantedWhenFreeDeepenedByItsHolderAndAnswersTheTimeLeftToOthers) {
  for (const std::string file : {"lock-hset.lua", "lock-hincrby.lua"}) {
    const std::string first = file == "lock-hset.lua" ? "hset L A:1 1" : "hincrby L A:1 1";
    expect_rows(file.c_str(), {"L"}, {"30000", "A:1"},
                {{"free", {{"exists L", integer(0)}}, {"exists L", first, "pexpire L 30000"}, Nil{}},
                 {"mine", {}, {"exists L", "hexists L A:1", "hincrby L A:1 1", "pexpire L 30000"}, Nil{}},
                 {"another's",
                  {{"hexists L A:1", integer(0)}, {"pttl L", integer(17000)}},
                  {"exists L", "hexists L A:1", "pttl L"},
                  integer(17000)},
                 {"another's, for ever",
                  {{"hexists L A:1", integer(0)}, {"pttl L", integer(-1)}},
                  {"exists L", "hexists L A:1", "pttl L"},
                  integer(-1)}});
  }
}

TEST(Scripts, UnlockIsRefusedToOthersCountsDownAndTellsTheChannelAtTheEnd) {
  expect_rows("unlock.lua", {"L", "C"}, {"0", "30000", "A:1"},
              {{"not mine", {{"hexists L A:1", integer(0)}}, {"hexists L A:1"}, Nil{}},
               {"nested",
                {{"hincrby L A:1 -1", integer(1)}},
                {"hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000"},
                integer(0)},
               {"the last",
                {{"hincrby L A:1 -1", integer(0)}},
                {"hexists L A:1", "hincrby L A:1 -1", "del L", "publish C 0"},
                integer(1)}});
}

TEST(Scripts, OldUnlockAlsoTellsTheChannelThatThereIsNoLock) {
  expect_rows("unlock-publish-if-absent.lua", {"L", "C"}, {"0", "30000", "A:1"},
              {{"no lock", {{"exists L", integer(0)}}, {"exists L", "publish C 0"}, integer(1)},
               {"not mine", {{"hexists L A:1", integer(0)}}, {"exists L", "hexists L A:1"}, Nil{}},
               {"nested",
                {{"hincrby L A:1 -1", integer(2)}},
                {"exists L", "hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000"},
                integer(0)},
               {"the last",
                {{"hincrby L A:1 -1", integer(0)}},
                {"exists L", "hexists L A:1", "hincrby L A:1 -1", "del L", "publish C 0"},
                integer(1)}});
}

TEST(Scripts, RenewSetsTheLeaseOfTheHolderOnly) {
  expect_rows("renew.lua", {"L"}, {"30000", "A:1"},
              {{"mine", {}, {"hexists L A:1", "pexpire L 30000"}, integer(1)},
               {"not mine", {{"hexists L A:1", integer(0)}}, {"hexists L A:1"}, integer(0)}});
}

TEST(Scripts, ForceUnlockTellsTheChannelOnlyIfThereWasALock) {
  expect_rows("force-unlock.lua", {"L", "C"}, {"0"},
              {{"locked", {}, {"del L", "publish C 0"}, integer(1)},
               {"free", {{"del L", integer(0)}}, {"del L"}, integer(0)}});
}

TEST(Scripts, SpinUnlockIsRefusedToOthersCountsDownAndTellsNobody) {
  expect_rows("spin-unlock.lua", {"L"}, {"30000", "A:1"},
              {{"not mine", {{"hexists L A:1", integer(0)}}, {"hexists L A:1"}, Nil{}},
               {"nested",
                {{"hincrby L A:1 -1", integer(1)}},
                {"hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000"},
                integer(0)},
               {"the last",
                {{"hincrby L A:1 -1", integer(0)}},
                {"hexists L A:1", "hincrby L A:1 -1", "del L"},
                integer(1)}});
}

TEST(Scripts, SpinForceUnlockAnswersWhetherThereWasALock) {
  expect_rows(
      "spin-force-unlock.lua", {"L"}, {},
      {{"locked", {}, {"del L"}, integer(1)}, {"free", {{"del L", integer(0)}}, {"del L"}, integer(0)}});
}

TEST(Scripts, LockUnderOneConditionSendsTheSameCommands) {
  expect_rows(
      "lock-free-or-mine.lua", {"L"}, {"30000", "A:1"},
      {{"free", {{"exists L", integer(0)}}, {"exists L", "hincrby L A:1 1", "pexpire L 30000"}, Nil{}},
       {"mine", {}, {"exists L", "hexists L A:1", "hincrby L A:1 1", "pexpire L 30000"}, Nil{}},
       {"another's",
        {{"hexists L A:1", integer(0)}, {"pttl L", integer(17000)}},
        {"exists L", "hexists L A:1", "pttl L"},
        integer(17000)}});
}

TEST(Scripts, UnlockOf3220PublishesByTheCommandThatItIsSent) {
  expect_rows("unlock-by-command.lua", {"L", "C"}, {"0", "30000", "A:1", "SPUBLISH"},
              {{"not mine", {{"hexists L A:1", integer(0)}}, {"hexists L A:1"}, Nil{}},
               {"nested",
                {{"hincrby L A:1 -1", integer(1)}},
                {"hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000"},
                integer(0)},
               {"the last",
                {{"hincrby L A:1 -1", integer(0)}},
                {"hexists L A:1", "hincrby L A:1 -1", "del L", "SPUBLISH C 0"},
                integer(1)}});
  expect_rows("force-unlock-by-command.lua", {"L", "C"}, {"0", "PUBLISH"},
              {{"locked", {}, {"del L", "PUBLISH C 0"}, integer(1)},
               {"free", {{"del L", integer(0)}}, {"del L"}, integer(0)}});
}

TEST(Scripts, FencedIsGrantedAsThePlainLockAndCountsEachGrant) {
  for (const std::string file : {"lock-free-or-mine.lua", "fenced-lock.lua", "fenced-lock-token.lua"}) {
    const bool tells = file == "fenced-lock-token.lua";
    const auto granted = [&](std::vector<std::string> calls) {
      if (file != "lock-free-or-mine.lua") calls.emplace_back("incr T");
      calls.insert(calls.end(), {"hincrby L A:1 1", "pexpire L 30000"});
      return calls;
    };
    const Reply grant = tells ? Reply{Reply::Array{integer(-1), integer(8)}} : Reply{Nil{}};
    const Reply refusal = tells ? Reply{Reply::Array{integer(17000), integer(-1)}} : integer(17000);
    std::vector<std::string_view> keys{"L", "T"};
    if (file == "lock-free-or-mine.lua") keys.pop_back();
    expect_rows(file.c_str(), keys, {"30000", "A:1"},
                {{"free", {{"exists L", integer(0)}, {"incr T", integer(8)}}, granted({"exists L"}), grant},
                 {"mine", {{"incr T", integer(8)}}, granted({"exists L", "hexists L A:1"}), grant},
                 {"another's",
                  {{"hexists L A:1", integer(0)}, {"pttl L", integer(17000)}},
                  {"exists L", "hexists L A:1", "pttl L"},
                  refusal}});
  }
}

TEST(Scripts, NonReentrantIsRefusedToItsHolderByAnError) {
  expect_rows("non-reentrant-lock.lua", {"L"}, {"30000", "A:1", "NON_REENTRANT_REACQUIRE"},
              {{"free",
                {{"exists L", integer(0)}},
                {"exists L", "hincrby L A:1 1", "pexpire L 30000"},
                Nil{}},
               {"mine", {}, {"exists L", "hexists L A:1"}, Reply{Error{"ERR NON_REENTRANT_REACQUIRE"}}},
               {"another's",
                {{"hexists L A:1", integer(0)}, {"pttl L", integer(17000)}},
                {"exists L", "hexists L A:1", "pttl L"},
                integer(17000)}});
}

TEST(Scripts, ReadIsGrantedBesideReadersAndToTheWriterItselfAndGivesEachHoldAKey) {
  for (const std::string file : {"read-lock.lua", "read-lock-keeps-longer.lua"}) {
    const bool keeps = file == "read-lock-keeps-longer.lua";
    const std::vector<std::string> time = keeps ? std::vector<std::string>{"pttl L", "pexpire L 40000"}
                                                : std::vector<std::string>{"pexpire L 30000"};
    const auto then = [&](std::vector<std::string> calls) {
      calls.insert(calls.end(), time.begin(), time.end());
      return calls;
    };
    expect_rows(
        file.c_str(), {"L", "T"}, {"30000", "A:1", "A:1:write"},
        {{"free",
          {{"hget L mode", Nil{}}},
          {"hget L mode", "hset L mode read", "hset L A:1 1", "set T:1 1", "pexpire T:1 30000",
           "pexpire L 30000"},
          Nil{}},
         {"read",
          {{"hget L mode", bulk("read")}, {"hincrby L A:1 1", integer(2)}, {"pttl L", integer(40000)}},
          then({"hget L mode", "hincrby L A:1 1", "set T:2 1", "pexpire T:2 30000"}),
          Nil{}},
         {"written by me",
          {{"hget L mode", bulk("write")}, {"pttl L", integer(40000)}},
          then({"hget L mode", "hexists L A:1:write", "hincrby L A:1 1", "set T:1 1", "pexpire T:1 30000"}),
          Nil{}},
         {"written by another",
          {{"hget L mode", bulk("write")}, {"hexists L A:1:write", integer(0)}, {"pttl L", integer(17000)}},
          {"hget L mode", "hexists L A:1:write", "pttl L"},
          integer(17000)}});
  }
}

TEST(Scripts, ReadUnlockLeavesTheLongestTimeOfTheHoldsLeftAndTellsTheChannelAtTheEnd) {
  const Reply fields = Reply::Array{bulk("mode"), bulk("B:1")};
  expect_rows(
      "read-unlock.lua", {"L", "C", "T", "P"}, {"0", "A:1"},
      {{"no lock", {{"hget L mode", Nil{}}}, {"hget L mode", "publish C 0"}, integer(1)},
       {"not mine",
        {{"hget L mode", bulk("read")}, {"hexists L A:1", integer(0)}},
        {"hget L mode", "hexists L A:1"},
        Nil{}},
       {"others are left",
        {{"hget L mode", bulk("read")},
         {"hincrby L A:1 -1", integer(0)},
         {"hlen L", integer(2)},
         {"hkeys L", fields},
         {"hget L B:1", bulk("2")},
         {"pttl P:B:1:rwlock_timeout:2", integer(700)},
         {"pttl P:B:1:rwlock_timeout:1", integer(900)}},
        {"hget L mode", "hexists L A:1", "hincrby L A:1 -1", "hdel L A:1", "del T:1", "hlen L", "hkeys L",
         "hget L mode", "hget L B:1", "pttl P:B:1:rwlock_timeout:2", "pttl P:B:1:rwlock_timeout:1",
         "pexpire L 900"},
        integer(0)},
       {"their time is over",
        {{"hget L mode", bulk("read")},
         {"hincrby L A:1 -1", integer(0)},
         {"hlen L", integer(2)},
         {"hkeys L", fields},
         {"hget L B:1", bulk("1")},
         {"pttl P:B:1:rwlock_timeout:1", integer(-2)}},
        {"hget L mode", "hexists L A:1", "hincrby L A:1 -1", "hdel L A:1", "del T:1", "hlen L", "hkeys L",
         "hget L mode", "hget L B:1", "pttl P:B:1:rwlock_timeout:1", "del L", "publish C 0"},
        integer(1)},
       {"the last",
        {{"hget L mode", bulk("read")}, {"hincrby L A:1 -1", integer(0)}},
        {"hget L mode", "hexists L A:1", "hincrby L A:1 -1", "hdel L A:1", "del T:1", "hlen L", "del L",
         "publish C 0"},
        integer(1)}});
}

TEST(Scripts, WriteIsGrantedOnceMoreWithTheLeaseAddedToWhatIsLeft) {
  expect_rows("write-lock.lua", {"L"}, {"30000", "A:1:write"},
              {{"free",
                {{"hget L mode", Nil{}}},
                {"hget L mode", "hset L mode write", "hset L A:1:write 1", "pexpire L 30000"},
                Nil{}},
               {"mine",
                {{"hget L mode", bulk("write")}, {"pttl L", integer(20000)}},
                {"hget L mode", "hexists L A:1:write", "hincrby L A:1:write 1", "pttl L", "pexpire L 50000"},
                Nil{}},
               {"read",
                {{"hget L mode", bulk("read")}, {"pttl L", integer(17000)}},
                {"hget L mode", "pttl L"},
                integer(17000)}});
}

TEST(Scripts, WriteUnlockBecomesAReadLockInSilenceOrTellsAllWhoWait) {
  expect_rows(
      "write-unlock.lua", {"L", "C"}, {"1", "30000", "A:1:write"},
      {{"no lock", {{"hget L mode", Nil{}}}, {"hget L mode", "publish C 1"}, integer(1)},
       {"read", {{"hget L mode", bulk("read")}}, {"hget L mode"}, Nil{}},
       {"not mine",
        {{"hget L mode", bulk("write")}, {"hexists L A:1:write", integer(0)}},
        {"hget L mode", "hexists L A:1:write"},
        Nil{}},
       {"nested",
        {{"hget L mode", bulk("write")}},
        {"hget L mode", "hexists L A:1:write", "hincrby L A:1:write -1", "pexpire L 30000"},
        integer(0)},
       {"reads on",
        {{"hget L mode", bulk("write")}, {"hincrby L A:1:write -1", integer(0)}, {"hlen L", integer(2)}},
        {"hget L mode", "hexists L A:1:write", "hincrby L A:1:write -1", "hdel L A:1:write", "hlen L",
         "hset L mode read"},
        integer(1)},
       {"the last",
        {{"hget L mode", bulk("write")}, {"hincrby L A:1:write -1", integer(0)}},
        {"hget L mode", "hexists L A:1:write", "hincrby L A:1:write -1", "hdel L A:1:write", "hlen L",
         "del L", "publish C 1"},
        integer(1)}});
}

TEST(Scripts, ForceUnlocksOfAReadWriteLockTakeItOnlyInTheirMode) {
  for (const std::string mode : {"read", "write"}) {
    expect_rows((mode + "-force-unlock.lua").c_str(), {"L", "C"}, {"0"},
                {{"held so", {{"hget L mode", mode}}, {"hget L mode", "del L", "publish C 0"}, integer(1)},
                 {"free", {{"hget L mode", Nil{}}}, {"hget L mode"}, integer(0)}});
  }
}

TEST(Scripts, UnlockWithALatchLeavesItsAnswerForACopyOfItself) {
  const std::vector<std::string_view> args{"0", "30000", "A:1", "PUBLISH", "13500"};
  expect_rows(
      "unlock-with-latch.lua", {"L", "C", "U"}, args,
      {{"a copy", {{"get U", std::string("0")}}, {"get U"}, integer(0)},
       {"not mine", {{"get U", Nil{}}, {"hexists L A:1", integer(0)}}, {"get U", "hexists L A:1"}, Nil{}},
       {"nested",
        {{"get U", Nil{}}, {"hincrby L A:1 -1", integer(1)}},
        {"get U", "hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000", "set U 0 px 13500"},
        integer(0)},
       {"the last",
        {{"get U", Nil{}}, {"hincrby L A:1 -1", integer(0)}},
        {"get U", "hexists L A:1", "hincrby L A:1 -1", "del L", "PUBLISH C 0", "set U 1 px 13500"},
        integer(1)}});
  expect_rows("spin-unlock-with-latch.lua", {"L", "U"}, {"30000", "A:1", "13500"},
              {{"a copy", {{"get U", std::string("1")}}, {"get U"}, integer(1)},
               {"nested",
                {{"get U", Nil{}}, {"hincrby L A:1 -1", integer(1)}},
                {"get U", "hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000", "set U 0 px 13500"},
                integer(0)},
               {"the last",
                {{"get U", Nil{}}, {"hincrby L A:1 -1", integer(0)}},
                {"get U", "hexists L A:1", "hincrby L A:1 -1", "del L", "set U 1 px 13500"},
                integer(1)}});
}

TEST(Scripts, RenewalOfSeveralLocksAnswersForEach) {
  expect_rows("renew-all.lua", {"L", "M"}, {"30000", "A:1", "A:2"},
              {{"one is not held",
                {{"hexists L A:1", integer(0)}},
                {"hexists L A:1", "hexists M A:2", "pexpire M 30000"},
                Reply{Reply::Array{integer(0), integer(1)}}}});
}

TEST(Scripts, CompareAndDeleteDeletesOnlyItsOwnToken) {
  expect_rows("compare-and-delete.lua", {"L"}, {"token"},
              {{"mine", {{"get L", std::string("token")}}, {"get L", "del L"}, integer(1)},
               {"another's", {{"get L", std::string("other")}}, {"get L"}, integer(0)},
               {"free", {{"get L", Nil{}}}, {"get L"}, integer(0)}});
}

TEST(Scripts, FairLockServesTheQueueInOrder) {
  const std::vector<std::string_view> keys{"L", "Q", "D"}, args{"30000", "A:1", "5000", "1700000000000"};
  expect_rows(
      "fair-lock-simplified.lua", keys, args,
      {{"free, nobody waits",
        {{"lindex Q 0", Nil{}}, {"exists L", integer(0)}, {"exists Q", integer(0)}},
        {"lindex Q 0", "exists L", "exists Q", "lpop Q", "zrem D A:1", "hset L A:1 1", "pexpire L 30000"},
        Nil{}},
       {"free, I am first",
        {{"lindex Q 0", std::string("A:1")},
         {"zscore D A:1", std::string("1700000001000")},
         {"exists L", integer(0)}},
        {"lindex Q 0", "zscore D A:1", "exists L", "exists Q", "lindex Q 0", "lpop Q", "zrem D A:1",
         "hset L A:1 1", "pexpire L 30000"},
        Nil{}},
       {"mine",
        {{"lindex Q 0", Nil{}}},
        {"lindex Q 0", "exists L", "hexists L A:1", "hincrby L A:1 1", "pexpire L 30000"},
        Nil{}},
       {"another's: I am queued with a deadline that prints as an integer",
        {{"lindex Q 0", Nil{}}, {"hexists L A:1", integer(0)}, {"pttl L", integer(20000)}},
        {"lindex Q 0", "exists L", "hexists L A:1", "pttl L", "zadd D 1700000025000 A:1", "rpush Q A:1"},
        integer(20000)}});
}

TEST(WordsRead, AreTheHighestNumbersOutsideOfCommentsAndStrings) {
  const auto read = [](std::string_view script) {
    const WordsRead words = words_read(script);
    return std::pair{words.keys, words.args};
  };
  EXPECT_EQ(read("return redis.call('get', KEYS[1], ARGV[ 3 ])"), std::pair(std::size_t{1}, std::size_t{3}));
  EXPECT_EQ(read("-- KEYS[9]\nreturn 'ARGV[7]' .. \"KEYS[8]\" .. KEYS[2]"),
            std::pair(std::size_t{2}, std::size_t{0}));
  EXPECT_EQ(read("--[==[ ARGV[4]\n]==] local a = [[KEYS[3]]] return ARGV[i]"),
            std::pair(std::size_t{0}, std::size_t{0}));
}

}  // namespace
}  // namespace lockstep::lua
