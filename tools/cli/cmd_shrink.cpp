#include "tools/cli/cmd_shrink.h"

#include <fmt/format.h>

#include "properties/check/check.h"
#include "sim/base/amount.h"
#include "tools/cli/followed.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

ExitCode run_shrink(const ShrinkOptions& options, Session& session) {
  constexpr std::uint64_t runs_usual = 10'000;
  const auto followed = load_followed(
      {.file = options.file, .scenario = options.scenario, .scripts = options.scripts, .lenient = false});
  if (!followed) return complain(session, followed.problem());
  const auto shrunk =
      properties::shrink_trail_by(followed->setup, followed->trail, options.by,
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
        "{} became {}, {} of them deviations; {}{}\n", sim::amount(followed->trail.lines.size(), "move"),
        shrunk->full.lines.size(), shrunk->deviations.lines.size(), sim::amount(shrunk->runs_used, "run"),
        !shrunk->minimal                               ? ", the budget was used up"
        : options.by == properties::ShrinkBy::faults ? ", none of them can be left out"
                                                     : ", none of them can be left out for less");
  return ExitCode::as_expected;
}

void declare_shrink(Grammar& grammar, ShrinkOptions& o) {
  grammar.word("FILE", o.file, "a trail, or a trace, which carries its trail");
  grammar.text("--scenario", o.scenario, "FILE",
               "the file of the trail's scenario, if its name does not tell");
  grammar.scripts(o.scripts);
  grammar.count("--budget", o.budget, "how many replays to spend");
  grammar.choice<properties::ShrinkBy>("--by", o.by,
                                       {{"faults", properties::ShrinkBy::faults},
                                        {"steps", properties::ShrinkBy::steps},
                                        {"time", properties::ShrinkBy::time}},
                                       "what there is to be little of first: faults and deviations from the "
                                       "default schedule (faults), moves, or time");
}

}  // namespace

Verb shrink_verb() {
  return {.name = "shrink",
          .summary = "make a counterexample smaller",
          .usage = "TRAIL|TRACE",
          .examples = {"lockstep shrink bug.trail -o small.trail", "lockstep shrink bug.trail --by time"},
          .required = {"FILE"},
          .request = requests<ShrinkOptions>({declare_shrink, run_shrink})};
}

}  // namespace lockstep::tools
