// toml_as_json.h: for tests, a scenario's text as JSON, for those who know no TOML.
#pragma once

#include <toml++/toml.h>

#include <sstream>
#include <string>
#include <string_view>

namespace lockstep::scenarios {

/// Dates are texts in it. The text must be TOML.
inline std::string toml_as_json(std::string_view text) {
  std::ostringstream out;
  out << toml::json_formatter(toml::parse(text));
  return out.str();
}

}  // namespace lockstep::scenarios
