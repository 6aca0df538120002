#include "tools/cli/graph_options.h"

namespace lockstep::tools {

namespace {

std::string complaint_about_machine(const GraphOptions& graph) {
  if (graph.kind != GraphKind::machine)
    return !graph.lock.empty() || graph.future ? "--lock and --future are for --kind machine"
           : graph.file.empty()                ? "FILE is missing; usage: lockstep graph SCENARIO|TRAIL|TRACE"
                                               : "";
  if (graph.lock.empty()) return "--kind machine wants --lock KIND";
  if (!graph.file.empty()) return "--kind machine needs no FILE: it is the same in every scenario";
  const bool a_set =
      graph.scripts.empty() || (graph.scripts.size() == 1 && graph.scripts[0].find('=') == std::string::npos);
  return a_set ? "" : "--kind machine takes one set of scripts";
}

}  // namespace

const Choices<GraphType>& graph_types() {
  static const Choices<GraphType> types{{"svg", GraphType::svg},
                                        {"png", GraphType::png},
                                        {"pdf", GraphType::pdf},
                                        {"dot", GraphType::dot},
                                        {"mermaid", GraphType::mermaid},
                                        {"plantuml", GraphType::plantuml},
                                        {"txt", GraphType::text}};
  return types;
}

void declare_graph(Grammar& grammar, GraphOptions& o) {
  grammar.word("FILE", o.file, "a scenario (of which the default schedule is drawn), a trail or a trace");
  grammar.choice<GraphKind>("--kind", o.kind,
                            {{"sequence", GraphKind::sequence},
                             {"timeline", GraphKind::timeline},
                             {"failover", GraphKind::failover},
                             {"states", GraphKind::states},
                             {"script", GraphKind::script},
                             {"machine", GraphKind::machine}},
                            "what to draw (sequence)");
  grammar.choice<GraphType>("-T,--type", o.type, graph_types(),
                            "file type; by default as the name of the file ends, else svg");
  grammar.count("--from", o.from, "first event");
  grammar.count("--to", o.to, "last event");
  grammar.flag_off("--no-idle", o.idle, "leave out threads and nodes to which nothing happens");
  grammar.choice<GraphScale>("--scale", o.scale, {{"order", GraphScale::order}, {"time", GraphScale::time}},
                             "timeline: space events evenly, or by virtual time (time, if any passes)");
  grammar.choice<GraphView>(
      "--by", o.view,
      {{"lock", GraphView::lock},
       {"holder", GraphView::holder},
       {"number", GraphView::number},
       {"full", GraphView::full}},
      "states: one node for all in which holders, beliefs and waiters are the same, or only "
      "holders and waiters, or how many there are, or each alone (lock)");
  grammar.count("--max-nodes", o.nodes_max, "states: draw at most this many nodes (300)");
  grammar.count("--max-states", o.states_max, "states, script: search at most this many (100000)");
  grammar.size("--memory-limit", o.memory_max, "states: search until so much memory is in use");
  grammar.text("--scenario", o.scenario, "FILE",
               "the file of the trail's scenario, if its name does not tell");
  grammar.text("--lock", o.lock, "KIND",
               "machine: the lock kind whose calls are drawn (`lockstep list kinds`)");
  grammar.flag("--future", o.future, "machine: that of calls that return a future");
  grammar.scripts(o.scripts);
  grammar.repeated("--against", o.against, "SPEC",
                   "states: with these scripts as well, and which edges only one side has; script: both "
                   "beside each other; may be repeated");
  grammar.duration("--layout-timeout", o.layout_timeout, "how long Graphviz may take (20s)");
}

std::string complaint_about_graph(const GraphOptions& graph) {
  if (const std::string wrong = complaint_about_machine(graph); !wrong.empty()) return wrong;
  if (graph.kind == GraphKind::machine && graph.type == GraphType::text) return "-T txt is for --kind script";
  const bool states = graph.kind == GraphKind::states || graph.kind == GraphKind::machine;
  const bool script = graph.kind == GraphKind::script;
  const bool run = !states && !script;
  const bool form = graph.kind != GraphKind::failover && !script;
  if (is_text_form(graph.type) && !form)
    return "-T mermaid and -T plantuml are for --kind sequence, timeline, states and machine";
  if (graph.type == GraphType::text && !script) return "-T txt is for --kind script";
  if (!run && !graph.idle) return "--no-idle is for pictures of a run";
  if (!run && (graph.from || graph.to)) return "--from and --to are for pictures of a run";
  if (graph.scale != GraphScale::automatic && graph.kind != GraphKind::timeline)
    return "--scale is for --kind timeline";
  if (!states && graph.view != GraphView::lock) return "--by is for --kind states";
  if (states && graph.nodes_max == 0) return "--max-nodes wants at least 1";
  if (graph.kind != GraphKind::states && !script && !graph.against.empty())
    return "--against is for --kind states and script";
  if (graph.kind != GraphKind::states && graph.memory_max) return "--memory-limit is for --kind states";
  if (!run && graph.states_max == 0) return "--max-states wants at least 1";
  return "";
}

}  // namespace lockstep::tools
