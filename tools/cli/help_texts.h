// help_texts.h: the pages of tools/help, embedded when the program is built.
#pragma once

#include "sim/base/embedded.h"

namespace lockstep::tools {

/// In the order in which they are to be read.
std::span<const sim::EmbeddedFile> help_texts();

/// What `lockstep help` calls the page: its name without .md.
inline std::string_view topic_of(const sim::EmbeddedFile& page) {
  return page.name.substr(0, page.name.rfind('.'));
}

}  // namespace lockstep::tools
