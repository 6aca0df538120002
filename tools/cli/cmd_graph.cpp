#include "tools/cli/cmd_graph.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "properties/check/check.h"
#include "reports/diagrams/differing_graph.h"
#include "reports/diagrams/drawing.h"
#include "reports/diagrams/failover.h"
#include "reports/diagrams/graphviz.h"
#include "reports/diagrams/idle.h"
#include "reports/diagrams/mermaid.h"
#include "reports/diagrams/plantuml.h"
#include "reports/diagrams/script_pair.h"
#include "reports/diagrams/script_view.h"
#include "reports/diagrams/sequence.h"
#include "reports/diagrams/timeline.h"
#include "reports/diagrams/timeline_text.h"
#include "reports/files/trace_file.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"
#include "tools/cli/event_window.h"
#include "tools/cli/followed.h"
#include "tools/cli/graph_options.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/graph/machine_graph.h"
#include "tools/graph/script_hits.h"
#include "tools/graph/searched_graph.h"

namespace lockstep::tools {

namespace {

/// What the file turned out to be: a trace, or a scenario with the trail to follow in it.
struct Subject {
  std::optional<sim::Trace> trace;
  std::optional<sim::Trail> trail;
};

sim::Result<Subject> subject_of(const std::string& word) {
  std::error_code ignored;
  const bool is_file = word == "-" || std::filesystem::exists(word, ignored);
  if (!is_file) return Subject{};  // a built-in scenario, perhaps
  const auto bytes = read_input(word);
  if (!bytes) return bytes.problem();
  Subject subject;
  if (reports::looks_like_trace(*bytes)) {
    auto trace = reports::read_trace(*bytes, word);
    if (!trace) return trace.problem();
    subject.trace = std::move(*trace);
  } else if (sim::looks_like_trail(*bytes)) {
    auto trail = sim::parse_trail(*bytes, word);
    if (!trail) return trail.problem();
    subject.trail = std::move(*trail);
  } else if (word == "-") {
    return sim::Problem{"standard input holds neither a trace nor a trail; a scenario is given by its name"};
  }
  return subject;
}

/// The scenario that is meant, with the trail to follow in it: by default the default schedule.
sim::Result<FollowedTrail> followed(const Subject& subject, const GraphOptions& options) {
  if (subject.trail)
    return load_followed(
        *subject.trail,
        {.file = options.file, .scenario = options.scenario, .scripts = options.scripts, .lenient = false});
  if (!options.scenario.empty()) return sim::Problem{"--scenario says what a trail is of; this is no trail"};
  auto setup = load_scenario(options.file, options.scripts);
  if (!setup) return setup.problem();
  FollowedTrail by_default{properties::trail_header(*setup, "", ""), *setup, {}};
  by_default.trail.then = {.by_default = true, .until = {}};
  return by_default;
}

/// The trace of the file, of its trail, or of the default schedule.
sim::Result<sim::Trace> trace_of(const Subject& subject, const GraphOptions& options) {
  if (subject.trace) return *subject.trace;
  const auto run = followed(subject, options);
  if (!run) return run.problem();
  const auto told = properties::tell(run->setup, run->trail);
  if (told.divergence)
    return sim::Problem{fmt::format("{}: the run leaves the trail: {}", options.file, *told.divergence)};
  return told.trace;
}

reports::Scale scale_of(GraphScale scale) {
  switch (scale) {
    case GraphScale::automatic: return reports::Scale::automatic;
    case GraphScale::order: return reports::Scale::order;
    case GraphScale::time: return reports::Scale::time;
  }
  return reports::Scale::automatic;
}

/// What the name of the file says that it is.
GraphType type_of(const std::string& file) {
  const std::string end = std::filesystem::path(file).extension().string();
  for (const auto& [word, type] : graph_types())
    if (end == "." + word) return type;
  return end == ".puml"  ? GraphType::plantuml
         : end == ".mmd" ? GraphType::mermaid : end == ".gv" ? GraphType::dot : GraphType::svg;
}

std::string format_of(GraphType type) {
  switch (type) {
    case GraphType::automatic:
    case GraphType::svg: return "svg";
    case GraphType::png: return "png";
    case GraphType::pdf: return "pdf";
    case GraphType::dot: return "dot";
    case GraphType::mermaid: return "mermaid";
    case GraphType::plantuml: return "plantuml";
    case GraphType::text: return "txt";
  }
  return "";
}

std::chrono::milliseconds layout_time(const GraphOptions& options) {
  constexpr std::chrono::seconds usual{20}, most{24 * 3600};
  return std::min<std::chrono::milliseconds>(options.layout_timeout.value_or(usual), most);
}

/// Every window but that of a sequence is the whole run, where nothing else is said.
template <class Options>
Options windowed(Options options, const reports::Window& window) {
  options.window.from = window.from;
  options.window.to = window.to;
  return options;
}

reports::Drawing drawing_of(const sim::Trace& trace, const GraphOptions& options,
                            const reports::Window& window) {
  switch (options.kind) {
    case GraphKind::timeline:
      return reports::timeline_diagram(
          trace, windowed(reports::TimelineOptions{.scale = scale_of(options.scale)}, window));
    case GraphKind::failover:
      return reports::failover_diagram(trace, windowed(reports::FailoverOptions{}, window));
    default:
      return reports::sequence_diagram(trace, window);
  }
}

std::string text_form_of_run(const sim::Trace& trace, const GraphOptions& options,
                             const reports::Window& window) {
  const bool mermaid = options.type == GraphType::mermaid;
  if (options.kind == GraphKind::sequence)
    return mermaid ? reports::mermaid(trace, {.window = window})
                   : reports::plantuml(trace, {.window = window});
  const reports::Window wide = windowed(reports::TimelineOptions{}, window).window;
  return mermaid ? reports::mermaid_timeline(trace, wide) : reports::plantuml_timeline(trace, wide);
}

std::string text_form_of_graph(const reports::StateGraph& graph, const reports::StateGraphOptions& how,
                               GraphType type) {
  return type == GraphType::mermaid ? reports::mermaid(graph, how) : reports::plantuml(graph, how);
}

sim::Result<std::string> draw_run(const Subject& subject, const GraphOptions& options) {
  auto trace = trace_of(subject, options);
  if (!trace) return trace.problem();
  const auto window = event_window(options.from, options.to, *trace);
  if (!window) return window.problem();
  if (!options.idle) trace = reports::without_idle(*std::move(trace), *window);
  if (is_text_form(options.type)) return text_form_of_run(*trace, options, *window);
  return reports::render(to_dot(drawing_of(*trace, options, *window)), reports::Engine::pinned,
                         format_of(options.type), layout_time(options));
}

std::string title_of(const model::Setup& setup, const SearchedGraph& searched) {
  std::string title = fmt::format("{}: {} states, {} transitions", reports::printable(setup.name),
                                  reports::grouped(searched.states), reports::grouped(searched.transitions));
  if (!searched.complete) title += ", search cut at the limit";
  if (!searched.path.empty()) title += "\nbold: " + searched.path;
  return title;
}

/// A trace carries its trail.
sim::Result<Subject> with_trail(Subject subject, const std::string& file) {
  if (!subject.trace) return subject;
  auto trail = sim::parse_trail(subject.trace->trail, file + " (its trail)");
  if (!trail) return trail.problem();
  subject.trail = std::move(*trail);
  return subject;
}

sim::Result<std::string> draw_scripts(const Subject& given, const GraphOptions& options, Session& session) {
  const auto subject = with_trail(given, options.file);
  if (!subject) return subject.problem();
  const auto run = followed(*subject, options);
  if (!run) return run.problem();
  reports::CountedScripts counted;
  if (subject->trail) {
    auto of_run = count_run(run->setup, run->trail);
    if (!of_run) return sim::Problem{options.file + ": " + of_run.problem().text};
    counted = std::move(of_run->counted);
  } else {
    CountedSearch of_search = count_search(run->setup, options.states_max);
    if (!of_search.complete)
      session.console.err << fmt::format("note: the search was cut after {} states (--max-states)\n",
                                         reports::grouped(of_search.states));
    counted = std::move(of_search.counted);
  }
  if (options.type == GraphType::text) return reports::counted_text(counted);
  return reports::render(to_dot(reports::script_drawing(counted)), reports::Engine::pinned,
                         format_of(options.type), layout_time(options));
}

sim::Result<std::string> draw_graph(const reports::StateGraph& graph, const reports::StateGraphOptions& how,
                                    const GraphOptions& options) {
  if (is_text_form(options.type)) return text_form_of_graph(graph, how, options.type);
  return reports::render(reports::state_graph_dot(graph, how), reports::Engine::layered,
                         format_of(options.type), layout_time(options));
}

sim::Result<std::string> draw_states(const Subject& given, const GraphOptions& options, Session& session) {
  const auto subject = with_trail(given, options.file);
  if (!subject) return subject.problem();
  const auto run = followed(*subject, options);
  if (!run) return run.problem();
  const model::Setup& setup = run->setup;
  std::vector<Decided> way;
  if (subject->trail) {
    auto decided = decided_run(setup, run->trail);
    if (!decided) return sim::Problem{options.file + ": " + decided.problem().text};
    way = *std::move(decided);
  }
  const SearchedGraph searched =
      search_graph(setup, options.view, {.states_max = options.states_max, .memory_max = options.memory_max},
                   subject->trail ? &way : nullptr);
  if (!searched.complete)
    session.console.err << fmt::format("note: the search was cut after {} states ({}); the picture "
                                       "shows those nearest to the start\n",
                                       reports::grouped(searched.states),
                                       searched.memory_was_up ? "--memory-limit" : "--max-states");
  if (searched.graph.nodes.size() > options.nodes_max)
    session.console.err << fmt::format("note: {} of {} nodes are drawn (--max-nodes)\n",
                                       reports::grouped(options.nodes_max),
                                       reports::grouped(searched.graph.nodes.size()));
  const reports::StateGraphOptions how{.title = title_of(setup, searched), .nodes_max = options.nodes_max};
  return draw_graph(searched.graph, how, options);
}

struct TwoSides {
  model::Setup first, second;
  std::optional<sim::Trail> trail;  // to follow on both sides
  std::string first_told, second_told;
};

/// The subject as it is, and with the scripts of --against on top.
sim::Result<TwoSides> two_sides(const Subject& subject, const GraphOptions& options) {
  const auto first = followed(subject, options);
  if (!first) return first.problem();
  GraphOptions other = options;
  other.scripts.insert(other.scripts.end(), options.against.begin(), options.against.end());
  const auto second = followed(subject, other);
  if (!second) return second.problem();
  const auto told = [](const model::Setup& setup, const std::vector<std::string>& given) {
    return reports::printable(given.empty() ? setup.scripts_told()
                                            : fmt::format("{}", fmt::join(given, ", ")));
  };
  TwoSides sides{first->setup, second->setup, {}, told(first->setup, options.scripts),
                 told(second->setup, options.against)};
  if (subject.trail) sides.trail = first->trail;
  return sides;
}

/// The scripts of both sides beside each other.
sim::Result<std::string> draw_script_pair(const Subject& given, const GraphOptions& options,
                                          Session& session) {
  const auto subject = with_trail(given, options.file);
  if (!subject) return subject.problem();
  const auto sides = two_sides(*subject, options);
  if (!sides) return sides.problem();
  auto counted = count_pair(sides->first, sides->second, sides->trail ? &*sides->trail : nullptr,
                            options.states_max);
  if (!counted) return sim::Problem{options.file + ": " + counted.problem().text};
  if (!counted->complete)
    session.console.err << "note: a search was cut (--max-states); what never ran may only not have been "
                           "come to\n";
  reports::PairedScripts& pairs = counted->scripts;
  pairs.a = sides->first_told + "\n" + pairs.a;
  pairs.b = sides->second_told + "\n" + pairs.b;
  if (options.type == GraphType::text) return reports::paired_text(pairs);
  return reports::render(to_dot(reports::script_pair_drawing(pairs)), reports::Engine::pinned,
                         format_of(options.type), layout_time(options));
}

/// The states with both scripts in one picture.
sim::Result<std::string> draw_difference(const Subject& subject, const GraphOptions& options,
                                         Session& session) {
  const auto sides = two_sides(subject, options);
  if (!sides) return sides.problem();
  const GraphLimits limits{.states_max = options.states_max, .memory_max = options.memory_max};
  const SearchedGraph a = search_graph(sides->first, options.view, limits);
  const SearchedGraph b = search_graph(sides->second, options.view, limits);
  if (!a.complete || !b.complete)
    session.console.err << "note: a search was cut; what only one side shows may be what the other did not "
                           "come to\n";
  const reports::DifferingGraph merged = reports::differing_graph(a.graph, b.graph);
  std::string title = fmt::format(
      "{}\n− dashed, red: {} only with {} ({} states)\n+ green: {} only with {} ({} states)",
      reports::printable(sides->second.name), sim::amount(merged.only_first, "edge"), sides->first_told,
      reports::grouped(a.states), sim::amount(merged.only_second, "edge"), sides->second_told,
      reports::grouped(b.states));
  if (!b.path.empty()) title += "\nnumbers, with the latter: " + b.path;
  return draw_graph(merged.graph, {.title = title, .nodes_max = options.nodes_max}, options);
}

sim::Result<std::string> draw_machine(const GraphOptions& options) {
  auto drawn =
      machine_graph(options.lock, options.scripts.empty() ? "" : options.scripts.front(), options.future);
  if (!drawn) return drawn.problem();
  const reports::StateGraphOptions how{.title = drawn->title, .nodes_max = options.nodes_max};
  return draw_graph(drawn->graph, how, options);
}

sim::Result<std::string> draw(const GraphOptions& options, Session& session) {
  if (options.kind == GraphKind::machine) return draw_machine(options);
  const auto subject = subject_of(options.file);
  if (!subject) return subject.problem();
  const bool is_run = subject->trace || subject->trail;
  const bool two = !options.against.empty();
  if (two && options.kind == GraphKind::script) return draw_script_pair(*subject, options, session);
  if (two && is_run) return sim::Problem{"--against is of a scenario, and this is a run of one"};
  if (two) return draw_difference(*subject, options, session);
  if (options.kind == GraphKind::states) return draw_states(*subject, options, session);
  if (options.kind == GraphKind::script) return draw_scripts(*subject, options, session);
  return draw_run(*subject, options);
}

/// Bytes that are no text would only confuse a terminal.
bool would_hit_terminal(const GraphOptions& options, const GlobalOptions& global) {
  const bool binary = options.type == GraphType::png || options.type == GraphType::pdf;
  return binary && (global.out_file.empty() || global.out_file == "-") && ::isatty(STDOUT_FILENO) == 1;
}

ExitCode run_graph(const GraphOptions& asked, Session& session) {
  GraphOptions options = asked;
  if (options.type == GraphType::automatic) options.type = type_of(session.global.out_file);
  if (const std::string wrong = complaint_about_graph(options); !wrong.empty())
    return complain(session, {wrong});
  if (would_hit_terminal(options, session.global)) {
    return complain(session, {fmt::format("a {} is not for a terminal; name a file with -o FILE",
                                          format_of(options.type))});
  }
  const auto picture = draw(options, session);
  if (!picture) return complain(session, picture.problem());
  if (const auto problem = deliver(session.global.out_file, *picture, session.console.out))
    return complain(session, *problem);
  return ExitCode::as_expected;
}

}  // namespace

Verb graph_verb() {
  return {.name = "graph",
          .summary = "draw a run or a state graph",
          .usage = "[SCENARIO|TRAIL|TRACE]",
          .examples = {"lockstep graph bug.trail -o bug.png",
                       "lockstep graph run.jsonl --kind timeline -o run.svg",
                       "lockstep graph failover/old-master-returns --kind failover -o nodes.svg",
                       "lockstep graph plain/two-clients --kind states -o states.svg",
                       "lockstep graph plain/two-clients --kind states --against redisson@3.12.3 -o diff.svg",
                       "lockstep graph plain/two-clients --kind script -T txt",
                       "lockstep graph plain/two-clients --kind script --against redisson@3.12.3 -T txt",
                       "lockstep graph --kind machine --lock fair -o fair.svg"},
          .request = requests<GraphOptions>({declare_graph, run_graph, complaint_about_graph})};
}

}  // namespace lockstep::tools
