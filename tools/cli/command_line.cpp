#include "tools/cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/cli/grammar.h"
#include "tools/cli/help_texts.h"
#include "tools/cli/options.h"

namespace lockstep::tools {

namespace {

Exit usage_error(const std::string& where, const std::string& sentence) {
  return {ExitCode::usage, "", where + ": " + sentence + "\n"};
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// One parser for a command line: CLI11 objects, and the options that they fill.
struct Parser {
  CLI::App app;
  AllOptions options;
  GlobalOptions global;
  bool wants_help = false;
  bool wants_version = false;

  explicit Parser(const std::vector<std::string>& offered) {
    app.set_help_flag("");
    app.require_subcommand(0, 1);
    app.allow_extras();
    declare_global(app, global);
    flag(app, "-h,--help", wants_help, "print this help");
    flag(app, "--version", wants_version, "print the version");
    for (const VerbGrammar& verb : grammar()) {
      if (!contains(offered, verb.name)) continue;
      CLI::App& verb_app = *app.add_subcommand(std::string(verb.name));
      verb_app.set_help_flag("");
      verb_app.fallthrough();
      verb_app.allow_extras();
      verb.declare(verb_app, options);
    }
  }
};

/// CLI11's sentence about a missing or repeated value, in our words.
std::string in_our_words(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::size_t colon = text.find(": ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr || colon == std::string::npos)
    return text;
  const std::string option = text.substr(0, colon);
  if (text.find("missing", colon) != std::string::npos) return option + " wants a value";
  if (text.find("At Most", colon) != std::string::npos) return option + " is given more than once";
  return text;
}

/// A word that nothing claimed: a misspelt option, or one word too many.
Exit unknown_word(const std::string& where, const std::string& word, const Parser& parser,
                  const CLI::App* verb) {
  if (word.size() < 2 || word.front() != '-')
    return usage_error(where, "there is nothing to do with `" + word + "`");
  std::vector<std::string> known = long_names(parser.app);
  if (verb != nullptr) {
    for (const std::string& name : long_names(*verb)) known.push_back(name);
  }
  const std::string option = word.substr(0, word.find('='));
  return usage_error(where, "unknown option `" + option + "`" + did_you_mean(option, known));
}

/// What stands behind the lone comma of `eval` is data and may look like anything, so CLI11 never sees it.
std::vector<std::string> cut_behind_comma(std::vector<std::string>& words) {
  const auto comma = std::find(words.begin(), words.end(), ",");
  if (comma == words.end() || !contains({words.begin(), comma}, "eval")) return {};
  std::vector<std::string> behind(comma + 1, words.end());
  words.erase(comma, words.end());
  return behind;
}

/// What neither the verb nor the program claimed. CLI11 counts the mark `--` among it, which has done its
/// work by then.
std::vector<std::string> unclaimed_words(const CLI::App& app, const CLI::App* verb) {
  std::vector<std::string> words;
  if (verb != nullptr) words = verb->remaining();
  for (const std::string& word : app.remaining()) words.push_back(word);
  std::erase(words, "--");
  return words;
}

std::variant<Invocation, Exit> with_verb(Parser& parser, const CLI::App& verb_app) {
  const VerbGrammar& verb = *find_verb(verb_app.get_name());
  const std::string where = "lockstep " + std::string(verb.name);
  if (parser.wants_help) return Exit{ExitCode::as_expected, verb_help(verb), ""};
  std::vector<std::string> unclaimed = unclaimed_words(parser.app, &verb_app);
  // An option that is unknown explains a superfluous word beside it: it was meant to be its value.
  std::stable_partition(unclaimed.begin(), unclaimed.end(),
                        [](const std::string& w) { return w.rfind('-', 0) == 0; });
  if (!unclaimed.empty()) return unknown_word(where, unclaimed.front(), parser, &verb_app);
  for (const std::string_view name : verb.required) {
    if (verb_app.get_option(std::string(name))->count() != 0) continue;
    return usage_error(where, fmt::format("{} is missing; usage: {} {}", name, where, verb.usage));
  }
  Request request = verb.pick(parser.options);
  if (const std::string wrong = complaint(request); !wrong.empty()) return usage_error(where, wrong);
  return Invocation{parser.global, std::move(request)};
}

std::variant<Invocation, Exit> without_verb(const Parser& parser, const std::vector<std::string>& offered) {
  const std::vector<std::string> unclaimed = unclaimed_words(parser.app, nullptr);
  if (parser.wants_version) return Exit{ExitCode::as_expected, version_line() + "\n", ""};
  if (parser.wants_help) return Exit{ExitCode::as_expected, usage(offered), ""};
  if (unclaimed.empty()) return Exit{ExitCode::usage, "", usage(offered)};
  const std::string& word = unclaimed.front();
  if (!word.empty() && word.front() == '-') return unknown_word("lockstep", word, parser, nullptr);
  return usage_error("lockstep", "unknown command `" + word + "`" + did_you_mean(word, offered));
}

void append_options(std::string& out, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const bool positional = option->get_positional();
    std::string names = positional ? option->get_name(true) : option->get_name(false, true);
    if (const std::size_t comma = names.find(','); comma != std::string::npos) names.insert(comma + 1, " ");
    if (!positional && names.rfind("--", 0) == 0) names.insert(0, "    ");
    if (!positional && option->get_type_size() > 0) names += " " + option->get_type_name();
    constexpr std::size_t column = 28;
    if (names.size() < column) {
      out += fmt::format("  {:<{}}{}\n", names, column, option->get_description());
    } else {  // too wide for the column: the description goes below
      out += fmt::format("  {}\n  {:<{}}{}\n", names, "", column, option->get_description());
    }
  }
}

}  // namespace

std::variant<Invocation, Exit> parse(const std::vector<std::string>& words,
                                     const std::vector<std::string>& offered) {
  std::vector<std::string> before = words;
  std::vector<std::string> behind = cut_behind_comma(before);
  std::reverse(before.begin(), before.end());  // CLI11 takes them from the end
  Parser parser(offered);
  try {
    parser.app.parse(before);
  } catch (const CLI::ParseError& error) {
    const std::vector<CLI::App*> verbs = parser.app.get_subcommands();
    return usage_error(verbs.empty() ? "lockstep" : "lockstep " + verbs.front()->get_name(),
                       in_our_words(error));
  }
  parser.options.eval.args = std::move(behind);
  const std::vector<CLI::App*> verbs = parser.app.get_subcommands();
  return verbs.empty() ? without_verb(parser, offered) : with_verb(parser, *verbs.front());
}

std::string usage(const std::vector<std::string>& offered) {
  std::string out =
      "Lockstep runs Redis lock scripts under every schedule, and shows the one that breaks them.\n\n";
  std::string verbs;
  for (const VerbGrammar& verb : grammar()) {
    if (!contains(offered, verb.name)) continue;
    out += fmt::format("  {}\n", verb.examples.front());
    verbs += fmt::format("  {:<10}{}\n", verb.name, verb.summary);
  }
  out += "\nCommands:\n" + verbs + "\nTopics of `lockstep help`:\n ";
  for (const sim::EmbeddedFile& page : help_texts()) out += fmt::format(" {}", topic_of(page));
  return out + "\n\n`lockstep COMMAND --help` lists a command's options.\n";
}

std::string verb_help(const VerbGrammar& verb) {
  Parser parser({std::string(verb.name)});
  std::string out = fmt::format("lockstep {}: {}\n\n", verb.name, verb.summary);
  for (const std::string_view example : verb.examples) out += fmt::format("  {}\n", example);
  out += fmt::format("\nUsage: lockstep {}{}{} [OPTIONS]\n", verb.name, verb.usage.empty() ? "" : " ",
                     verb.usage);
  std::string own;
  append_options(own, *parser.app.get_subcommand(std::string(verb.name)));
  if (!own.empty()) out += "\n" + own;
  out += "\nOptions of every command:\n";
  append_options(out, parser.app);
  return out;
}

}  // namespace lockstep::tools
