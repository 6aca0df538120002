// moves_help.h: all moves that there are, as `lockstep help trail` shows them.
#pragma once

#include <string>

#include "model/setup/setup.h"

namespace lockstep::model {

/// One line for each: its text, with letters for what it befalls (verbs.h), and what it does.
std::string moves_help(const Setup& setup);

}  // namespace lockstep::model
