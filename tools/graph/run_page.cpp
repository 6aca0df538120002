#include "tools/graph/run_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "generated/build_info.h"
#include "properties/check/check.h"
#include "properties/monitors/all_properties.h"
#include "properties/monitors/monitors.h"
#include "reports/diagrams/script_view.h"
#include "reports/diagrams/state_graph.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"
#include "tools/graph/by_hand.h"
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
  const SearchedGraph searched =
      search_graph(run.setup, GraphView::lock, {.states_max = states_max}, &decided);
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

std::string step_command(const FollowedTrail& run, const RunPageAsked& asked) {
  const std::string& scenario = asked.scenario.empty() ? run.setup.name : asked.scenario;
  std::string command = "lockstep step " + reports::shell_word(scenario);
  for (const std::string& spec : run.scripts) command += " --scripts " + reports::shell_word(spec);
  return command;
}

std::vector<reports::PageProperty> properties_of_run(const FollowedTrail& run) {
  const properties::Told told = properties::tell(run.setup, run.trail);
  const auto its = properties::find_property(run.trail.property, run.setup);
  const sim::PropertyMask watched = properties::watched_in(run.setup, properties::all_usual) |
                                    (its ? properties::bit(*its) : 0);
  std::vector<reports::PageProperty> all;
  for (const properties::PropertyInfo& one : properties::all_properties(run.setup)) {
    if ((watched & properties::bit(one.property)) == 0) continue;
    all.push_back({.name = std::string(one.name),
                   .says = std::string(one.says),
                   .broken = (told.violated & properties::bit(one.property)) != 0,
                   .vacuous = (told.witnesses & properties::bit(one.premise)) == 0});
  }
  return all;
}

std::vector<std::pair<std::string, std::string>> facts_of_run(const FollowedTrail& run,
                                                              const sim::Trace& trace,
                                                              std::size_t decisions) {
  std::vector<std::pair<std::string, std::string>> facts{
      {"scenario", run.setup.name},
      {"its digest", run.setup.digest},
      {"scripts", run.setup.scripts_told()},
      {"bounds", properties::bounds_of(run.setup)}};
  for (const std::string& one : properties::within_of(run.setup)) facts.emplace_back("within", one);
  facts.emplace_back("run", fmt::format("{}, {}", sim::amount(decisions, "decision"),
                                        sim::amount(trace.events.size(), "event")));
  facts.emplace_back("program", fmt::format("lockstep {}", build_info::version));
  return facts;
}

}  // namespace

RunPage page_of_run(const sim::Trace& trace, const sim::Result<FollowedTrail>& run,
                    const RunPageAsked& asked) {
  RunPage page;
  page.options.again = asked.again;
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
    page.options.properties = properties_of_run(*run);
    page.options.facts = facts_of_run(*run, trace, decided->size());
    const std::string command = step_command(*run, asked);
    if (asked.by_hand_states > 0)
      page.options.by_hand =
          by_hand(run->setup, run->trail, *decided, command, {.states_max = asked.by_hand_states});
    if (auto choices = other_ways(run->setup, run->trail, command))
      page.options.choices = *std::move(choices);
    page.options.pictures.push_back(picture_of_states(*run, *decided, page.options.choices));
    page.options.pictures.push_back(picture_of_scripts(*counted));
  }
  for (const PagePicture& one : page.options.pictures)
    if (!one.missing.empty()) page.notes.push_back(fmt::format("no {}: {}", one.name, one.missing));
  return page;
}

}  // namespace lockstep::tools
