// taken_over.h: the text of another scenario to begin with, under a name of its own.
//
// Comments, order and spacing stay as they are: only the name is another one. What the text names beside it,
// scripts or a file that it includes, it names from where it stands.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::tools {

/// The text must be a scenario, as TOML or as JSON.
std::string taken_over(std::string_view text, const std::string& name);

}  // namespace lockstep::tools
