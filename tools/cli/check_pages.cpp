#include "tools/cli/check_pages.h"

#include "properties/check/check.h"
#include "reports/page/page.h"
#include "reports/text/text.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/graph/run_page.h"

namespace lockstep::tools {

sim::Result<reports::IndexedScenario> write_pages(const std::string& directory, const model::Setup& setup,
                                                  const reports::CheckResult& result) {
  reports::IndexedScenario indexed{result, setup.about, {}};
  for (const reports::PropertyResult& one : result.properties) {
    if (one.trail_file.empty()) continue;
    auto trail = load_trail(one.trail_file);
    if (!trail) return trail.problem();
    const sim::Result<FollowedTrail> run =
        FollowedTrail{*std::move(trail), setup, "", result.overrides};
    const sim::Trace trace = properties::tell(setup, run->trail).trace;
    const RunPage page =
        page_of_run(trace, run,
                    {.again = "lockstep replay " + reports::shell_word(one.trail_file) + result.again,
                     .scenario = result.file});
    const std::string file = setup.name + "/" + one.property + ".html";
    if (auto problem = make_directory(directory + "/" + setup.name)) return *std::move(problem);
    if (auto problem = write_file(directory + "/" + file, reports::page(trace, page.options)))
      return *std::move(problem);
    indexed.pages[one.property] = file;
  }
  return indexed;
}

std::optional<sim::Problem> write_index(const std::string& directory,
                                        const std::vector<reports::IndexedScenario>& scenarios) {
  if (auto problem = make_directory(directory)) return problem;
  return write_file(directory + "/index.html", reports::index_page(scenarios));
}

}  // namespace lockstep::tools
