#include "tools/cli/cmd_step.h"

#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "scenarios/embedded.h"
#include "tools/cli/followed.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "properties/check/prefix.h"
#include "tools/cli/prefix.h"
#include "tools/step/dialogue.h"

namespace lockstep::tools {

namespace {

/// Where stepping begins: at the start of a scenario, or at the end of a trail.
struct Beginning {
  model::Setup setup;
  std::optional<sim::Trail> trail;
  std::vector<sim::Decision<model::Move>> prefix{};
};

sim::Result<Beginning> beginning(const StepOptions& options) {
  if (!options.from.empty()) {
    auto prefix = load_prefix(options.from, options.what, options.scripts);
    if (!prefix) return prefix.problem();
    return Beginning{std::move(prefix->setup), {}, std::move(prefix->decisions)};
  }
  std::error_code ignored;
  const bool a_file = std::filesystem::is_regular_file(options.what, ignored);
  if (!a_file || options.what.ends_with(".toml")) {
    auto setup = load_scenario(options.what, options.scripts);
    if (!setup) return setup.problem();
    auto prefix = properties::prefix_of(*setup).moves;
    return Beginning{*std::move(setup), {}, std::move(prefix)};
  }
  auto followed = load_followed(
      {.file = options.what, .scenario = options.scenario, .scripts = options.scripts});
  if (!followed) return followed.problem();
  return Beginning{std::move(followed->setup), std::move(followed->trail), {}};
}

std::optional<sim::Problem> save_trail(const std::string& file, const sim::Trail& trail) {
  return write_file(file, sim::text_of(trail));
}

/// The words of --choose; one that cannot be carried out is a mistake of the command line.
std::optional<sim::Problem> choose_all(Stepper& stepper, const std::string& words, std::ostream& out) {
  std::size_t number = 0;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, end - at);
    at = end + 1;
    ++number;
    if (word.empty() || word.starts_with("s "))
      return sim::Problem{fmt::format("--choose: word {} is empty or none of a number, n, u", number)};
    const StepAnswer answer = answer_step(stepper, word, save_trail);
    if (answer.mistake) {
      std::string why = answer.text;
      if (!why.empty()) why.pop_back();
      return sim::Problem{fmt::format("--choose: word {}: {}", number, why)};
    }
    out << answer.text;
    if (answer.over) break;
  }
  return std::nullopt;
}

void converse(Stepper& stepper, Session& session) {
  std::string line;
  const auto prompt = [&] {
    if (!session.console.terminal_err) return;
    session.console.out.flush();
    session.console.err << "> " << std::flush;
  };
  for (prompt(); std::getline(std::cin, line); prompt()) {
    const StepAnswer answer = answer_step(stepper, line, save_trail);
    session.console.out << answer.text << std::flush;
    if (answer.over) break;
  }
}

ExitCode run_step(const StepOptions& options, Session& session) {
  if (options.choose.empty() && session.global.no_input)
    return complain(session, sim::Problem{"step asks for moves, and --no-input says that nobody answers; "
                                          "--choose names them"});
  const auto begin = beginning(options);
  if (!begin) return complain(session, begin.problem());
  Stepper stepper(begin->setup);
  if (begin->trail)
    if (const auto problem = stepper.follow(*begin->trail)) {
      session.console.err << problem->text << '\n';
      return ExitCode::diverged;
    }
  for (const auto& decision : begin->prefix) stepper.take(decision);
  session.console.out << stepper.shown();
  if (options.choose.empty()) converse(stepper, session);
  else if (const auto problem = choose_all(stepper, options.choose, session.console.out))
    return complain(session, *problem);
  if (!options.save.empty())
    if (const auto problem = save_trail(options.save, stepper.trail())) return complain(session, *problem);
  return ExitCode::as_expected;
}

void declare_step(Grammar& grammar, StepOptions& o) {
  grammar.word("SCENARIO", o.what, "a scenario, or a trail or a trace, at whose end it begins");
  grammar.text("--scenario", o.scenario, "FILE",
               "the file of the trail's scenario, if its name does not tell");
  grammar.text("--from", o.from, "TRAIL[:N]", "begin behind the (first N) moves of a trail of the scenario");
  grammar.scripts(o.scripts);
  grammar.text("--choose", o.choose, "WORDS", "take these moves instead of asking, such as 0,3,n,u");
  grammar.text("--save", o.save, "FILE", "write the way as a trail at the end");
}

}  // namespace

Verb step_verb() {
  return {.name = "step",
          .summary = "go through a schedule by hand, move by move",
          .usage = "SCENARIO|TRAIL",
          .examples = {"lockstep step plain/two-clients", "lockstep step plain/two-clients --choose 0,1,n",
                       "lockstep step bug.trail --choose u --save other.trail"},
          .required = {"SCENARIO"},
          .request = requests<StepOptions>({declare_step, to_output<run_step>})};
}

}  // namespace lockstep::tools
