#include "tools/cli/cmd_help.h"

#include <algorithm>
#include <vector>

#include "tools/cli/command_line.h"
#include "tools/cli/grammar.h"
#include "tools/cli/help_texts.h"
#include "tools/cli/output.h"
#include "tools/cli/suggest.h"

namespace lockstep::tools {

namespace {

bool is_offered(const Session& session, const std::string& verb) {
  return std::find(session.offered.begin(), session.offered.end(), verb) != session.offered.end();
}

}  // namespace

ExitCode run_help(const HelpOptions& options, Session& session) {
  std::string text;
  std::vector<std::string> known = session.offered;
  if (options.topic.empty()) text = usage(session.offered);
  if (is_offered(session, options.topic)) text = verb_help(*find_verb(options.topic));
  for (const sim::EmbeddedFile& page : help_texts()) {
    known.emplace_back(topic_of(page));
    if (topic_of(page) == options.topic) text = page.text;
  }
  if (text.empty()) {
    session.console.err << "lockstep help: there is no topic `" << options.topic << "`"
                        << did_you_mean(options.topic, known) << "\n";
    return ExitCode::usage;
  }
  if (const auto problem = deliver(session.global.out_file, text, session.console.out)) {
    session.console.err << "lockstep help: " << problem->text << "\n";
    return ExitCode::usage;
  }
  return ExitCode::as_expected;
}

}  // namespace lockstep::tools
