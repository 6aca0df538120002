#include "tools/cli/cmd_help.h"

#include <vector>

#include "tools/cli/command_line.h"
#include "tools/cli/help_texts.h"
#include "tools/cli/output.h"
#include "tools/cli/suggest.h"
#include "tools/manual/manual.h"
#include "tools/manual/scenario_schema.h"

namespace lockstep::tools {

ExitCode run_help(const HelpOptions& options, Session& session) {
  std::string text;
  std::vector<std::string> known;
  if (options.topic.empty()) text = usage();
  if (options.form == HelpForm::man) text = man_page();
  if (options.form == HelpForm::html) text = html_manual();
  for (const Verb& verb : verbs()) {
    known.emplace_back(verb.name);
    if (verb.name == options.topic) text = verb_help(verb);
  }
  for (const sim::EmbeddedFile& page : help_texts()) {
    known.emplace_back(topic_of(page));
    if (topic_of(page) == options.topic) text = filled_page(page);
  }
  known.emplace_back("schema");
  if (options.topic == "schema") text = scenario_schema();
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
  grammar.choice<HelpForm>("--as", o.form, {{"man", HelpForm::man}, {"html", HelpForm::html}},
                           "print the whole manual as a man page or as one page of HTML");
}

std::string complaint_of_help(const HelpOptions& o) {
  return o.form != HelpForm::text && !o.topic.empty() ? "--as prints the whole manual and takes no TOPIC"
                                                      : "";
}

}  // namespace

Verb help_verb() {
  return {.name = "help",
          .summary = "explain a command or a topic",
          .usage = "[TOPIC]",
          .examples = {"lockstep help scenario", "lockstep help exit-codes",
                       "lockstep help --as html -o manual.html"},
          .required = {},
          .request = requests<HelpOptions>({declare_help, run_help, complaint_of_help})};
}

}  // namespace lockstep::tools
