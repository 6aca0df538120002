// type_name.h: the name of a type as it is written, without its namespaces: "Parked". For people; nothing that is
// compared or stored depends on it.
#pragma once

#include <string_view>

namespace lockstep::sim {

template <class T>
constexpr std::string_view type_name() {
  // "… [with T = lockstep::redisson::{anonymous}::Parked; …]", or "… [T = lockstep::redisson::Parked]"
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find("T = ") + 4);
  name = name.substr(0, name.find_first_of(";]"));
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

}  // namespace lockstep::sim
