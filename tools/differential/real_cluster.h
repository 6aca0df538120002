// real_cluster.h: a real node of a Redis Cluster whose wall clock we set, and one other node that it knows.
//
// Five keys stand for what a slot can be to the node: its own, on its way to the other node, the other's, on
// its way from the other node, nobody's. All other slots are its own. The cluster needs no full coverage, and
// no node ever fails, whatever the clock says.
#pragma once

#include <array>
#include <string_view>

#include "model/redis/cluster/map.h"
#include "tools/differential/real_process.h"
#include "tools/differential/real_server.h"

namespace lockstep::differential {

struct SlotTags {
  std::string_view own = "own", leaving = "leaving", others = "others", coming = "coming", nobodys = "nobody";
  std::array<std::string_view, 5> all() const { return {own, leaving, others, coming, nobodys}; }
};
inline constexpr SlotTags slot_tags;

class RealClusterNode {
 public:
  RealClusterNode();

  RealServer& server() { return server_; }
  /// Empty if both nodes are there and agree; otherwise one sentence that says why not.
  const std::string& problem() const { return problem_; }
  /// What the node believes now.
  redis::cluster::Map map();

 private:
  void meet();
  bool agrees();
  std::string ask_other(const std::string& commands) { return ask(folder_, ports_[1], commands); }

  Folder folder_;
  std::vector<std::uint16_t> ports_;
  RealServer server_;
  RealProcess other_;
  std::string problem_;
};

}  // namespace lockstep::differential
