// texts.h: the style and the script of the page, put into the program when it is built.
#pragma once

#include <span>

#include "sim/base/embedded.h"

namespace lockstep::reports {

std::span<const sim::EmbeddedFile> page_texts();

}  // namespace lockstep::reports
