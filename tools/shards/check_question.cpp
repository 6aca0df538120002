#include "tools/shards/check_question.h"

#include <fmt/format.h>

#include "properties/monitors/all_properties.h"
#include "properties/monitors/groups.h"
#include "scenarios/format/reader.h"

namespace lockstep::tools {

sim::Result<sim::PropertyMask> watched_properties(const std::vector<std::string>& names,
                                                  const model::Setup& setup) {
  if (names.empty()) return properties::all_usual;
  sim::PropertyMask watched = 0;
  for (const std::string& name : names) {
    const auto own = properties::find_property(name, setup);
    const auto group = properties::find_properties(name);
    if (!own && !group)
      return sim::Problem{
          fmt::format("there is no property `{}`; `lockstep list properties` shows them", name)};
    if (own == properties::Property::busy_poll && !setup.poll_bound)
      return sim::Problem{std::string(scenarios::busy_poll_has_no_bound)};
    watched |= own ? properties::bit(*own) : *group;
  }
  return watched;
}

}  // namespace lockstep::tools
