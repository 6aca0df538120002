// embedded.h: the scenarios that come with the program, as bytes inside it.
//
// scenarios/CMakeLists.txt lists them; configuring fails if a file is missing from that list. The name of a
// scenario is its path without ".toml": "plain/two-clients".
#pragma once

#include <span>
#include <string_view>

namespace lockstep::scenarios {

struct EmbeddedFile {
  std::string_view path;  // below scenarios/: "plain/two-clients.toml"
  std::string_view text;
};

/// In the order of their paths.
std::span<const EmbeddedFile> embedded_scenarios();

/// The one of this name (a trailing ".toml" is allowed), or null.
const EmbeddedFile* find_embedded_scenario(std::string_view name);

}  // namespace lockstep::scenarios
