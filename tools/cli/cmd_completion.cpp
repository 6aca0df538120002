#include "tools/cli/cmd_completion.h"

#include <fmt/format.h>

#include "tools/cli/command_line.h"
#include "tools/cli/help_texts.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

/// A text in single quotes, as all three shells read it back; ours hold no quotes but these.
std::string in_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("’") : std::string(1, c);
  return quoted + "'";
}

std::vector<OfferedOption> all_options(const Verb& verb) {
  std::vector<OfferedOption> options = options_of(&verb);
  for (OfferedOption& one : options_of(nullptr)) options.push_back(std::move(one));
  return options;
}

std::string option_words(const Verb& verb) {
  std::string words;
  for (const OfferedOption& one : all_options(verb))
    for (const std::string& name : one.names) words += (words.empty() ? "" : " ") + name;
  return words;
}

std::string verb_words() {
  std::string words;
  for (const Verb& verb : verbs()) words += fmt::format("{}{}", words.empty() ? "" : " ", verb.name);
  return words;
}

std::string topic_words() {
  std::string words = verb_words();
  for (const sim::EmbeddedFile& page : help_texts()) words += fmt::format(" {}", topic_of(page));
  return words;
}

/// `VERB:OPTION` of each option that takes one of a few words, with them.
std::string choice_cases() {
  std::string cases;
  for (const Verb& verb : verbs())
    for (const OfferedOption& one : all_options(verb))
      for (const std::string& name : one.names)
        if (!one.choices.empty())
          cases += fmt::format("    {}:{}) words='{}' ;;\n", verb.name, name, fmt::join(one.choices, " "));
  return cases;
}

/// What can be the first word behind a verb, where that is one of a few words or the name of a scenario.
std::string positional_cases() {
  std::string cases;
  for (const Verb& verb : verbs()) {
    for (const OfferedOption& one : options_of(&verb)) {
      if (!one.names.empty()) continue;
      if (!one.choices.empty())
        cases += fmt::format("    {}) words='{}' ;;\n", verb.name, fmt::join(one.choices, " "));
      else if (verb.name != "help" && verb.usage.find("SCENARIO") != std::string_view::npos)
        cases += fmt::format("    {}) words=$(lockstep list scenarios 2>/dev/null | cut -d' ' -f1) ;;\n",
                             verb.name);
      break;
    }
  }
  return cases + fmt::format("    help) words='{}' ;;\n", topic_words());
}

std::string option_cases() {
  std::string cases;
  for (const Verb& verb : verbs())
    cases += fmt::format("    {}) words='{}' ;;\n", verb.name, option_words(verb));
  return cases;
}

/// The words that fit, as a function of bash and zsh: of the verb, the word before, and the one begun.
std::string words_function() {
  return fmt::format(
      "_lockstep_words() {{\n"
      "  local words=''\n"
      "  case \"$1:$2\" in\n{}  esac\n"
      "  if [ -z \"$words\" ]; then case \"$3\" in\n"
      "  -*) case \"$1\" in\n{}  esac ;;\n"
      "  *) case \"$1\" in\n    '') words='{}' ;;\n{}  esac ;;\n"
      "  esac; fi\n"
      "  printf '%s' \"$words\"\n"
      "}}\n",
      choice_cases(), option_cases(), verb_words(), positional_cases());
}

std::string for_bash() {
  return "# Completion of lockstep for bash; `lockstep completion bash` writes it.\n" + words_function() +
         "_lockstep() {\n"
         "  local verb=''\n"
         "  [ \"$COMP_CWORD\" -gt 1 ] && verb=${COMP_WORDS[1]}\n"
         "  local begun=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  COMPREPLY=($(compgen -W \"$(_lockstep_words \"$verb\" \"$before\" \"$begun\")\" -- \"$begun\"))\n"
         "}\n"
         "complete -o default -F _lockstep lockstep\n";
}

std::string for_zsh() {
  return "#compdef lockstep\n# Completion of lockstep for zsh; `lockstep completion zsh` writes it.\n" +
         words_function() +
         "_lockstep() {\n"
         "  local verb=''\n"
         "  (( CURRENT > 2 )) && verb=${words[2]}\n"
         "  local before=${words[CURRENT-1]} begun=${words[CURRENT]}\n"
         "  local -a fitting\n"
         "  fitting=(${=\"$(_lockstep_words \"$verb\" \"$before\" \"$begun\")\"})\n"
         "  compadd -- $fitting\n"
         "  [[ $begun == -* || -z $verb ]] || _files\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _lockstep ]; then _lockstep; else compdef _lockstep lockstep; fi\n";
}

std::string for_fish() {
  std::string text = "# Completion of lockstep for fish; `lockstep completion fish` writes it.\n";
  for (const Verb& verb : verbs()) {
    text += fmt::format("complete -c lockstep -n __fish_use_subcommand -f -a {} -d {}\n", verb.name,
                        in_quotes(verb.summary));
    for (const OfferedOption& one : all_options(verb)) {
      if (one.names.empty()) continue;
      text += fmt::format("complete -c lockstep -n '__fish_seen_subcommand_from {}'", verb.name);
      for (const std::string& name : one.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!one.choices.empty()) text += fmt::format(" -x -a '{}'", fmt::join(one.choices, " "));
      else if (!one.value.empty()) text += " -r";
      text += " -d " + in_quotes(one.about) + "\n";
    }
  }
  return text + fmt::format("complete -c lockstep -n '__fish_seen_subcommand_from help' -f -a '{}'\n",
                            topic_words());
}

ExitCode run_completion(const CompletionOptions& options, Session& session) {
  session.console.out << completion(options.shell);
  return ExitCode::as_expected;
}

void declare_completion(Grammar& grammar, CompletionOptions& o) {
  grammar.choice<Shell>("SHELL", o.shell,
                        {{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}},
                        "which shell is to complete");
}

}  // namespace

std::string completion(Shell shell) {
  switch (shell) {
    case Shell::bash: return for_bash();
    case Shell::zsh: return for_zsh();
    case Shell::fish: break;
  }
  return for_fish();
}

Verb completion_verb() {
  return {.name = "completion",
          .summary = "make a shell complete commands and options",
          .usage = "bash|zsh|fish",
          .examples = {"lockstep completion bash"},
          .required = {"SHELL"},
          .request = requests<CompletionOptions>({declare_completion, to_output<run_completion>})};
}

}  // namespace lockstep::tools
