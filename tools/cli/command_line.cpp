#include "tools/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "tools/cli/cmd_version.h"
#include "tools/cli/help_texts.h"
#include "tools/cli/quantity.h"
#include "tools/cli/suggest.h"

namespace lockstep::tools {

namespace {

Exit usage_error(const std::string& where, const std::string& sentence) {
  return {ExitCode::usage, "", where + ": " + sentence + "\n"};
}

std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

template <class T, class Parse>
Grammar::Take parsed(T& into, Parse parse) {
  return [&into, parse](const std::string& word) -> std::optional<sim::Problem> {
    const auto value = parse(word);
    if (!value) return value.problem();
    into = *value;
    return std::nullopt;
  };
}

void declare_global(Grammar& grammar, GlobalOptions& into) {
  grammar.flag("-q,--quiet", into.quiet, "print results only");
  grammar.choice<ColourWish>(
      "--color", into.colour,
      {{"auto", ColourWish::automatic}, {"always", ColourWish::always}, {"never", ColourWish::never}},
      "colours (auto: on a terminal)");
  grammar.text("-o,--output", into.out_file, "FILE", "write the result to this file (-: standard output)");
  grammar.text("--out-dir", into.out_dir, "DIR", "where counterexamples and traces go (out)");
  grammar.choice<ProgressWish>("--progress", into.progress,
                               {{"auto", ProgressWish::automatic},
                                {"bar", ProgressWish::bar},
                                {"lines", ProgressWish::lines},
                                {"jsonl", ProgressWish::jsonl},
                                {"none", ProgressWish::none}},
                               "how far long work is, on standard error (auto: as a bar on a terminal)");
  grammar.text("-C,--directory", into.directory, "DIR", "work as if it were started there");
  grammar.text("--config", into.config, "FILE",
               "options that are not typed (lockstep.toml, found upwards; none: none)");
  grammar.flag("--no-input", into.no_input, "never ask: nobody is there to answer");
}

/// One parser for a command line: CLI11 objects, and the options that they fill.
struct Parser {
  struct Offered {
    const Verb* verb;
    CLI::App* app;
    std::shared_ptr<Request> request;
    std::vector<std::string>* behind_comma;
  };
  CLI::App app;
  std::vector<Offered> offered;
  GlobalOptions global;
  bool wants_help = false;
  bool wants_version = false;

  explicit Parser(std::span<const Verb> verbs) {
    app.set_help_flag("");
    app.require_subcommand(0, 1);
    app.allow_extras();
    Grammar all(app);
    declare_global(all, global);
    all.flag("-h,--help", wants_help, "print this help");
    all.flag("--version", wants_version, "print the version");
    for (const Verb& verb : verbs) {
      CLI::App* const own = app.add_subcommand(std::string(verb.name));
      own->set_help_flag("");
      own->fallthrough();
      own->allow_extras();
      Grammar grammar(*own);
      offered.push_back({&verb, own, verb.request(), nullptr});
      offered.back().request->declare(grammar);
      offered.back().behind_comma = grammar.place_behind_comma();
    }
  }

  const Offered* called() const {
    const auto found =
        std::find_if(offered.begin(), offered.end(), [](const Offered& each) { return each.app->parsed(); });
    return found == offered.end() ? nullptr : &*found;
  }
};

PresetOptions options_to_preset(const CLI::App& app) {
  PresetOptions options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_lnames().empty()) continue;
    const std::string& name = option->get_lnames().front();
    if (name == "help" || name == "version" || name == "config" || name == "directory") continue;
    options.push_back({.name = name,
                       .is_flag = option->get_expected_max() == 0,
                       .is_many = option->get_items_expected_max() > 1,
                       .given = option->count() > 0});
  }
  return options;
}

PresetsAsked presets_asked(const Parser& parser, const Parser::Offered& called) {
  PresetsAsked asked{.verb = std::string(called.verb->name),
                     .of_all = options_to_preset(parser.app),
                     .of_each = {},
                     .directory = parser.global.directory,
                     .file = parser.global.config};
  for (const Parser::Offered& each : parser.offered)
    asked.of_each[std::string(each.verb->name)] = options_to_preset(*each.app);
  return asked;
}

/// Who asks what there is must not be stopped by a file that is wrong.
bool asks_for_help(const Verb& verb) {
  return verb.name == "help" || verb.name == "version" || verb.name == "completion";
}

/// Before what ends the options.
std::vector<std::string> with_presets(std::vector<std::string> words, std::span<const Preset> presets) {
  auto end = std::find_if(words.begin(), words.end(), [](const auto& w) { return w == "--" || w == ","; });
  for (const Preset& one : presets) end = words.insert(end, one.word) + 1;
  return words;
}

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

/// What stands behind the lone comma of a verb that takes it so is data: CLI11 never sees it.
void cut_behind_comma(std::vector<std::string>& words, const Parser& parser) {
  const auto comma = std::find(words.begin(), words.end(), ",");
  for (const Parser::Offered& each : parser.offered) {
    if (each.behind_comma == nullptr || std::find(words.begin(), comma, each.verb->name) == comma) continue;
    if (comma == words.end()) continue;
    each.behind_comma->assign(comma + 1, words.end());
    words.erase(comma, words.end());
    return;
  }
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

std::variant<Invocation, Exit> with_verb(const Parser& parser, const Parser::Offered& called) {
  const Verb& verb = *called.verb;
  const std::string where = "lockstep " + std::string(verb.name);
  if (parser.wants_help) return Exit{ExitCode::as_expected, verb_help(verb), ""};
  std::vector<std::string> unclaimed = unclaimed_words(parser.app, called.app);
  // An option that is unknown explains a superfluous word beside it: it was meant to be its value.
  std::stable_partition(unclaimed.begin(), unclaimed.end(),
                        [](const std::string& w) { return w.rfind('-', 0) == 0; });
  if (!unclaimed.empty()) return unknown_word(where, unclaimed.front(), parser, called.app);
  for (const std::string& name : verb.required) {
    if (called.app->get_option(name)->count() != 0) continue;
    return usage_error(where, fmt::format("{} is missing; usage: {} {}", name, where, verb.usage));
  }
  if (const std::string wrong = called.request->complaint(); !wrong.empty()) return usage_error(where, wrong);
  return Invocation{parser.global, called.request};
}

std::variant<Invocation, Exit> without_verb(const Parser& parser) {
  const std::vector<std::string> unclaimed = unclaimed_words(parser.app, nullptr);
  if (parser.wants_version) return Exit{ExitCode::as_expected, version_line() + "\n", ""};
  if (parser.wants_help) return Exit{ExitCode::as_expected, usage(), ""};
  if (unclaimed.empty()) return Exit{ExitCode::usage, "", usage()};
  const std::string& word = unclaimed.front();
  if (!word.empty() && word.front() == '-') return unknown_word("lockstep", word, parser, nullptr);
  std::vector<std::string> known;
  for (const Verb& verb : verbs()) known.emplace_back(verb.name);
  return usage_error("lockstep", "unknown command `" + word + "`" + did_you_mean(word, known));
}

/// A sentence about an option with the name by which it was given: `-j`, where nobody said `--workers`.
std::string as_given(std::string sentence, const std::vector<std::string>& words, const CLI::App& app) {
  const std::string name = sentence.substr(0, sentence.find(' '));
  const CLI::Option* option = name.starts_with("--") ? app.get_option_no_throw(name) : nullptr;
  if (option == nullptr || option->get_snames().empty()) return sentence;
  const std::string letter = "-" + option->get_snames().front();
  const auto says = [&](const std::string& with) {
    return std::any_of(words.begin(), words.end(), [&](const auto& word) { return word.starts_with(with); });
  };
  return says(letter) && !says(name) ? letter + sentence.substr(name.size()) : sentence;
}

/// CLI11 takes the words in; what it cannot take is a mistake.
std::optional<Exit> read_words(Parser& parser, std::vector<std::string> words) {
  cut_behind_comma(words, parser);
  std::vector<std::string> from_the_end(words.rbegin(), words.rend());
  try {
    parser.app.parse(from_the_end);
  } catch (const CLI::ParseError& error) {
    const Parser::Offered* called = parser.called();
    const std::string sentence = as_given(in_our_words(error), words, called ? *called->app : parser.app);
    return usage_error(called ? "lockstep " + std::string(called->verb->name) : "lockstep",
                       as_given(sentence, words, parser.app));
  }
  return std::nullopt;
}

/// Which of the presets cannot be taken.
std::optional<Exit> preset_mistake(const std::vector<std::string>& words, std::span<const Preset> presets) {
  for (std::size_t i = 0; i < presets.size(); ++i) {
    Parser parser(verbs());
    if (auto mistake = read_words(parser, with_presets(words, presets.subspan(i, 1)))) {
      mistake->err.insert(mistake->err.find(": ") + 2, presets[i].origin + ": ");
      return mistake;
    }
  }
  return std::nullopt;
}

std::vector<ShownOption> shown_options(const CLI::App& app) {
  std::vector<ShownOption> all;
  for (const CLI::Option* option : app.get_options()) {
    ShownOption one{{}, "", option->get_description()};
    if (option->get_positional()) one.names.push_back(option->get_name(true));
    for (const std::string& name : option->get_snames()) one.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) one.names.push_back("--" + name);
    if (option->get_type_size() > 0) one.value = option->get_type_name();
    all.push_back(std::move(one));
  }
  return all;
}

void append_options(std::string& out, const std::vector<ShownOption>& options) {
  for (const ShownOption& option : options) {
    std::string names = fmt::format("{}", fmt::join(option.names, ", "));
    if (names.starts_with("--")) names.insert(0, "    ");
    if (!option.positional() && !option.value.empty()) names += " " + option.value;
    constexpr std::size_t column = 28;
    if (names.size() < column) {
      out += fmt::format("  {:<{}}{}\n", names, column, option.about);
    } else {  // too wide for the column: the description goes below
      out += fmt::format("  {}\n  {:<{}}{}\n", names, "", column, option.about);
    }
  }
}

/// An empty word is hardly ever meant: a variable of a shell's is not set.
std::optional<sim::Problem> complaint_about_empty(const std::string& word, const std::string& wanted) {
  if (!word.empty()) return std::nullopt;
  return sim::Problem{"wants " + wanted + ", not an empty word"};
}

/// What refuses a word names the option.
std::function<void(const std::string&)> storing(const char* name, Grammar::Take take) {
  return [take = std::move(take), name](const std::string& word) {
    const std::string_view names(name);
    const std::string called(names.substr(names.rfind(',') + 1));
    if (const auto problem = take(word)) throw CLI::ValidationError(called + " " + problem->text);
  };
}

}  // namespace

void Grammar::word(const char* name, std::string& into, const char* about) {
  app_->add_option(name, into, about);
}

void Grammar::words(const char* name, std::vector<std::string>& into, const char* about) {
  app_->add_option(name, into, about);
}

void Grammar::flag(const char* name, bool& into, const char* about) { app_->add_flag(name, into, about); }

void Grammar::flag_off(const char* name, bool& into, const char* about) {
  app_->add_flag_callback(
      name, [&into] { into = false; }, about);
}

void Grammar::text(const char* name, std::string& into, const char* shown, const char* about) {
  const auto take = [&into, wanted = std::string(shown)](const std::string& word) {
    into = word;
    return complaint_about_empty(word, wanted);
  };
  taken(name, take, shown, about);
}

void Grammar::repeated(const char* name, std::vector<std::string>& into, const char* shown,
                       const char* about) {
  const auto take = [&into, wanted = std::string(shown)](const std::string& word) {
    into.push_back(word);
    return complaint_about_empty(word, wanted);
  };
  taken_again(name, take, shown, about);
}

void Grammar::count(const char* name, std::uint64_t& into, const char* about) {
  taken(name, parsed(into, parse_count), "N", about);
}

void Grammar::count(const char* name, std::optional<std::uint64_t>& into, const char* about) {
  taken(name, parsed(into, parse_count), "N", about);
}

void Grammar::duration(const char* name, std::optional<sim::Duration>& into, const char* about) {
  taken(name, parsed(into, parse_duration), "D", about);
}

void Grammar::size(const char* name, std::optional<std::uint64_t>& into, const char* about) {
  taken(name, parsed(into, parse_size), "SIZE", about);
}

void Grammar::taken(const char* name, Take take, const char* shown, const char* about) {
  app_->add_option_function<std::string>(name, storing(name, std::move(take)), about)->type_name(shown);
}

void Grammar::taken_again(const char* name, Take take, const char* shown, const char* about) {
  const auto store_all = [store = storing(name, std::move(take))](const std::vector<std::string>& words) {
    for (const std::string& word : words) store(word);
  };
  app_->add_option_function<std::vector<std::string>>(name, store_all, about)
      ->type_name(shown)
      ->allow_extra_args(false);
}

void Grammar::one_of(const char* name, const std::vector<std::string>& names,
                     const std::function<void(std::size_t)>& chosen, const char* about) {
  const std::string shown = fmt::format("{}", fmt::join(names, "|"));
  const auto take = [=](const std::string& word) -> std::optional<sim::Problem> {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
      return sim::Problem{"wants " + shown + ", not `" + word + "`" + did_you_mean(word, names)};
    chosen(static_cast<std::size_t>(found - names.begin()));
    return std::nullopt;
  };
  taken(name, take, shown.c_str(), about);
}

void Grammar::scripts(std::vector<std::string>& into) {
  repeated("--scripts", into, "SPEC",
           "replace scripts: a set (redisson@3.10.5), a directory, or ROLE=FILE; may be repeated");
}

void Grammar::format(Format& into, const char* about) {
  choice<Format>("--format", into, {{"human", Format::human}, {"json", Format::json}}, about);
}

std::variant<Invocation, Exit> parse(const std::vector<std::string>& words, const PresetsAround& around) {
  auto typed = std::make_unique<Parser>(verbs());
  if (auto mistake = read_words(*typed, words)) return *std::move(mistake);
  const Parser::Offered* called = typed->called();
  if (called == nullptr) return without_verb(*typed);
  const bool by_itself = !around.variable || typed->wants_help || asks_for_help(*called->verb);
  if (by_itself) return with_verb(*typed, *called);
  const auto preset = presets(presets_asked(*typed, *called), around);
  if (!preset) return Exit{ExitCode::usage, "", "error: " + preset.problem().text + "\n"};
  if (preset->empty()) return with_verb(*typed, *called);
  auto parser = std::make_unique<Parser>(verbs());
  if (auto mistake = read_words(*parser, with_presets(words, *preset)))
    return preset_mistake(words, *preset).value_or(*std::move(mistake));
  return with_verb(*parser, *parser->called());
}

std::string usage() {
  std::string out =
      "Lockstep runs Redis lock scripts under every schedule, and shows the one that breaks them.\n\n";
  std::string summaries;
  for (const Verb& verb : verbs()) {
    out += fmt::format("  {}\n", verb.examples.front());
    summaries += fmt::format("  {:<15}{}\n", verb.name, verb.summary);
  }
  out += "\nCommands:\n" + summaries + "\nTopics of `lockstep help`:\n ";
  for (const sim::EmbeddedFile& page : help_texts()) out += fmt::format(" {}", topic_of(page));
  return out + "\n\n`lockstep COMMAND --help` lists a command's options.\n";
}

std::vector<ShownOption> options_of(const Verb& verb) {
  return shown_options(*Parser({&verb, 1}).offered.front().app);
}

std::vector<ShownOption> options_of_every_verb() { return shown_options(Parser({}).app); }

std::string verb_help(const Verb& verb) {
  std::string out = fmt::format("lockstep {}: {}\n\n", verb.name, verb.summary);
  for (const std::string_view example : verb.examples) out += fmt::format("  {}\n", example);
  out += fmt::format("\nUsage: lockstep {}{}{} [OPTIONS]\n", verb.name, verb.usage.empty() ? "" : " ",
                     verb.usage);
  std::string own;
  append_options(own, options_of(verb));
  if (!own.empty()) out += "\n" + own;
  out += "\nOptions of every command:\n";
  append_options(out, options_of_every_verb());
  return out;
}

}  // namespace lockstep::tools
