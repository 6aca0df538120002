#include "model/setup/setup.h"

#include <algorithm>

#include "sim/base/verify.h"

namespace lockstep::model {

std::string resource_name(GroupId group, const std::string& key) {
  return group.value == 0 ? key : key + " on R" + std::to_string(group.value);  // no key holds ` on R`
}

std::size_t Setup::group_count() const {
  std::size_t count = 0;
  for (const NodeSetup& node : nodes) count = std::max(count, node.group.index() + 1);
  return count;
}

std::vector<const ServerKind*> Setup::server_kinds() const {
  std::vector<const ServerKind*> kinds;
  for (const NodeSetup& node : nodes)
    if (std::find(kinds.begin(), kinds.end(), node.kind) == kinds.end()) kinds.push_back(node.kind);
  if (kinds.empty()) kinds.push_back(NodeSetup{}.kind);
  return kinds;
}

bool Setup::replicates(GroupId group) const {
  return std::count_if(nodes.begin(), nodes.end(),
                       [&](const NodeSetup& node) { return node.group == group; }) > 1;
}

NodeId first_master(const Setup& setup, GroupId group) {
  for (std::size_t n = 0; n < setup.nodes.size(); ++n)
    if (setup.nodes[n].role == ServerRole::master && setup.nodes[n].group == group)
      return sim::make_id<NodeId>(n);
  UNREACHABLE("a group without a master");
  return {};
}

}  // namespace lockstep::model
