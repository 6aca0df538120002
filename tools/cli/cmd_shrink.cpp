#include "tools/cli/cmd_shrink.h"

#include <fmt/format.h>

#include "properties/check/check.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

ExitCode run_shrink(const ShrinkOptions& options, Session& session) {
  constexpr std::uint64_t runs_usual = 10'000;
  const auto trail = load_trail(options.file);
  if (!trail) return complain(session, trail.problem());
  const auto setup = load_scenario_of(*trail, options.scenario, options.scripts);
  if (!setup) return complain(session, setup.problem());
  const auto shrunk = properties::shrink_trail(*setup, *trail, options.budget.value_or(runs_usual));
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
        "{} moves became {}, {} of them deviations; {} runs{}\n", trail->lines.size(),
        shrunk->full.lines.size(), shrunk->deviations.lines.size(), shrunk->runs_used,
        shrunk->minimal ? ", none of them can be left out" : ", the budget was used up");
  return ExitCode::as_expected;
}

}  // namespace lockstep::tools
