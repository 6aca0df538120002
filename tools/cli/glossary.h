// glossary.h: what the words of the scenario language mean, in a few words each, for `lockstep list`.
//
// The words themselves belong to other folders; a test holds that each of them is explained here.
#pragma once

#include <string_view>

namespace lockstep::tools {

// Each answers nothing for a word that it does not know.
std::string_view about_witness(std::string_view word);
std::string_view about_step(std::string_view word);
std::string_view about_role(std::string_view word);

}  // namespace lockstep::tools
