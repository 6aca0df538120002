#include "tools/cli/cmd_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "properties/check/check.h"
#include "reports/files/trace_file.h"
#include "reports/text/story.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"
#include "sim/run/intervals.h"
#include "sim/run/plan.h"
#include "sim/run/policy.h"
#include "sim/run/uniform.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

using System = properties::Checked;

/// Another policy until `until`; there the run is cut.
class Until final : public sim::Policy<System> {
 public:
  Until(sim::Policy<System>& inner, std::optional<sim::Duration> until) : inner_(inner), until_(until) {}

  std::optional<std::size_t> pick(const System& system, const System::State& state,
                                  std::span<const System::Move> moves) override {
    if (until_ && state.world.now.since_start >= *until_) return std::nullopt;
    return inner_.pick(system, state, moves);
  }
  System::Move taken(const System::Move& listed) override { return inner_.taken(listed); }

 private:
  sim::Policy<System>& inner_;
  std::optional<sim::Duration> until_;
};

/// The trail of one schedule: the default one, or a random one.
sim::Trail schedule(const model::Setup& setup, const RunOptions& options) {
  System system(setup);
  sim::DefaultSchedule<System> by_default;
  sim::Random random{options.seed.value_or(0)};
  sim::Uniform<System> uniform(random.split());
  sim::InIntervals<System> drawn(random.split(), uniform);
  sim::Policy<System>* chosen = &by_default;
  if (options.seed) chosen = &drawn;
  Until policy(*chosen, options.until);
  const auto run =
      sim::run(system, system.initial(), static_cast<sim::Policy<System>&>(policy), {.stop_at = 0});
  sim::Trail trail = properties::trail_header(setup, "", run.violated != 0 ? "violated" : "passed");
  sim::record_all<System>(system, run.trail, trail);
  return trail;
}

void print_summary(const model::Setup& setup, const properties::Told& told, Session& session) {
  session.console.out << fmt::format("{} · {} · {}, {}\n", setup.name, setup.scripts_told(),
                                     sim::amount(told.steps, "move"),
                                     sim::amount(told.trace.events.size(), "event"));
  for (const properties::PropertyInfo& one : properties::catalog)
    if ((told.violated & properties::bit(one.property)) != 0)
      session.console.out << fmt::format("  ✗ {}\n", one.name);
  if (told.violated == 0) session.console.out << "  ✓ no property was broken in this one schedule\n";
}

ExitCode run_run(const RunOptions& options, Session& session) {
  const auto setup = load_scenario(options.scenario, options.scripts);
  if (!setup) return complain(session, setup.problem());
  const sim::Trail trail = schedule(*setup, options);
  const properties::Told told = properties::tell(*setup, trail);
  if (options.monitor) {
    for (const std::string& line : told.monitor_lines) session.console.out << line << '\n';
  } else {
    print_summary(*setup, told, session);
    if (options.story) session.console.out << reports::story(told.trace, {.everything = true});
  }
  if (!session.global.out_file.empty())
    if (const auto problem = deliver(session.global.out_file, sim::text_of(trail), session.console.out))
      return complain(session, *problem);
  if (!options.trace.empty())
    if (const auto problem = write_file(options.trace, reports::write_trace(told.trace)))
      return complain(session, *problem);
  if (!session.console.quiet) {
    const std::string seed = options.seed ? fmt::format(" --seed {}", *options.seed) : "";
    std::string scripts;
    for (const std::string& spec : options.scripts) scripts += " --scripts " + reports::shell_word(spec);
    session.console.err << fmt::format("again: lockstep run {}{}{}\n", reports::shell_word(options.scenario),
                                       seed, scripts);
  }
  return ExitCode::as_expected;
}

void declare_run(Grammar& grammar, RunOptions& o) {
  grammar.word("SCENARIO", o.scenario, "the scenario file, or the name of a built-in one");
  grammar.count("--seed", o.seed, "draw the schedule from this seed; without it the default schedule");
  grammar.duration("--until", o.until, "cut the run at this virtual time");
  grammar.scripts(o.scripts);
  grammar.text("--trace", o.trace, "FILE", "write the trace");
  grammar.flag("--monitor", o.monitor, "print the commands that the servers ran, as MONITOR shows them");
  grammar.flag("--story", o.story, "print what happened, one line a step");
}

}  // namespace

Verb run_verb() {
  return {.name = "run",
          .summary = "play one schedule",
          .usage = "SCENARIO",
          .examples = {"lockstep run plain/two-clients --story",
                       "lockstep run two.toml --seed 7 --trace run.jsonl"},
          .required = {"SCENARIO"},
          .request = requests<RunOptions>({declare_run, run_run})};
}

}  // namespace lockstep::tools
