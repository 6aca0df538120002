#include "tools/cli/cmd_help.h"

#include <vector>

#include "tools/cli/command_line.h"
#include "tools/cli/help_texts.h"
#include "tools/cli/manual.h"
#include "tools/cli/output.h"
#include "tools/cli/suggest.h"

namespace lockstep::tools {

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
    if (topic_of(page) == options.topic) text = topic_text(page.text);
  }
  if (options.as == HelpForm::man) text = man_page();
  if (options.as == HelpForm::html) text = html_manual();
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
  grammar.choice<HelpForm>("--as", o.as, {{"man", HelpForm::man}, {"html", HelpForm::html}},
                           "write all commands as a page for man, or all that help knows as HTML");
}

std::string complaint_about_help(const HelpOptions& options) {
  if (options.as == HelpForm::text || options.topic.empty()) return "";
  return "--as writes all; it takes no topic";
}

}  // namespace

Verb help_verb() {
  return {.name = "help",
          .summary = "explain a command or a topic",
          .usage = "[TOPIC]",
          .examples = {"lockstep help scenario", "lockstep help exit-codes"},
          .required = {},
          .request = requests<HelpOptions>({declare_help, run_help, complaint_about_help})};
}

}  // namespace lockstep::tools
