#include "tools/graph/run_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/diagrams/script_view.h"
#include "reports/diagrams/state_graph.h"
#include "reports/text/text.h"
#include "tools/graph/other_ways.h"
#include "tools/graph/script_hits.h"
#include "tools/graph/searched_graph.h"

namespace lockstep::tools {

namespace {

using reports::Engine;
using reports::PagePicture;

constexpr std::uint64_t states_max = 30'000;  // of a search that nobody asked for by itself
constexpr std::size_t nodes_max = 60;         // that are still read in a corner of a page

PagePicture picture_of_states(const FollowedTrail& run, const std::vector<Decided>& decided,
                              const std::vector<reports::PageChoice>& choices) {
  const SearchedGraph searched = search_graph(run.setup, GraphView::lock, states_max, &decided);
  std::string title = fmt::format("{} states{}", reports::grouped(searched.states),
                                  searched.complete ? "" : ", search cut at the limit");
  title += "\nbold: " + searched.path;
  const std::string dot = reports::state_graph_dot(searched.graph, {.title = title, .nodes_max = nodes_max});
  PagePicture picture = reports::page_picture("states", dot, Engine::layered);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::size_t end = i + 1 < choices.size() ? choices[i + 1].event : choices[i].event + 64;
    for (std::size_t event = choices[i].event; event < end; ++event)
      picture.marks[event] = fmt::format("st-{}", searched.nodes_of_run[choices[i].decision]);
  }
  return picture;
}

PagePicture picture_of_scripts(const CountedRun& run) {
  PagePicture picture =
      reports::page_picture("script", to_dot(reports::script_drawing(run.counted)), Engine::pinned);
  const auto& scripts = run.counted.scripts;
  std::map<std::int64_t, std::size_t> ran;  // which script an eval ran
  for (std::size_t at = 0; at < run.trace.events.size(); ++at) {
    const sim::TraceEvent& event = run.trace.events[at];
    if (event.kind == sim::TraceKind::eval) {
      const auto found = std::find_if(scripts.begin(), scripts.end(),
                                      [&](const auto& script) { return script.role == event.script; });
      if (found != scripts.end()) ran[event.index] = static_cast<std::size_t>(found - scripts.begin());
    }
    const auto script = ran.find(event.of.value_or(event.index));
    if (script != ran.end() && event.line)
      picture.marks[at] = fmt::format("line-{}-{}", script->second, *event.line);
  }
  return picture;
}

}  // namespace

RunPage page_of_run(const sim::Trace& trace, const sim::Result<FollowedTrail>& run,
                    const std::string& again) {
  RunPage page;
  page.options.again = again;
  page.options.pictures = reports::page_pictures(trace);
  const auto missing = [&page](const std::string& why) {
    page.notes.push_back("no states, scripts and choices: " + why);
  };
  if (!run) {
    missing(run.problem().text);
  } else if (const auto decided = decided_run(run->setup, run->trail); !decided) {
    missing(decided.problem().text);
  } else if (auto counted = count_run(run->setup, run->trail); !counted) {
    missing(counted.problem().text);
  } else if (counted->trace.events.size() != trace.events.size()) {
    missing("the trace is of another run");
  } else {
    const std::string command = "lockstep step " + reports::shell_word(run->setup.name);
    if (auto choices = other_ways(run->setup, run->trail, command))
      page.options.choices = *std::move(choices);
    page.options.pictures.push_back(picture_of_states(*run, *decided, page.options.choices));
    page.options.pictures.push_back(picture_of_scripts(*counted));
  }
  for (const PagePicture& one : page.options.pictures)
    if (one.svg.empty()) page.notes.push_back(fmt::format("no {}: {}", one.name, one.missing));
  return page;
}

}  // namespace lockstep::tools
