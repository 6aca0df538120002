#include "model/setup/setup.h"

#include "sim/base/verify.h"

namespace lockstep::model {

std::string resource_name(std::uint16_t group, const std::string& key) {
  return group == 0 ? key : key + " on R" + std::to_string(group);  // keys have no blanks
}

NodeId first_master(const Setup& setup, std::uint16_t group) {
  for (std::size_t n = 0; n < setup.nodes.size(); ++n)
    if (setup.nodes[n].role == redis::Role::master && setup.nodes[n].group == group)
      return sim::make_id<NodeId>(n);
  UNREACHABLE("a group without a master");
  return {};
}

}  // namespace lockstep::model
