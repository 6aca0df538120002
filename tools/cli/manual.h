// manual.h: all that `lockstep help` knows, as one page: for man, or as HTML without scripts or links to
// elsewhere.
#pragma once

#include <string>

namespace lockstep::tools {

/// A topic as help prints it: what a page leaves to tables of the model is filled in.
std::string topic_text(std::string_view page);

/// roff with the macros of man(7): every command with its options, and the exit codes.
std::string man_page();
/// Every command and every topic, each under an anchor of its name.
std::string html_manual();

}  // namespace lockstep::tools
