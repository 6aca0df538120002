#include "tools/manual/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/text/text.h"
#include "scenarios/embedded.h"
#include "tools/cli/command_line.h"
#include "tools/cli/help_texts.h"

namespace lockstep::tools {

namespace {

using Words = std::vector<std::string>;

Words verb_names() {
  Words names;
  for (const Verb& verb : verbs()) names.emplace_back(verb.name);
  return names;
}

/// "bfs|random|pct" names words; "FILE" says what kind of word is wanted.
Words words_of(const ShownOption& option) {
  Words words;
  const std::string& text = option.value;
  if (text.find('|') == text.npos) return words;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find('|', from), text.size());
    words.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return words;
}

/// What may stand where a positional is wanted, beside files.
Words words_for_positional(const ShownOption& option) {
  Words words = words_of(option);
  const std::string& name = option.names.front();
  if (name == "TOPIC") {
    words = verb_names();
    for (const sim::EmbeddedFile& page : help_texts()) words.emplace_back(topic_of(page));
  }
  if (name.starts_with("SCENARIO") || name == "FILE")
    for (const sim::EmbeddedFile& each : scenarios::embedded_scenarios())
      words.emplace_back(each.name.substr(0, each.name.rfind('.')));
  return words;
}

bool wants_file(const ShownOption& option) { return words_of(option).empty() && option.value != "N"; }

std::string line_of(const Words& words) { return fmt::format("{}", fmt::join(words, " ")); }

// ---- bash

/// "check:--strategy" when that word stands before the one to complete.
std::string bash_values(const std::string& verb, const std::vector<ShownOption>& options) {
  std::string cases;
  for (const ShownOption& option : options) {
    if (option.positional() || option.value.empty()) continue;
    Words patterns;
    for (const std::string& name : option.names) patterns.push_back(verb + ":" + name);
    const Words words = words_of(option);
    const std::string what =
        words.empty() ? (wants_file(option) ? "files=1" : ":") : fmt::format("words='{}'", line_of(words));
    cases += fmt::format("    {}) {} ;;\n", fmt::join(patterns, "|"), what);
  }
  return cases;
}

std::string bash_verb(const Verb& verb) {
  Words options, words;
  for (const ShownOption& option : options_of(verb)) {
    if (!option.positional()) {
      options.insert(options.end(), option.names.begin(), option.names.end());
    } else {
      for (const std::string& word : words_for_positional(option)) words.push_back(word);
    }
  }
  return fmt::format("        {}) options='{}' words='{}' ;;\n", verb.name, line_of(options), line_of(words));
}

std::string for_bash() {
  std::string values = bash_values("*", options_of_every_verb()), rest;
  Words every;
  for (const ShownOption& option : options_of_every_verb())
    every.insert(every.end(), option.names.begin(), option.names.end());
  for (const Verb& verb : verbs()) {
    values = bash_values(std::string(verb.name), options_of(verb)) + values;
    rest += bash_verb(verb);
  }
  return fmt::format(R"(# bash completion for lockstep
_lockstep() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local verb= options= words= files= at
  if [[ $word == '=' ]]; then word=; fi
  if [[ $before == '=' ]]; then before=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  for ((at = 1; at < COMP_CWORD; ++at)); do
    case ${{COMP_WORDS[at]}} in
      {}) verb=${{COMP_WORDS[at]}}; break ;;
    esac
  done
  case $verb:$before in
{}    *)
      case $verb in
{}        *) words='{}' ;;
      esac
      [[ $word == -* ]] && words="$options {}"
      [[ -n $verb && $word != -* ]] && files=1 ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ -n $files ]] && COMPREPLY+=($(compgen -f -- "$word"))
}}
complete -o filenames -F _lockstep lockstep
)",
                     fmt::join(verb_names(), "|"), values, rest, line_of(verb_names()), line_of(every));
}

// ---- zsh

/// A text inside brackets or behind a colon of a specification.
std::string in_zsh(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_value(const ShownOption& option) {
  const Words words = words_of(option);
  if (!words.empty()) return fmt::format(":value:({})", line_of(words));
  return fmt::format(":{}:{}", in_zsh(option.value), wants_file(option) ? "_files" : "");
}

/// One of several names excludes the others; what takes a value may be given again.
std::string zsh_option(const ShownOption& option) {
  const std::string before = option.names.size() > 1 ? fmt::format("({})", line_of(option.names))
                             : option.value.empty()  ? ""
                                                     : "*";
  const std::string value = option.value.empty() ? "" : zsh_value(option);
  std::string out;
  for (const std::string& name : option.names)
    out += " \\\n        " +
           reports::shell_word(fmt::format("{}{}[{}]{}", before, name, in_zsh(option.about), value));
  return out;
}

std::string zsh_verb(const Verb& verb) {
  std::string out = fmt::format("      {})\n        _arguments -s", verb.name);
  for (const auto& options : {options_of(verb), options_of_every_verb()})
    for (const ShownOption& option : options) {
      if (!option.positional()) {
        out += zsh_option(option);
        continue;
      }
      const std::string& name = option.names.front();
      const Words words = words_for_positional(option);
      const std::string action = name == "SCENARIO" || name == "FILE" ? "_lockstep_scenarios"
                                 : words.empty()                      ? "_files"
                                                                      : "(" + line_of(words) + ")";
      out += " \\\n        " + reports::shell_word(fmt::format("*:{}:{}", in_zsh(option.about), action));
    }
  return out + " ;;\n";
}

std::string for_zsh() {
  std::string summaries, rest, scenarios;
  for (const Verb& verb : verbs()) {
    summaries += fmt::format("    {}\n", reports::shell_word(fmt::format("{}:{}", verb.name, verb.summary)));
    rest += zsh_verb(verb);
  }
  for (const std::string& name : words_for_positional({{"SCENARIO"}, "", ""}))
    scenarios += fmt::format("    {}\n", reports::shell_word(name));
  return fmt::format(R"(#compdef lockstep
_lockstep_scenarios() {{
  local -a scenarios
  scenarios=(
{}  )
  _alternative 'files:file:_files' 'scenarios:scenario:compadd -a scenarios'
}}

_lockstep() {{
  local -a verbs
  local state line
  typeset -A opt_args
  verbs=(
{}  )
  _arguments -C '1: :->verb' '*:: :->rest'
  case $state in
    verb) _describe command verbs ;;
    rest)
      case $words[1] in
{}      esac ;;
  esac
}}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _lockstep "$@"
else
  compdef _lockstep lockstep
fi
)",
                     scenarios, summaries, rest);
}

// ---- fish

std::string fish_option(const std::string& condition, const ShownOption& option) {
  std::string out = "complete -c lockstep" + condition;
  for (const std::string& name : option.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const Words words = words_of(option);
  if (!words.empty()) {
    out += " -x -a " + reports::shell_word(line_of(words));
  } else if (!option.value.empty()) {
    out += wants_file(option) ? " -r -F" : " -x";
  }
  return out + " -d " + reports::shell_word(option.about) + "\n";
}

std::string for_fish() {
  std::string out = "# fish completion for lockstep\ncomplete -c lockstep -n __fish_use_subcommand -f\n";
  for (const Verb& verb : verbs()) {
    out += fmt::format("complete -c lockstep -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                       reports::shell_word(std::string(verb.summary)));
    const std::string behind = fmt::format(" -n '__fish_seen_subcommand_from {}'", verb.name);
    for (const ShownOption& option : options_of(verb)) {
      if (!option.positional()) {
        out += fish_option(behind, option);
        continue;
      }
      const Words words = words_for_positional(option);
      if (!words.empty())
        out += "complete -c lockstep" + behind + " -a " + reports::shell_word(line_of(words)) + "\n";
    }
  }
  for (const ShownOption& option : options_of_every_verb()) out += fish_option("", option);
  return out;
}

}  // namespace

std::string completion_for(Shell shell) {
  switch (shell) {
    case Shell::bash:
      return for_bash();
    case Shell::zsh:
      return for_zsh();
    case Shell::fish:
      return for_fish();
  }
  return {};
}

}  // namespace lockstep::tools
