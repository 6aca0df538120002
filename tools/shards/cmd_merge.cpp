#include "tools/shards/cmd_merge.h"

#include <algorithm>

#include <fmt/format.h>

#include "properties/check/walks.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/gate/build_identity.h"
#include "tools/shards/check_output.h"
#include "tools/shards/check_question.h"
#include "tools/shards/partial.h"

namespace lockstep::tools {

namespace {

sim::Result<std::vector<ReadPartial>> read_all(const std::vector<std::string>& files) {
  std::vector<ReadPartial> all;
  for (const std::string& file : files) {
    const auto text = read_input(file);
    if (!text) return text.problem();
    auto read = parse_partial(*text, file);
    if (!read) return read.problem();
    for (const ReadPartial& one : all)
      if (const auto alien = misfit(one, *read)) return *alien;
    all.push_back(*std::move(read));
  }
  if (all.front().partial.question.program != build_identity())
    return sim::Problem{all.front().file +
                        ": another build of the program made it, and this one cannot read "
                        "its trails for certain"};
  return all;
}

/// The question of a shard, and the scenario as it is here.
sim::Result<model::Setup> same_scenario(const ReadPartial& first, std::size_t s) {
  const ShardedQuestion& asked = first.partial.question;
  const auto& [word, digest] = asked.scenarios[s];
  auto setup = load_scenario(word, asked.scripts);
  if (!setup) return setup.problem();
  if (setup->digest == digest) return setup;
  return sim::Problem{
      fmt::format("{}: it is of another `{}`, or of other scripts, than are here", first.file, word)};
}

ExitCode run_merge(const MergeOptions& options, Session& session) {
  const auto all = read_all(options.files);
  if (!all) return complain(session, all.problem());
  const ShardedQuestion& asked = all->front().partial.question;
  const std::string missing = missing_shards(*all);
  const CheckShown shown{.verbose = options.verbose,
                         .every_witness = asked.properties.empty(),
                         .scripts = asked.scripts,
                         .exports = options.exports,
                         .report_dir = options.report_dir,
                         .format = options.format};
  CheckOutput output(session, shown, asked.scenarios.size());
  bool lacking = !missing.empty();
  for (std::size_t s = 0; s < asked.scenarios.size(); ++s) {
    const auto setup = same_scenario(all->front(), s);
    if (!setup) return complain(session, setup.problem());
    const auto watched = watched_properties(asked.properties, *setup);
    if (!watched) return complain(session, watched.problem());
    properties::CheckOptions how{
        .strategy = properties::find_strategy(asked.strategy).value_or(properties::Strategy::random),
        .runs = asked.runs,
        .steps_max = asked.steps_max,
        .settling_max = asked.settling_max,
        .seed = asked.seed,
        .shrink = asked.shrink,
        .watched = *watched};
    std::vector<properties::SampledPart> parts;
    std::string why = missing;
    for (const ReadPartial& one : *all) {
      if (s < one.partial.parts.size()) parts.push_back(one.partial.parts[s]);
      else if (why.empty()) why = one.file + " was interrupted before this scenario";
    }
    lacking = lacking || !why.empty();
    const auto report = properties::put_together(*setup, how, parts, why);
    if (const auto problem = output.add(asked.scenarios[s].first, *setup, report))
      return complain(session, *problem);
  }
  if (!missing.empty())
    session.console.err << missing << "; what was not run may break what was not broken\n";
  return output.finish(lacking ? ExitCode::unknown : ExitCode::as_expected);
}

void declare_merge(Grammar& grammar, MergeOptions& o) {
  grammar.words("FILE", o.files, "what `check --shard` wrote, in any order");
  grammar.flag("-v,--verbose", o.verbose, "details also of scenarios in which all is as expected");
  declare_exports(grammar, o.exports);
  grammar.text("--report", o.report_dir, "DIR",
               "write a page for each run that breaks something, and an index");
  grammar.format(o.format, "how to print the result");
}

}  // namespace

Verb merge_verb() {
  return {.name = "merge",
          .summary = "put the shards of a check together",
          .usage = "FILE…",
          .examples = {"lockstep merge shard-1.json shard-2.json"},
          .required = {"FILE"},
          .request = requests<MergeOptions>({declare_merge, to_output<run_merge>})};
}

}  // namespace lockstep::tools
