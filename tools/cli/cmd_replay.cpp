#include "tools/cli/cmd_replay.h"

#include <fmt/format.h>

#include "properties/check/check.h"
#include "reports/text/story.h"
#include "reports/files/trace_file.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

/// What the trail says of itself, against what the run showed.
ExitCode judge(const sim::Trail& trail, const properties::Told& told, Session& session) {
  std::ostream& out = session.console.out;
  if (told.divergence) {
    out << "the run left the trail\n" << *told.divergence << '\n';
    return ExitCode::diverged;
  }
  const auto property = properties::find_property(trail.property);
  const bool broken = property ? (told.violated & properties::bit(*property)) != 0 : told.violated != 0;
  const bool recorded = trail.verdict == "violated";
  const std::string what = trail.property.empty() ? "properties" : trail.property;
  out << fmt::format("{}: {} after {} moves, {}\n", what, broken ? "violated" : "not violated", told.steps,
                     broken == recorded ? "as the trail says" : "the trail says otherwise");
  return broken == recorded ? ExitCode::as_expected : ExitCode::different;
}

}  // namespace

ExitCode run_replay(const ReplayOptions& options, Session& session) {
  const auto trail = load_trail(options.file);
  if (!trail) return complain(session, trail.problem());
  const auto setup = load_scenario_of(*trail, options.scenario, options.scripts);
  if (!setup) return complain(session, setup.problem());
  const bool same = trail->scenario_digest.empty() || trail->scenario_digest == setup->digest;
  if (!same && options.scripts.empty() && !options.lenient) {
    return complain(
        session,
        {fmt::format("{}: the trail was made from another version of {} (digest {}, now {}); --lenient "
                     "follows it as far as it goes",
                     options.file, setup->name, trail->scenario_digest, setup->digest)});
  }
  const properties::Told told =
      properties::tell(*setup, *trail, {.to = options.to, .lenient = options.lenient});
  if (!session.console.quiet) session.console.out << reports::story(told.trace);
  if (!options.trace.empty())
    if (const auto problem = write_file(options.trace, reports::write_trace(told.trace)))
      return complain(session, *problem);
  if (options.to) {
    session.console.out << fmt::format("stopped after {} moves\n", told.steps);
    return ExitCode::as_expected;
  }
  return judge(*trail, told, session);
}

}  // namespace lockstep::tools
