#include "tools/gate/stored_trails.h"

#include "properties/monitors/all_properties.h"
#include "tools/cli/followed.h"
#include "tools/gate/sides.h"

namespace lockstep::tools {

namespace {

properties::Told told_of(const FollowedTrail& followed) {
  properties::Told strictly = properties::tell(followed.setup, followed.trail);
  if (!strictly.divergence) return strictly;
  return properties::tell(followed.setup, followed.trail, {.to = {}, .lenient = true});
}

sim::PropertyMask broken_by(const properties::Told& told, const FollowedTrail& followed) {
  const auto property = properties::find_property(followed.trail.property, followed.setup);
  return property ? told.violated & properties::bit(*property) : told.violated;
}

}  // namespace

sim::Result<StoredTrail> replay_stored(const std::string& file, const std::string& word,
                                       const std::vector<std::string>& base,
                                       const std::vector<std::string>& head) {
  Following how{.file = file, .scenario = word, .scripts = head, .lenient = true, .with_its_scripts = false};
  auto with_head = load_followed(how);
  if (!with_head) return sim::Problem{as_typed(with_head.problem(), base, head)};
  StoredTrail stored{.file = file, .word = word.empty() ? with_head->trail.scenario : word};
  stored.told = told_of(*with_head);
  stored.head_breaks = broken_by(stored.told, *with_head);
  stored.head = std::move(with_head->setup);
  how.scripts = base;
  const auto with_base = load_followed(how);
  if (with_base) stored.base_breaks = broken_by(told_of(*with_base), *with_base);
  else stored.no_base = as_typed(with_base.problem(), base, head);
  return stored;
}

}  // namespace lockstep::tools
