// help_texts.h: the pages of tools/help, embedded when the program is built.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::tools {

struct HelpText {
  std::string_view topic;  // the file's name without .md
  std::string_view text;
};

/// In the order in which tools/CMakeLists.txt lists the pages.
std::span<const HelpText> help_texts();

}  // namespace lockstep::tools
