#include "tools/cli/cmd_measure.h"

#include <fmt/format.h>

#include "properties/check/check.h"
#include "reports/diagrams/graphviz.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/cli/schedule.h"
#include "tools/cli/work_watch.h"
#include "tools/measure/figures.h"

namespace lockstep::tools {

namespace {

/// KEY=a,b,c taken apart; without a sweep one point without a value.
sim::Result<Measurement> planned(const MeasureOptions& options) {
  Measurement plan{.scenario = {}, .scripts = {}, .key = {}, .seed = options.seed, .runs = options.runs};
  if (options.sweep.empty()) {
    plan.points.emplace_back();
    return plan;
  }
  const std::size_t equals = options.sweep.find('=');
  if (equals == std::string::npos || equals == 0)
    return sim::Problem{fmt::format("--sweep wants KEY=a,b,c, not `{}`", options.sweep)};
  plan.key = options.sweep.substr(0, equals);
  for (std::size_t at = equals + 1; at <= options.sweep.size();) {
    const std::size_t end = std::min(options.sweep.find(',', at), options.sweep.size());
    if (end == at) return sim::Problem{fmt::format("--sweep {}: one of the values is empty", options.sweep)};
    plan.points.push_back({options.sweep.substr(at, end - at), {}});
    at = end + 1;
  }
  return plan;
}

std::optional<sim::Problem> measure_point(const MeasureOptions& options, Measurement& all,
                                          MeasuredPoint& point) {
  std::vector<ValueChange> changes;
  if (!all.key.empty()) changes.push_back({all.key, point.value});
  const auto setup = load_scenario(options.scenario, options.scripts, changes);
  if (!setup && changes.empty()) return setup.problem();
  if (!setup) {
    std::string why = setup.problem().text;
    if (why.starts_with("error: ")) why.erase(0, 7);
    return sim::Problem{fmt::format("--sweep {}={}: {}", all.key, point.value, why)};
  }
  all.scenario = setup->name;
  all.scripts = setup->scripts_told();
  for (std::uint64_t i = 0; i < options.runs && !InterruptWatch::interrupted(); ++i) {
    const sim::Trail trail = schedule(*setup, {.seed = options.seed + i, .until = {}});
    point.measured.add(properties::tell(*setup, trail).trace);
  }
  return std::nullopt;
}

sim::Result<std::string> written(const Measurement& measurement, MeasureFormat format) {
  switch (format) {
    case MeasureFormat::table: break;
    case MeasureFormat::csv: return measurement_csv(measurement);
    case MeasureFormat::json: return measurement_json(measurement);
    case MeasureFormat::gnuplot: return measurement_plot(measurement);
    case MeasureFormat::svg: return reports::plotted(measurement_plot(measurement));
  }
  return measurement_table(measurement);
}

ExitCode run_measure(const MeasureOptions& options, Session& session) {
  auto measurement = planned(options);
  if (!measurement) return complain(session, measurement.problem());
  const InterruptWatch interrupt;
  for (MeasuredPoint& point : measurement->points)
    if (const auto problem = measure_point(options, *measurement, point)) return complain(session, *problem);
  measurement->complete = !InterruptWatch::interrupted();
  const auto text = written(*measurement, options.format);
  if (!text) return complain(session, text.problem());
  session.console.out << *text;
  if (measurement->complete) return ExitCode::as_expected;
  session.console.err << "incomplete: interrupted, so runs are missing\n";
  return ExitCode::interrupted;
}

void declare_measure(Grammar& grammar, MeasureOptions& o) {
  grammar.word("SCENARIO", o.scenario, "the scenario file, or the name of a built-in one");
  grammar.count("--runs", o.runs, "how many schedules are drawn (100)");
  grammar.count("--seed", o.seed, "seed of the first; each has the next (1)");
  grammar.text("--sweep", o.sweep, "KEY=a,b,c",
               "measure with each of these values, such as process.W.count=2,4 or step.lease=5s,10s");
  grammar.scripts(o.scripts);
  grammar.choice<MeasureFormat>("--format", o.format,
                                {{"table", MeasureFormat::table},
                                 {"csv", MeasureFormat::csv},
                                 {"json", MeasureFormat::json},
                                 {"gnuplot", MeasureFormat::gnuplot},
                                 {"svg", MeasureFormat::svg}},
                                "how to write it; svg needs gnuplot (table)");
}

std::string complaint_about_measure(const MeasureOptions& options) {
  constexpr std::uint64_t runs_max = 1'000'000;
  if (options.runs == 0 || options.runs > runs_max) return "--runs wants a number from 1 to 1 000 000";
  if (options.seed > ~std::uint64_t{0} - runs_max) return "--seed is too large for so many runs";
  return "";
}

}  // namespace

Verb measure_verb() {
  return {.name = "measure",
          .summary = "say how long threads wait, and what a lock costs",
          .usage = "SCENARIO",
          .examples = {"lockstep measure plain/two-clients --runs 200",
                       "lockstep measure plain/two-clients --sweep time.watchdog=9s,30s --format csv",
                       "lockstep measure plain/two-clients --format gnuplot -o waits.gp"},
          .required = {"SCENARIO"},
          .request =
              requests<MeasureOptions>({declare_measure, to_output<run_measure>, complaint_about_measure})};
}

}  // namespace lockstep::tools
