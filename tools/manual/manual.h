// manual.h: the manual as one man page, and as one page of HTML.
//
// Both are written from what `lockstep help` prints: the usage of each verb from its options, and the pages
// of tools/help. CommonMark (with tables) is read and rendered by cmark-gfm, behind this door.
#pragma once

#include <string>

#include "sim/base/embedded.h"

namespace lockstep::tools {

/// A page of help as it is printed: what it leaves to tables of the model is filled in.
std::string filled_page(const sim::EmbeddedFile& page);

/// lockstep(1), in roff. It holds what one looks up; the topics it names.
std::string man_page();

/// Every topic and every verb, with links to each; no network, no scripts.
std::string html_manual();

}  // namespace lockstep::tools
