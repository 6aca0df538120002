#include "tools/cli/cmd_help.h"

#include <vector>

#include "model/world/faults/table.h"
#include "model/world/moves_help.h"
#include "tools/cli/command_line.h"
#include "tools/cli/help_texts.h"
#include "tools/cli/output.h"
#include "tools/cli/suggest.h"

namespace lockstep::tools {

namespace {

/// What a page leaves to tables of the model.
std::string filled(std::string_view page) {
  const std::pair<std::string_view, std::string> tables[] = {{"{faults}\n", model::faults_help({})},
                                                             {"{moves}\n", model::moves_help({})}};
  std::string text(page);
  for (const auto& [mark, table] : tables)
    if (const std::size_t at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), table);
  return text;
}

}  // namespace

ExitCode run_help(const HelpOptions& options, Session& session) {
  std::string text;
  std::vector<std::string> known;
  if (options.topic.empty()) text = usage();
  for (const Verb& verb : verbs()) {
    known.emplace_back(verb.name);
    if (verb.name == options.topic) text = verb_help(verb);
  }
  for (const sim::EmbeddedFile& page : help_texts()) {
    known.emplace_back(topic_of(page));
    if (topic_of(page) == options.topic) text = filled(page.text);
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

namespace {

void declare_help(Grammar& grammar, HelpOptions& o) {
  grammar.word("TOPIC", o.topic, "a command or a topic");
}

}  // namespace

Verb help_verb() {
  return {.name = "help",
          .summary = "explain a command or a topic",
          .usage = "[TOPIC]",
          .examples = {"lockstep help scenario", "lockstep help exit-codes"},
          .required = {},
          .request = requests<HelpOptions>({declare_help, run_help})};
}

}  // namespace lockstep::tools
