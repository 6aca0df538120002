#include "tools/cli/cmd_help.h"

#include <algorithm>
#include <vector>

#include "model/world/faults/table.h"
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

/// What a page leaves to tables of the model.
std::string filled(std::string_view page) {
  constexpr std::string_view faults = "{faults}\n";
  std::string text(page);
  if (const std::size_t at = text.find(faults); at != std::string::npos)
    text.replace(at, faults.size(), model::faults_help({}));
  return text;
}

}  // namespace

ExitCode run_help(const HelpOptions& options, Session& session) {
  std::string text;
  std::vector<std::string> known = session.offered;
  if (options.topic.empty()) text = usage(session.offered);
  if (is_offered(session, options.topic)) text = verb_help(*find_verb(options.topic));
  for (const HelpText& page : help_texts()) {
    known.emplace_back(page.topic);
    if (page.topic == options.topic) text = filled(page.text);
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
