#include "model/client/redirects.h"

#include <string_view>

namespace lockstep::model {

bool asks_there(const Reply& reply) {
  return reply.error() != nullptr && reply.error()->text.starts_with("ASK ");
}

std::optional<NodeId> redirected_to(const Reply& reply, const Setup& setup) {
  if (setup.topology != Topology::cluster || reply.error() == nullptr) return std::nullopt;
  std::string_view text = reply.error()->text;
  if (!text.starts_with("MOVED ") && !asks_there(reply)) return std::nullopt;
  text.remove_prefix(text.rfind(' ') + 1);
  const std::string_view name = text.substr(0, text.rfind(':'));
  for (std::size_t n = 0; n < setup.nodes.size(); ++n)
    if (setup.nodes[n].name == name) return sim::make_id<NodeId>(n);
  return std::nullopt;
}

}  // namespace lockstep::model
