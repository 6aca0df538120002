// [resource.NAME].
#include <fmt/format.h>

#include <algorithm>

#include "model/client/lock_kind.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::LockObject;

void read_resources(TomlReading& reading, const toml::table& table, model::Setup& setup) {
  const auto& kinds = setup.kinds;
  std::vector<std::string> names;
  for (const LockObject& object : setup.objects)
    if (kinds[object.kind]->server != nullptr) names.push_back(object.name);
  for (auto&& [key, node] : table) {
    const std::string name(key.str());
    const std::string where = fmt::format("[resource.{}]", name);
    const toml::table* its = node.as_table();
    if (its == nullptr) {
      reading.wants(node, name, "a table, such as `fenced = true`");
      continue;
    }
    const auto object = std::find_if(setup.objects.begin(), setup.objects.end(), [&](const LockObject& one) {
      return kinds[one.kind]->server != nullptr && one.name == name;
    });
    if (object == setup.objects.end()) {
      reading.fail(reading.place_of(key), fmt::format("no program writes to `{}`", name),
                   did_you_mean(name, names));
      continue;
    }
    reading.only(*its, where, {"fenced"});
    object->fenced = reading.boolean(*its, "fenced").value_or(false);
  }
}

}  // namespace lockstep::scenarios
