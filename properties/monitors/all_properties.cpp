#include "properties/monitors/all_properties.h"

#include <algorithm>

namespace lockstep::properties {

namespace {

using model::PredicateKind;

bool is_witness(const model::Predicate& predicate) { return predicate.kind == PredicateKind::sometimes; }

}  // namespace

PropertyInfo info(Property property, const model::Setup& setup) {
  if (!is_own(property)) return info(property);
  const model::Predicate& own = setup.predicates[static_cast<std::size_t>(property) - catalog.size()];
  return {property, own.name, own.lua, Witness::answered, own.kind == PredicateKind::eventually};
}

std::vector<PropertyInfo> all_properties(const model::Setup& setup) {
  std::vector<PropertyInfo> all(catalog.begin(), catalog.end());
  for (std::size_t i = 0; i < setup.predicates.size(); ++i)
    if (!is_witness(setup.predicates[i])) all.push_back(info(own_property(i), setup));
  return all;
}

std::optional<Property> find_property(std::string_view name, const model::Setup& setup) {
  for (const PropertyInfo& one : all_properties(setup))
    if (one.name == name) return one.property;
  return std::nullopt;
}

sim::WitnessMask own_witness(const model::Setup& setup, std::size_t predicate) {
  const auto before = std::count_if(setup.predicates.begin(),
                                    setup.predicates.begin() + static_cast<std::ptrdiff_t>(predicate),
                                    is_witness);
  return sim::WitnessMask{1} << (witness_names.size() + static_cast<std::size_t>(before));
}

std::vector<Wanted> wanted_witnesses(const model::Setup& setup) {
  std::vector<Wanted> wanted;
  for (const std::string& name : setup.sometimes) wanted.push_back({name, bit(*find_witness(name))});
  for (std::size_t i = 0; i < setup.predicates.size(); ++i)
    if (is_witness(setup.predicates[i])) wanted.push_back({setup.predicates[i].name, own_witness(setup, i)});
  return wanted;
}

}  // namespace lockstep::properties
