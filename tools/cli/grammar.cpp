#include "tools/cli/grammar.h"

#include "tools/cli/options.h"

namespace lockstep::tools {

namespace {

const Choices<Format> formats{{"human", Format::human}, {"json", Format::json}};

constexpr const char* about_scripts =
    "replace scripts: a set (redisson@3.10.5), a directory, or ROLE=FILE; may be repeated";

void declare_run(CLI::App& app, AllOptions& all) {
  RunOptions& o = all.run;
  app.add_option("SCENARIO", o.scenario, "the scenario file, or the name of a built-in one");
  count(app, "--seed", o.seed, "draw the schedule from this seed; without it the default schedule");
  duration(app, "--until", o.until, "cut the run at this virtual time");
  repeated(app, "--scripts", o.scripts, "SPEC", about_scripts);
  text(app, "--trace", o.trace, "FILE", "write the trace");
  flag(app, "--monitor", o.monitor, "print the commands that the servers ran, as MONITOR shows them");
  flag(app, "--story", o.story, "print what happened, one line a step");
}

void declare_check(CLI::App& app, AllOptions& all) {
  CheckOptions& o = all.check;
  app.add_option("SCENARIO", o.scenarios, "scenario files, or names of built-in ones");
  choice<Strategy>(app, "--strategy", o.strategy,
                   {{"bfs", Strategy::bfs}, {"random", Strategy::random}, {"pct", Strategy::pct}},
                   "search only so; by default breadth first until a limit, then samples");
  count(app, "--seed", o.seed, "seed of the samples (1)");
  count(app, "--runs", o.runs, "schedules to sample");
  count(app, "--max-states", o.states_max, "limit: states to store");
  count(app, "--max-depth", o.depth_max, "limit: moves from the start");
  count(app, "--max-steps", o.steps_max, "limit: moves of a sampled schedule");
  duration(app, "--time-limit", o.time_limit, "limit: wall time for each scenario");
  size(app, "--memory-limit", o.memory_limit, "limit: memory");
  flag(app, "--exact", o.exact, "compare whole states instead of their 128-bit digests");
  flag_off(app, "--no-symmetry", o.symmetry, "tell interchangeable processes apart");
  repeated(app, "--property", o.properties, "NAME", "check only this property; may be repeated");
  repeated(app, "--scripts", o.scripts, "SPEC", about_scripts);
  flag_off(app, "--no-shrink", o.shrink, "keep counterexamples as they were found");
  choice(app, "--format", o.format, formats, "how to print the result");
}

void declare_replay(CLI::App& app, AllOptions& all) {
  ReplayOptions& o = all.replay;
  app.add_option("FILE", o.file, "a trail, or a trace, which carries its trail");
  text(app, "--scenario", o.scenario, "FILE", "the file of the trail's scenario, if its name does not tell");
  repeated(app, "--scripts", o.scripts, "SPEC", about_scripts);
  text(app, "--trace", o.trace, "FILE", "write the trace");
  flag(app, "--lenient", o.lenient, "match moves by their text and skip those that are gone");
  count(app, "--to", o.to, "stop after this decision");
}

void declare_shrink(CLI::App& app, AllOptions& all) {
  ShrinkOptions& o = all.shrink;
  app.add_option("FILE", o.file, "a trail, or a trace, which carries its trail");
  text(app, "--scenario", o.scenario, "FILE", "the file of the trail's scenario, if its name does not tell");
  repeated(app, "--scripts", o.scripts, "SPEC", about_scripts);
  count(app, "--budget", o.budget, "how many replays to spend");
}

void declare_eval(CLI::App& app, AllOptions& all) {
  EvalOptions& o = all.eval;
  app.add_option("SCRIPT", o.script, "a file with the script's exact text, or the name of a built-in one");
  app.add_option("KEY", o.keys, "KEYS; a lone comma ends them, and all behind it is ARGV, options too");
  text(app, "--load", o.load, "FILE", "first run the commands of this file, one a line");
  text(app, "--all", o.all, "FILE", "run the commands of this file, one a line, and print each reply");
  flag(app, "--monitor", o.monitor, "print the commands that ran, as MONITOR shows them");
}

void declare_serve(CLI::App& app, AllOptions& all) {
  ServeOptions& o = all.serve;
  count(app, "--port", o.port, "the TCP port (6379; 0: any that is free); with --unix alone there is none");
  repeated(app, "--bind", o.bind, "ADDR", "listen here instead of 127.0.0.1 and ::1; may be repeated");
  text(app, "--unix", o.unix_path, "PATH", "listen on a unix socket too")->check([](const std::string& path) {
    return std::string(path.empty() ? "wants a path" : "");
  });
  count(app, "--maxclients", o.clients_max, "connections at a time (10000)");
  flag(app, "--virtual-time", o.virtual_time, "the clock stands until DEBUG CLOCK moves it");
  flag(app, "--running-time", o.running_time, "time runs on within a script, as in Redis 7.0");
  count(app, "--epoch-ms", o.epoch_ms, "what a virtual clock shows first, in ms since 1970 (1700000000000)");
  flag(app, "--verbose", o.verbose, "print who comes and goes, and each command");
}

void declare_trace(CLI::App& app, AllOptions& all) {
  TraceOptions& o = all.trace;
  choice<TraceAction>(
      app, "ACTION", o.action,
      {{"show", TraceAction::show}, {"verify", TraceAction::verify}, {"export", TraceAction::convert}},
      "what to do with it");
  app.add_option("FILE", o.file, "a trace");
  text(app, "--as", o.as, "NAME", "export: the format, one of `lockstep list exporters`");
  count(app, "--from", o.from, "first event");
  count(app, "--to", o.to, "last event");
}

void declare_graph(CLI::App& app, AllOptions& all) {
  GraphOptions& o = all.graph;
  app.add_option("FILE", o.file, "a scenario (of which the default schedule is drawn), a trail or a trace");
  choice<GraphKind>(
      app, "--kind", o.kind,
      {{"sequence", GraphKind::sequence}, {"timeline", GraphKind::timeline}, {"states", GraphKind::states}},
      "what to draw (sequence)");
  choice<GraphType>(app, "-T,--type", o.type,
                    {{"svg", GraphType::svg}, {"png", GraphType::png}, {"pdf", GraphType::pdf},
                     {"dot", GraphType::dot}, {"mermaid", GraphType::mermaid}},
                    "file type (svg)");
  count(app, "--from", o.from, "first event");
  count(app, "--to", o.to, "last event");
  choice<GraphScale>(app, "--scale", o.scale, {{"order", GraphScale::order}, {"time", GraphScale::time}},
                     "timeline: space events evenly, or by virtual time (time, if any passes)");
  choice<GraphView>(app, "--by", o.view, {{"lock", GraphView::lock}, {"full", GraphView::full}},
                    "states: one node for all in which holders, beliefs and waiters are the same, or each "
                    "alone (lock)");
  count(app, "--max-nodes", o.nodes_max, "states: draw at most this many nodes (300)");
  count(app, "--max-states", o.states_max, "states: search at most this many (100000)");
  repeated(app, "--scripts", o.scripts, "SPEC", about_scripts);
}

void declare_lint(CLI::App& app, AllOptions& all) {
  LintOptions& o = all.lint;
  app.add_option("SCENARIO", o.scenarios, "scenario files, or names of built-in ones");
  choice<bool>(app, "--print", o.print_normalised, {{"normalised", true}},
               "print the scenario with every default written out");
}

void declare_list(CLI::App& app, AllOptions& all) {
  ListOptions& o = all.list;
  choice<ListKind>(app, "KIND", o.kind,
                   {{"scenarios", ListKind::scenarios}, {"properties", ListKind::properties},
                    {"roles", ListKind::roles}, {"scripts", ListKind::scripts}, {"faults", ListKind::faults},
                    {"steps", ListKind::steps}, {"exporters", ListKind::exporters},
                    {"witnesses", ListKind::witnesses}},
                   "what to list");
  choice(app, "--format", o.format, formats, "how to print it");
}

void declare_bench(CLI::App& app, AllOptions& all) {
  text(app, "--filter", all.bench.filter, "TEXT", "only benchmarks whose name contains this");
  flag(app, "--json", all.bench.json, "print the measurements as JSON");
}

void declare_help(CLI::App& app, AllOptions& all) {
  app.add_option("TOPIC", all.help.topic, "a command or a topic");
}

void declare_version(CLI::App& app, AllOptions& all) {
  choice(app, "--format", all.version.format, formats, "how to print it");
}

template <auto Member>
Request pick(const AllOptions& all) {
  return all.*Member;
}

const std::vector<VerbGrammar> verbs{
    {"run",
     "play one schedule",
     "SCENARIO",
     {"lockstep run plain/two-clients --story",
      "lockstep run two.toml --seed 7 --trace run.jsonl"},
     {"SCENARIO"},
     declare_run,
     pick<&AllOptions::run>},
    {"check",
     "search for schedules that break a property",
     "SCENARIO…",
     {"lockstep check plain/two-clients", "lockstep check two.toml --scripts lock=my-lock.lua",
      "lockstep check two.toml --strategy pct --runs 100_000 --seed 7"},
     {"SCENARIO"},
     declare_check,
     pick<&AllOptions::check>},
    {"replay",
     "run a stored schedule again",
     "TRAIL|TRACE",
     {"lockstep replay out/plain/pause-outlives-lease/mutual-exclusion.trail",
      "lockstep replay bug.trail --scripts unlock=fixed.lua --lenient"},
     {"FILE"},
     declare_replay,
     pick<&AllOptions::replay>},
    {"shrink",
     "make a counterexample smaller",
     "TRAIL|TRACE",
     {"lockstep shrink bug.trail -o small.trail"},
     {"FILE"},
     declare_shrink,
     pick<&AllOptions::shrink>},
    {"eval",
     "run one script on a model of a server; exits with 1 if it answers an error",
     "[OPTIONS] SCRIPT.lua KEY… , ARG…",
     {"lockstep eval lock-hset.lua orders , 30000 client:1",
      "lockstep eval --monitor --load held.txt my-unlock.lua orders channel , 0 30000 client:1"},
     {},
     declare_eval,
     pick<&AllOptions::eval>},
    {"serve",
     "let redis-cli and Redis clients talk to a model of a server",
     "",
     {"lockstep serve --port 7000", "lockstep serve --unix /tmp/lockstep.sock --virtual-time"},
     {},
     declare_serve,
     pick<&AllOptions::serve>},
    {"trace",
     "print, verify or convert a trace",
     "show|verify|export FILE",
     {"lockstep trace show run.jsonl --from 10 --to 40", "lockstep trace verify run.jsonl",
      "lockstep trace export run.jsonl --as mermaid -o run.mmd"},
     {"ACTION", "FILE"},
     declare_trace,
     pick<&AllOptions::trace>},
    {"graph",
     "draw a run or a state graph",
     "SCENARIO|TRAIL|TRACE",
     {"lockstep graph bug.trail -o bug.svg", "lockstep graph run.jsonl --kind timeline -T png -o run.png",
      "lockstep graph plain/two-clients --kind states -o states.svg"},
     {"FILE"},
     declare_graph,
     pick<&AllOptions::graph>},
    {"lint",
     "check scenario files without running them",
     "SCENARIO…",
     {"lockstep lint scenarios/plain/*.toml", "lockstep lint two.toml --print normalised"},
     {"SCENARIO"},
     declare_lint,
     pick<&AllOptions::lint>},
    {"list",
     "show what there is of a kind",
     "KIND",
     {"lockstep list scenarios", "lockstep list roles --format json"},
     {"KIND"},
     declare_list,
     pick<&AllOptions::list>},
    {"bench",
     "measure this build on this machine",
     "",
     {"lockstep bench", "lockstep bench --filter eval --json"},
     {},
     declare_bench,
     pick<&AllOptions::bench>},
    {"help",
     "explain a command or a topic",
     "[TOPIC]",
     {"lockstep help scenario", "lockstep help exit-codes"},
     {},
     declare_help,
     pick<&AllOptions::help>},
    {"version",
     "say which program this is",
     "",
     {"lockstep version", "lockstep version --format json"},
     {},
     declare_version,
     pick<&AllOptions::version>},
};

}  // namespace

std::span<const VerbGrammar> grammar() { return verbs; }

const VerbGrammar* find_verb(std::string_view name) {
  for (const VerbGrammar& verb : verbs) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

std::string_view verb_name(const Request& request) { return verbs[request.index()].name; }

namespace {

std::string complaint_about(const EvalOptions& eval) {
  if (eval.script.empty() && eval.all.empty()) return "SCRIPT is missing";
  if (!eval.script.empty() && !eval.all.empty()) return "--all takes the place of SCRIPT; give one of them";
  if (!eval.args.empty() && !eval.all.empty()) return "--all takes no ARGV";
  for (const std::string& key : eval.keys) {
    if (eval.args.empty() && key.ends_with(','))
      return "the comma behind `" + key.substr(0, key.size() - 1) + "` must be a word of its own: KEY , ARG";
  }
  return "";
}

std::string complaint_about(const ServeOptions& serve) {
  if (serve.port.value_or(0) > 65'535) return "--port wants at most 65535";
  if (serve.clients_max < 1 || serve.clients_max > 65'535) return "--maxclients wants 1 to 65535";
  if (serve.epoch_ms && !serve.virtual_time) return "--epoch-ms belongs to --virtual-time";
  if (serve.epoch_ms.value_or(0) > 9'007'199'254'740'991) return "--epoch-ms wants at most 9007199254740991";
  return "";
}

std::string complaint_about(const GraphOptions& graph) {
  const bool states = graph.kind == GraphKind::states;
  if (graph.type == GraphType::mermaid && graph.kind != GraphKind::sequence)
    return "-T mermaid is for --kind sequence";
  if (states && (graph.from || graph.to)) return "--from and --to are for runs, not for --kind states";
  if (graph.scale != GraphScale::automatic && graph.kind != GraphKind::timeline)
    return "--scale is for --kind timeline";
  if (!states && graph.view != GraphView::lock) return "--by is for --kind states";
  if (states && graph.nodes_max == 0) return "--max-nodes wants at least 1";
  if (states && graph.states_max == 0) return "--max-states wants at least 1";
  return "";
}

}  // namespace

std::string complaint(const Request& request) {
  if (const auto* eval = std::get_if<EvalOptions>(&request)) return complaint_about(*eval);
  if (const auto* serve = std::get_if<ServeOptions>(&request)) return complaint_about(*serve);
  if (const auto* graph = std::get_if<GraphOptions>(&request)) return complaint_about(*graph);
  if (const auto* trace = std::get_if<TraceOptions>(&request)) {
    const bool converts = trace->action == TraceAction::convert;
    if (converts && trace->as.empty()) return "export needs --as NAME";
    if (!converts && !trace->as.empty()) return "--as belongs to export";
  }
  return "";
}

void declare_global(CLI::App& app, GlobalOptions& into) {
  flag(app, "-q,--quiet", into.quiet, "print results only");
  choice<ColourWish>(
      app, "--color", into.colour,
      {{"auto", ColourWish::automatic}, {"always", ColourWish::always}, {"never", ColourWish::never}},
      "colours (auto: on a terminal)");
  text(app, "-o,--output", into.out_file, "FILE", "write the result to this file (-: standard output)");
  text(app, "--out-dir", into.out_dir, "DIR", "where counterexamples and traces go (out)");
}

}  // namespace lockstep::tools
