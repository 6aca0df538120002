#include "tools/cli/counterexample.h"

#include <fmt/format.h>

#include "reports/text/story.h"
#include "reports/files/trace_file.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

sim::Result<Counterexample> keep_counterexample(const model::Setup& setup,
                                                const properties::PropertyResult& result,
                                                const std::string& out_dir) {
  const std::string directory = out_dir + "/" + setup.name;
  if (auto problem = make_directory(directory)) return *std::move(problem);
  Counterexample kept{.property = std::string(properties::info(result.property).name),
                      .trail_file = {},
                      .trace_file = {},
                      .story = {}};
  kept.trail_file = fmt::format("{}/{}.trail", directory, kept.property);
  kept.trace_file = fmt::format("{}/{}.jsonl", directory, kept.property);
  const properties::Told told = properties::tell(setup, *result.deviations);
  kept.steps = told.steps;
  kept.story = reports::story(told.trace);
  if (auto problem = write_file(kept.trail_file, sim::text_of(*result.deviations)))
    return *std::move(problem);
  if (auto problem = write_file(kept.trace_file, reports::write_trace(told.trace)))
    return *std::move(problem);
  return kept;
}

std::string show_deviations(const sim::Trail& trail) {
  std::string text;
  for (const sim::TrailLine& line : trail.lines)
    text += fmt::format("  step {:>4}  {}\n", line.step, line.move);
  return text;
}

}  // namespace lockstep::tools
