#include "tools/differential/real_map.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "tools/differential/real_process.h"

namespace lockstep::differential {

using namespace redis::cluster;
using sim::Duration;

namespace {

void read_address(const std::string& word, Address& address) {
  const std::size_t at = word.find('@'), colon = word.rfind(':', at);
  address = {word.substr(0, colon), static_cast<std::uint16_t>(std::stoul(word.substr(colon + 1))),
             static_cast<std::uint16_t>(std::stoul(word.substr(at + 1)))};
}

Member member_of(const std::vector<std::string>& words) {
  Member member;
  read_address(words[1], member.address);
  if (words[2].find("slave") != std::string::npos) member.kind = Kind::replica;
  if (words[2].find("fail?") != std::string::npos) member.health = Health::pfail;
  else if (words[2].find("fail") != std::string::npos) member.health = Health::fail;
  if (words[3] != "-") member.master = words[3];
  if (words[4] != "0") member.since_ping = Duration(-std::stoll(words[4]));  // as at the moment 0
  if (words[5] != "0") member.since_pong = Duration(-std::stoll(words[5]));
  member.config_epoch = std::stoull(words[6]);
  member.linked = words[7] == "connected";
  return member;
}

/// "93", "100-200", or a slot on its way: "[93->-name]", "[77-<-name]".
void read_slots(const std::string& word, Map& map, Member& member) {
  const std::size_t dash = word.find('-');
  if (word[0] == '[') {
    const auto slot = static_cast<Slot>(std::stoul(word.substr(1)));
    const std::string other = word.substr(dash + 3, word.size() - dash - 4);
    (word[dash + 1] == '>' ? map.migrating : map.importing)[slot] = other;
    return;
  }
  const auto first = static_cast<Slot>(std::stoul(word));
  const bool single = dash == std::string::npos;
  member.slots.insert({first, single ? first : static_cast<Slot>(std::stoul(word.substr(dash + 1)))});
}

void read_offsets(const std::string& shards, Map& map) {
  const std::vector<std::string> words = lines_of(shards);
  std::string name;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "id") name = words[i + 1];
    if (words[i] == "replication-offset") map.members[name].offset = std::stoull(words[i + 1]);
  }
}

}  // namespace

Map map_of(const std::string& nodes, const std::string& shards) {
  Map map;
  for (const std::string& line : lines_of(nodes)) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.size() < 8) continue;
    Member& member = map.members[words[0]] = member_of(words);
    for (std::size_t i = 8; i < words.size(); ++i) read_slots(words[i], map, member);
    if (words[2].find("myself") != std::string::npos) map.myself = words[0];
    map.current_epoch = std::max(map.current_epoch, member.config_epoch);
  }
  read_offsets(shards, map);
  return map;
}

}  // namespace lockstep::differential
