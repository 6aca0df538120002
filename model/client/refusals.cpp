#include "model/client/refusals.h"

#include <algorithm>
#include <array>

namespace lockstep::model {

namespace {

constexpr std::array rows{
    Refusal{"LOADING", "the server reads its data"},
    Refusal{"READONLY", "it is a replica, perhaps since a moment ago"},
    Refusal{"MASTERDOWN", "it is a replica that has lost its master"},
    Refusal{"NOREPLICAS", "too few replicas follow it"},
    Refusal{"CLUSTERDOWN", "its cluster serves not all slots"},
    Refusal{"TRYAGAIN", "the keys are on their way to another node"},
    Refusal{"BUSY", "a script keeps it busy"},
    Refusal{"WAIT", "what was written is not on its replicas"},
};

}  // namespace

std::span<const Refusal> refusals() { return rows; }

bool is_refused_for_now(const Reply& reply) {
  if (reply.error() == nullptr) return false;
  const std::string_view text = reply.error()->text;
  return std::any_of(rows.begin(), rows.end(), [&](const Refusal& refusal) {
    return text.starts_with(refusal.word) &&
           (text.size() == refusal.word.size() || text[refusal.word.size()] == ' ');
  });
}

}  // namespace lockstep::model
