#include "model/schemes/first_holds.h"

namespace lockstep::schemes {

std::optional<model::Truth> first_holds(std::span<const std::optional<model::Look>> groups,
                                        const model::Setup& setup, std::uint16_t object,
                                        const std::string& lock) {
  const auto& look = groups[setup.objects[object].group.index()];
  if (!look) return std::nullopt;
  const auto stored = (*look)(lock);
  if (!stored) return model::Truth{};
  return model::Truth{{{.holder = std::string(stored->items[0].second), .count = 1, .left = stored->left}},
                      {}};
}

}  // namespace lockstep::schemes
