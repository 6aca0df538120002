// all_properties.h: the properties of a scenario: those of the catalogue, and those that it brings along.
//
// Its own have the bits behind the catalogue's, in the order of Setup::predicates. One of kind `sometimes` is
// no property but a witness that must be seen; its bit lies behind those that the program knows, and the bits
// of fixed faults count down from the top (witness.h). The infos point into the setup, which must outlive
// them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/setup/setup.h"
#include "properties/monitors/catalog.h"

namespace lockstep::properties {

/// A scenario may have so many predicates, and so many of them of kind `sometimes`.
inline constexpr std::size_t predicates_max = 16;
inline constexpr std::size_t sometimes_max = 4;

constexpr Property own_property(std::size_t predicate) {
  return static_cast<Property>(catalog.size() + predicate);
}
constexpr bool is_own(Property property) { return static_cast<std::size_t>(property) >= catalog.size(); }

std::vector<PropertyInfo> all_properties(const model::Setup& setup);
PropertyInfo info(Property property, const model::Setup& setup);
inline std::string name_of(Property property, const model::Setup& setup) {
  return std::string(info(property, setup).name);
}
std::optional<Property> find_property(std::string_view name, const model::Setup& setup);

/// Of a predicate of kind `sometimes`.
sim::WitnessMask own_witness(const model::Setup& setup, std::size_t predicate);

/// What must be seen: what `sometimes` names, and its own.
struct Wanted {
  std::string name;
  sim::WitnessMask bit = 0;
};
std::vector<Wanted> wanted_witnesses(const model::Setup& setup);

}  // namespace lockstep::properties
