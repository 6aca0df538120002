#include "tools/cli/cmd_replay.h"

#include <fmt/format.h>

#include "properties/check/check.h"
#include "properties/monitors/all_properties.h"
#include "reports/files/trace_file.h"
#include "reports/text/story.h"
#include "sim/base/amount.h"
#include "tools/cli/followed.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

/// What the trail says of itself, against what the run showed.
ExitCode judge(const model::Setup& setup, const sim::Trail& trail, const properties::Told& told,
               Session& session) {
  std::ostream& out = session.console.out;
  if (told.divergence) {
    out << "the run left the trail\n" << *told.divergence << '\n';
    return ExitCode::diverged;
  }
  if (told.goes_on) out << fmt::format("the trail goes on by default: {}\n", *told.goes_on);
  const auto property = properties::find_property(trail.property, setup);
  const bool broken = property ? (told.violated & properties::bit(*property)) != 0 : told.violated != 0;
  const bool is_as_recorded = trail.verdict.empty() || broken == (trail.verdict == "violated");
  const std::string what = trail.property.empty() ? "properties" : trail.property;
  const std::string_view compared = trail.verdict.empty() ? ""
                                    : is_as_recorded     ? ", as the trail says"
                                                         : ", the trail says otherwise";
  out << fmt::format("{}: {} after {}{}\n", what, broken ? "violated" : "not violated",
                     sim::amount(told.steps, "move"), compared);
  return is_as_recorded ? ExitCode::as_expected : ExitCode::different;
}

ExitCode run_replay(const ReplayOptions& options, Session& session) {
  const auto followed = load_followed({.file = options.file,
                                       .scenario = options.scenario,
                                       .scripts = options.scripts,
                                       .lenient = options.lenient});
  if (!followed) return complain(session, followed.problem());
  if (!followed->differs.empty()) session.console.err << "note: " << followed->differs << '\n';
  const properties::Told told =
      properties::tell(followed->setup, followed->trail, {.to = options.to, .lenient = options.lenient});
  if (!session.console.quiet) session.console.out << reports::story(told.trace);
  if (!options.trace.empty())
    if (const auto problem = write_file(options.trace, reports::write_trace(told.trace)))
      return complain(session, *problem);
  if (options.to) {
    session.console.out << fmt::format("stopped after {}\n", sim::amount(told.steps, "move"));
    return ExitCode::as_expected;
  }
  return judge(followed->setup, followed->trail, told, session);
}

void declare_replay(Grammar& grammar, ReplayOptions& o) {
  grammar.word("FILE", o.file, "a trail, or a trace, which carries its trail");
  grammar.text("--scenario", o.scenario, "FILE",
               "the file of the trail's scenario, if its name does not tell");
  grammar.scripts(o.scripts);
  grammar.text("--trace", o.trace, "FILE", "write the trace");
  grammar.flag("--lenient", o.lenient, "match moves by their text and skip those that are gone");
  grammar.count("--to", o.to, "stop after this decision");
}

}  // namespace

Verb replay_verb() {
  return {.name = "replay",
          .summary = "run a stored schedule again",
          .usage = "TRAIL|TRACE",
          .examples = {"lockstep replay out/plain/pause-outlives-lease/mutual-exclusion.trail",
                       "lockstep replay bug.trail --scripts unlock=fixed.lua --lenient"},
          .required = {"FILE"},
          .request = requests<ReplayOptions>({declare_replay, to_output<run_replay>})};
}

}  // namespace lockstep::tools
