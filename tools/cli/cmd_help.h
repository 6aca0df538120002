// cmd_help.h: `lockstep help [TOPIC]` prints the usage, a verb's help, or one of the pages in tools/help.
#pragma once

#include <string>

#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class HelpForm { text, man, html };

struct HelpOptions {
  std::string topic;  // a verb or a topic; empty: the usage
  HelpForm as = HelpForm::text;  // man, html: all that there is
};

ExitCode run_help(const HelpOptions& options, Session& session);
Verb help_verb();

}  // namespace lockstep::tools
