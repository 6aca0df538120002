// groups.h: properties that are asked for together, under one name.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "properties/monitors/catalog.h"

namespace lockstep::properties {

struct PropertyGroup {
  std::string_view name, says;
  sim::PropertyMask members;
};

inline constexpr std::array<PropertyGroup, 1> groups{{
    {"four-conditions",
     "one holder at a time; nobody waits for ever, whoever crashes; only the holder unlocks; servers that "
     "fail "
     "let nobody down",
     bit(Property::mutual_exclusion) | bit(Property::free_after_crash) | bit(Property::granted_in_time) |
         bit(Property::calls_return) | bit(Property::owner_only) | bit(Property::no_uncaught_exception)},
}};

/// The properties that a name stands for: one, or those of a group.
constexpr std::optional<sim::PropertyMask> find_properties(std::string_view name) {
  if (const auto property = find_property(name)) return bit(*property);
  for (const PropertyGroup& group : groups)
    if (group.name == name) return group.members;
  return std::nullopt;
}

}  // namespace lockstep::properties
