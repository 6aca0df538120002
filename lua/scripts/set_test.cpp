// What set.toml says of the scripts beside it: their bytes, their words, and the sets that they stand in.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>

#include <toml++/toml.h>

#include "lua/scripts/embedded_scripts.h"
#include "lua/sha1.h"

namespace lockstep::lua {
namespace {

std::string_view embedded(std::string_view name) {
  for (const EmbeddedFile& file : embedded_scripts())
    if (file.name == name) return file.text;
  ADD_FAILURE() << "no file " << name;
  return {};
}

toml::table set_toml() { return toml::parse(embedded("set.toml")); }

const std::map<std::string_view, std::string> known_sha1s{
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
    {"faster-force-unlock.lua", "5ddc5013d7f47d91bf39bcede51b4041ff61792e"},
    {"faster-is-held.lua", "34bc309cc22ef31eb1ff43d2abad3b21c0ffba05"},
    {"faster-is-locked.lua", "6e5c235e667d2b6a285d84dec9e76285def17d65"},
    {"faster-lock.lua", "bd80b967ae05183074506aa802c8d50d8c058c1e"},
    {"faster-renew.lua", "01097e7124168560b143af24822da31b12cf3b51"},
    {"faster-try-lock.lua", "c273f85c31e07249c9c576f23e5d95d93951159c"},
    {"faster-unlock.lua", "03900737be643981e546998be908d74b8656f429"},
    {"fenced-expire.lua", "450d0b5758fb47ba3ccbbcfc43eac50086d04e45"},
    {"fenced-lock-token.lua", "30442685c4c57293a992e22ee2b99a7df27ee92f"},
    {"fenced-lock.lua", "077e5490b2ad0301ab484612213cbfbf71ac9cdd"},
    {"force-unlock.lua", "7f1ba71f949d5a09e9b5548c6aa10560f2ab0177"},
    {"lock-free-or-mine.lua", "4509bc1ae210c6375d5b775a5c1adddf4f35d913"},
    {"lock-hincrby.lua", "dad0f8d619e548e04f21fb48d50be5034df3adae"},
    {"lock-hset.lua", "9401052d872adfd0179ef8c8e8c028512707629a"},
    {"non-reentrant-lock.lua", "3daa7be6cf69d9309ad990442e83bf25094f9b22"},
    {"read-force-unlock.lua", "b149e0aad99dc6c9cf3e91c01c19f1c2ef37ae2c"},
    {"read-is-locked.lua", "b0939d536b9a110a79efe704b422ae6dbf1f854f"},
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
    {"fair-acquire-failed-alone.lua", "1111601c3987cf4d9ce64b48816f3359fa3925ff"},
    {"read-force-unlock-by-command.lua", "b06bd82cf554edc61667baf9ec3ec9a632e201be"},
    {"read-renew-all-astray.lua", "abfbeeab5be9d34fae5bf1f94049374ab6483f18"},
    {"read-renew-all.lua", "8d038d4a6120c39618b512bca985d7f9dd511fe4"},
    {"read-renew-lock-alone.lua", "8e19a1ddbdee9138df9f32a480c57addab4353d1"},
    {"read-renew-own.lua", "8b4b4975ad5312b8a60c2706c59f592fd4167548"},
    {"read-unlock-by-command.lua", "a827f1feca804399421b72e895d97cfcff185168"},
    {"read-unlock-latch-if-absent.lua", "63b6443a42cd5ea3cf79c1ee16a3bf88f8b0757b"},
    {"read-unlock-with-latch.lua", "ddab366e5d1c96467735cb21ba0896a4aa5e0cc6"},
    {"write-force-unlock-by-command.lua", "fe81cbfe6727b680a3d977c8a9e974f6ad20eabd"},
    {"write-unlock-by-command.lua", "2d5f7308f30b1fec4e9dffbd5aae9e90e8114d38"},
    {"write-unlock-latch-if-absent.lua", "e58bab20c069cac977f57aad26150d403bc2d0ee"},
    {"write-unlock-with-latch.lua", "60adbee5d0b29fe78112aa7d68911966378635ae"},
    {"fair-expire.lua", "6403aed24bcc97e950910531fd1acc5017ae1681"},
    {"non-reentrant-fair-lock.lua", "3ba0a6fc1ec261f3a1a55098524a597c55937745"},
    {"non-reentrant-fair-try-lock.lua", "1ba15f30b1bf1280e92c4ef93ccb2dcec313feed"},
    {"write-unlock.lua", "f7fe290b33e199d1112efdd0e6c5dbc062023a20"}};

TEST(Scripts, AreTheExactBytesThatServersKnowBySha1) {
  std::map<std::string_view, std::string> found;
  for (const EmbeddedFile& file : embedded_scripts()) {
    if (file.name != "set.toml") found[file.name] = sha1_hex(file.text);
  }
  EXPECT_EQ(found, known_sha1s);
}

// The highest i of NAME[i] in a text; of words of each lock, which stand behind those, how many are read.
int highest_index(std::string_view text, const std::string& name) {
  int highest = 0;
  std::set<std::string_view> of_each;
  for (auto at = text.find(name + "["); at != text.npos; at = text.find(name + "[", at + 1)) {
    const std::string index(text.substr(at + name.size() + 1, 2));
    if (std::isdigit(static_cast<unsigned char>(index.front())))
      highest = std::max(highest, std::stoi(index));
    else of_each.insert(text.substr(at, text.find(']', at) - at));
  }
  return highest + static_cast<int>(of_each.size());
}

TEST(Scripts, UseAsManyKeysAndArgumentsAsTheirSetTomlNames) {
  const toml::table table = set_toml();
  std::set<std::string> described;
  for (const auto& node : *table["script"].as_array()) {
    const toml::table& script = *node.as_table();
    const auto file = *script["file"].value<std::string>();
    described.insert(file);
    EXPECT_EQ(highest_index(embedded(file), "KEYS"), static_cast<int>(script["keys"].as_array()->size()))
        << file;
    EXPECT_EQ(highest_index(embedded(file), "ARGV"), static_cast<int>(script["args"].as_array()->size()))
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
    std::set<std::string> wanted{"fair-acquire-failed",
                                 "fair-expire",
                                 "fair-force-unlock",
                                 "fair-lock",
                                 "fair-try-lock",
                                 "fair-unlock",
                                 "force-unlock",
                                 "lock",
                                 "renew",
                                 "unlock",
                                 "read-force-unlock",
                                 "read-lock",
                                 "read-renew",
                                 "read-unlock",
                                 "write-force-unlock",
                                 "write-lock",
                                 "write-unlock"};
    const bool first = name.str() == "redisson@3.0.0";
    const auto of_read_write = [](const std::string& role) {
      return role.starts_with("read-") || role.starts_with("write-");
    };
    if (first) std::erase_if(wanted, of_read_write);
    if (first) std::erase_if(wanted, [](const std::string& role) { return role.starts_with("fair-"); });
    if (name.str() == "redisson@3.15.0") wanted.insert({"spin-force-unlock", "spin-unlock"});
    if (name.str() == "fair-simplified") wanted = {"fair-force-unlock", "fair-lock", "fair-unlock", "renew"};
    if (set.as_table()->get("like") == nullptr) { EXPECT_EQ(roles, wanted) << name.str(); }
  }
  EXPECT_EQ(sets, 24);
}

}  // namespace
}  // namespace lockstep::lua
