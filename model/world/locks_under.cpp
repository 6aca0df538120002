#include "model/world/locks_under.h"

#include <algorithm>

#include "model/client/lock_kind.h"

namespace lockstep::model {

std::vector<Lying> locks_under(const std::string& key, GroupId group, const Setup& setup) {
  std::vector<Lying> found;
  for (std::uint16_t o = 0; o < setup.objects.size(); ++o) {
    const LockObject& object = setup.objects[o];
    if (!kind_of(setup, o).is_lock() || !object.locks.empty() || !lies_on(setup, o, group)) continue;
    const bool its = object.fresh ? key.starts_with(object.name + "#") : key == key_of(object);
    if (!its) continue;
    if (object.key.empty()) return {{o, key}};
    if (std::none_of(found.begin(), found.end(), [&](const Lying& one) { return one.lock == object.name; }))
      found.push_back({o, object.name});
  }
  return found;
}

}  // namespace lockstep::model
