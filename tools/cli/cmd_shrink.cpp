#include "tools/cli/cmd_shrink.h"

#include <fmt/format.h>

#include <filesystem>

#include "properties/check/shrinking.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"
#include "tools/cli/fewer_actors.h"
#include "tools/cli/followed.h"
#include "tools/cli/output.h"
#include "tools/graph/decided_run.h"

namespace lockstep::tools {

namespace {

constexpr std::uint64_t runs_usual = 10'000;

properties::ShrinkBy measure_for(ShrinkWanted wanted) {
  return wanted == ShrinkWanted::steps  ? properties::ShrinkBy::steps
         : wanted == ShrinkWanted::time ? properties::ShrinkBy::time
                                        : properties::ShrinkBy::faults;
}

/// FILE.trail and FILE.toml beside each other.
ExitCode shrink_by_actors(const ShrinkOptions& options, Session& session) {
  const std::string& trail = session.global.out_file;
  if (trail.empty() || trail == "-")
    return complain(session,
                    {"--by actors writes a smaller scenario beside the trail; name the trail with -o FILE"});
  const std::string scenario = std::filesystem::path(trail).replace_extension(".toml").string();
  std::error_code ignored;
  if (scenario == trail || std::filesystem::exists(scenario, ignored))
    return complain(session, {fmt::format("{} would be overwritten by the smaller scenario; give the trail "
                                          "another name with -o FILE",
                                          reports::printable(scenario))});
  const auto fewer = fewer_actors(
      {.file = options.file, .scenario = options.scenario, .scripts = options.scripts, .lenient = false},
      scenario, options.budget.value_or(runs_usual));
  if (!fewer)
    return complain(session, {fmt::format("{}: {}", reports::printable(options.file), fewer.problem().text)});
  if (const auto problem = write_file(scenario, fewer->scenario)) return complain(session, *problem);
  if (const auto problem = write_file(trail, sim::text_of(fewer->trail))) return complain(session, *problem);
  if (session.console.quiet) return ExitCode::as_expected;
  session.console.err << fmt::format(
      "{} became {}{}; {} became {}; {}{}\nreplay: lockstep replay {} --scenario {}\n",
      sim::amount(fewer->threads_before, "thread"), fewer->threads,
      fewer->left_out.empty() ? "" : fmt::format(" (without {})", fmt::join(fewer->left_out, ", ")),
      sim::amount(fewer->moves_before, "move"), fewer->moves, sim::amount(fewer->runs_used, "run"),
      fewer->minimal ? "" : ", the budget was used up", reports::shell_word(trail),
      reports::shell_word(scenario));
  return ExitCode::as_expected;
}

ExitCode run_shrink(const ShrinkOptions& options, Session& session) {
  if (options.by == ShrinkWanted::actors) return shrink_by_actors(options, session);
  const auto followed = load_followed(
      {.file = options.file, .scenario = options.scenario, .scripts = options.scripts, .lenient = false});
  if (!followed) return complain(session, followed.problem());
  const auto before = decided_run(followed->setup, followed->trail);
  if (!before) return complain(session, {fmt::format("{}: {}", options.file, before.problem().text)});
  const auto shrunk =
      properties::shrink_trail_by(followed->setup, followed->trail, measure_for(options.by),
                                  options.budget.value_or(runs_usual));
  if (!shrunk) return complain(session, {fmt::format("{}: {}", options.file, shrunk.problem().text)});
  const std::string text = sim::text_of(shrunk->deviations);
  if (!session.global.out_file.empty()) {
    if (const auto problem = deliver(session.global.out_file, text, session.console.out))
      return complain(session, *problem);
  } else {
    session.console.out << text;
  }
  if (!session.console.quiet)
    session.console.err << fmt::format(
        "{} became {}, {} of them deviations; {}{}\n", sim::amount(before->size(), "move"),
        shrunk->full.lines.size(), shrunk->deviations.lines.size(), sim::amount(shrunk->runs_used, "run"),
        !shrunk->minimal                               ? ", the budget was used up"
        : options.by == ShrinkWanted::faults         ? ", none of them can be left out"
                                                     : ", none of them can be left out for less");
  return ExitCode::as_expected;
}

void declare_shrink(Grammar& grammar, ShrinkOptions& o) {
  grammar.word("FILE", o.file, "a trail, or a trace, which carries its trail");
  grammar.text("--scenario", o.scenario, "FILE",
               "the file of the trail's scenario, if its name does not tell");
  grammar.scripts(o.scripts);
  grammar.count("--budget", o.budget, "how many replays to spend");
  grammar.choice<ShrinkWanted>("--by", o.by,
                               {{"faults", ShrinkWanted::faults},
                                {"steps", ShrinkWanted::steps},
                                {"time", ShrinkWanted::time},
                                {"actors", ShrinkWanted::actors}},
                               "what there is to be little of first: faults and deviations from the default "
                               "schedule (faults), moves, time, or processes and threads, which are left "
                               "out of a smaller scenario that is written beside the trail");
}

}  // namespace

Verb shrink_verb() {
  return {.name = "shrink",
          .summary = "make a counterexample smaller",
          .usage = "TRAIL|TRACE",
          .examples = {"lockstep shrink bug.trail -o small.trail", "lockstep shrink bug.trail --by time",
                       "lockstep shrink bug.trail --by actors -o fewer.trail"},
          .required = {"FILE"},
          .request = requests<ShrinkOptions>({declare_shrink, run_shrink})};
}

}  // namespace lockstep::tools
