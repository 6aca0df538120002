#include "tools/cli/check_options.h"

#include <functional>

#include <fmt/format.h>

#include "tools/cli/quantity.h"
#include "tools/ranks/ranks.h"

namespace lockstep::tools {

namespace {

/// Those of samples are called as the policy that draws them; `random` is all in turn.
const Choices<Strategy> strategies = {
    {"bfs", Strategy::bfs},         {"dfs", Strategy::dfs},     {"random", Strategy::random},
    {"uniform", Strategy::uniform}, {"swarm", Strategy::swarm}, {"pct", Strategy::pct},
    {"pos", Strategy::pos},         {"surw", Strategy::surw},   {"guided", Strategy::guided}};

}  // namespace

bool only_samples(Strategy strategy) {
  return strategy != Strategy::automatic && strategy != Strategy::bfs && strategy != Strategy::dfs;
}

std::string word_of(Strategy strategy) {
  for (const auto& [word, value] : strategies)
    if (value == strategy) return word;
  return "random";
}

std::string complaint_about_ranks(const CheckOptions& asked) {
  if (!can_join_ranks())
    return "this build of the program has no Open MPI, so that mpirun can share nothing out";
  const char* option = asked.workers > 1                 ? "-j"
                       : asked.exact                     ? "--exact"
                       : !asked.memo                     ? "--no-memo"
                       : asked.boxes                     ? "--deepen"
                       : asked.preemptions               ? "--preemptions"
                       : !asked.save.empty()             ? "--save"
                       : !asked.resume.empty()           ? "--resume"
                       : asked.strategy == Strategy::dfs ? "--strategy dfs"
                                                         : nullptr;
  if (option != nullptr) return fmt::format("{} does not go together with mpirun", option);
  if (only_samples(asked.strategy)) return "mpirun shares out a search; samples are divided by --shard auto";
  return "";
}

namespace {

std::optional<sim::Problem> take_workers(CheckOptions& asked, const std::string& word) {
  constexpr std::uint64_t workers_max = 256;
  const auto count = parse_count(word);
  if (!count || *count == 0 || *count > workers_max)
    return sim::Problem{fmt::format("wants a number of workers from 1 to {}, not `{}`", workers_max, word)};
  asked.workers = *count;
  return std::nullopt;
}

}  // namespace

void declare_check(Grammar& grammar, CheckOptions& o) {
  grammar.words("SCENARIO", o.scenarios, "scenario files, folders of them, or names of built-in ones");
  grammar.flag("--all", o.all, "all built-in scenarios");
  grammar.text("-k,--filter", o.pattern, "TEXT", "only scenarios whose name holds this text");
  grammar.flag("-v,--verbose", o.verbose, "details also of scenarios in which all is as expected");
  grammar.choice<Strategy>("--strategy", o.strategy, strategies,
                           "search only so; by default breadth first until a limit, then samples");
  grammar.count("--seed", o.seed, "seed of the samples (1)");
  grammar.count("--runs", o.runs, "schedules to sample");
  grammar.count("--budget", o.budget, "states that all samples together may go through");
  grammar.flag("--coverage", o.coverage,
               "say which ways of scripts samples met, on which locks, after which faults");
  grammar.count("--max-states", o.states_max, "limit: states to store");
  grammar.count("--max-depth", o.depth_max, "limit: moves from the start");
  grammar.count("--max-steps", o.steps_max, "limit: moves drawn of a sampled schedule");
  grammar.count("--settle", o.settling_max, "limit: moves without faults behind these, to come to an end");
  grammar.duration("--time-limit", o.time_limit, "limit: wall time for each scenario");
  grammar.size("--memory-limit", o.memory_limit, "limit: memory");
  grammar.taken("-j,--workers", std::bind_front(take_workers, std::ref(o)), "N",
                "search by so many workers side by side (1); the outcome is the same");
  grammar.flag("--exact", o.exact, "compare whole states instead of their 128-bit digests");
  grammar.flag_off("--no-memo", o.memo, "take each step of the search anew: its script is run again");
  grammar.flag_off("--no-symmetry", o.symmetry, "tell interchangeable processes apart");
  grammar.flag("--reduce", o.reduce, "leave out orders of moves that come to the same (limits)");
  grammar.repeated("--property", o.properties, "NAME", "check only this property; may be repeated");
  grammar.text("--from", o.begins.from, "TRAIL[:N]",
               "ask only what may follow the (first N) moves of a trail");
  grammar.text("--choices", o.begins.choices, "N.N…",
               "the same behind these moves, by their numbers (0 is the default)");
  grammar.flag("--deepen", o.boxes, "few faults first, then more; name the largest box that was exhausted");
  grammar.count("--preemptions", o.preemptions,
                "search only runs with at most so many preemptions; with --deepen: the most of a box (2)");
  grammar.text("--save", o.save, "FILE", "keep what a search learned that a limit or Ctrl-C ends");
  grammar.text("--resume", o.resume, "FILE", "go on with a search that --save kept");
  grammar.text("--shard", o.shard, "I/N",
               "do the I-th part of the sampled runs only; also auto and auto/N (`help shards`)");
  grammar.scripts(o.scripts);
  declare_exports(grammar, o.exports);
  grammar.text("--report", o.report_dir, "DIR",
               "write a page for each run that breaks something, and an index");
  grammar.flag_off("--no-shrink", o.shrink, "keep counterexamples as they were found");
  grammar.format(o.format, "how to print the result");
}

namespace {

/// Rules of what can be divided: only samples, of which there is a number.
std::string complaint_about_shard(const CheckOptions& asked) {
  if (asked.strategy == Strategy::bfs || asked.strategy == Strategy::dfs)
    return "--shard divides samples, and --strategy bfs and dfs take none";
  if (!asked.runs) return "--shard wants --runs: how many there are in all shards together";
  if (asked.strategy == Strategy::guided)
    return "--shard divides runs that do not depend on each other, and those of --strategy guided do";
  if (asked.budget) return "--shard does not go together with --budget";
  if (!asked.begins.nothing()) return "--shard does not go together with --from and --choices";
  if (!asked.exports.empty() || !asked.report_dir.empty())
    return "a shard has no result to export or report; `lockstep merge` has";
  return "";
}

/// Rules of what can be kept: the digests of a search level by level.
std::string complaint_about_keeping(const CheckOptions& asked) {
  const char* option = asked.resume.empty() ? "--save" : "--resume";
  if (asked.save.empty() && asked.resume.empty()) return "";
  if (!asked.shard.empty()) return fmt::format("{} is of a search, and --shard divides samples", option);
  if (asked.exact) return fmt::format("{} goes by digests, and --exact by whole states", option);
  if (!asked.memo)
    return fmt::format("{} is of a search that remembers steps, and --no-memo takes them anew", option);
  if (asked.strategy != Strategy::automatic && asked.strategy != Strategy::bfs)
    return fmt::format("{} is of a search that goes breadth first", option);
  return "";
}

std::string complaint_about_boxes(const CheckOptions& asked) {
  const bool keeps = !asked.save.empty() || !asked.resume.empty();
  const bool samples = only_samples(asked.strategy) || !asked.shard.empty();
  if (asked.boxes && keeps)
    return "--deepen makes a search for each box, and --save and --resume are of one";
  if (asked.boxes && samples) return "--deepen searches, and takes no samples";
  if (asked.preemptions && keeps) return "--preemptions bounds a search that --save and --resume cannot keep";
  if (!asked.memo && (asked.boxes || asked.preemptions))
    return fmt::format("--no-memo does not go together with {}", asked.boxes ? "--deepen" : "--preemptions");
  if (!asked.memo && samples) return "--no-memo is of the search, and only samples are asked for";
  if (asked.preemptions && samples) return "--preemptions bounds a search, and samples have no such bound";
  if (asked.reduce && only_samples(asked.strategy))
    return fmt::format("--reduce leaves out what a search would do, and --strategy {} only samples",
                       word_of(asked.strategy));
  if (asked.reduce && asked.preemptions && !asked.boxes)
    return "--preemptions counts how moves follow each other, and --reduce leaves out such orders";
  return "";
}

}  // namespace

std::string complaint_about_check(const CheckOptions& asked) {
  if (asked.strategy == Strategy::dfs && asked.workers > 1)
    return "--strategy dfs is done by one worker: what is met last depends on who is first";
  for (const std::string& about :
       {complaint_about_keeping(asked), complaint_about_boxes(asked), asked.begins.complaint()})
    if (!about.empty()) return about;
  return asked.shard.empty() ? "" : complaint_about_shard(asked);
}

}  // namespace lockstep::tools
