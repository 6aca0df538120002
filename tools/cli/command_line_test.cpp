// What command lines are understood as.
#include "tools/cli/command_line.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tools/cli/cmd_bench.h"
#include "tools/cli/check_options.h"
#include "tools/cli/cmd_check.h"
#include "tools/cli/cmd_eval.h"
#include "tools/cli/cmd_graph.h"
#include "tools/cli/cmd_import.h"
#include "tools/cli/cmd_lint.h"
#include "tools/cli/cmd_list.h"
#include "tools/cli/cmd_replay.h"
#include "tools/cli/cmd_run.h"
#include "tools/cli/cmd_serve.h"
#include "tools/cli/cmd_shrink.h"
#include "tools/cli/cmd_trace.h"

namespace lockstep::tools {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Splits at blanks; '' is an empty word.
std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> all{std::istream_iterator<std::string>(in), {}};
  for (std::string& word : all)
    if (word == "''") word.clear();
  return all;
}

Invocation understood(const std::string& line) {
  const auto parsed = parse(words(line));
  if (const auto* exit = std::get_if<Exit>(&parsed)) {
    ADD_FAILURE() << line << ": " << exit->err;
    return {};
  }
  return std::get<Invocation>(parsed);
}

template <class Options>
Options options_of(const std::string& line) {
  const Invocation invocation = understood(line);
  const auto* request = dynamic_cast<const RequestWith<Options>*>(invocation.request.get());
  if (request == nullptr) {
    ADD_FAILURE() << line << " is another verb's";
    return {};
  }
  return request->options;
}

Exit refused(const std::string& line) {
  const auto parsed = parse(words(line));
  const auto* exit = std::get_if<Exit>(&parsed);
  if (exit == nullptr) {
    ADD_FAILURE() << line << " was understood";
    return {};
  }
  EXPECT_EQ(exit->out, "") << line;
  EXPECT_EQ(exit->code, ExitCode::usage) << line;
  return *exit;
}

TEST(CommandLine, EveryExampleOfTheHelpIsUnderstood) {
  for (const Verb& verb : verbs()) {
    ASSERT_FALSE(verb.examples.empty());
    for (const std::string_view example : verb.examples) {
      ASSERT_THAT(std::string(example), StartsWith("lockstep " + std::string(verb.name)));
      understood(std::string(example.substr(std::string_view("lockstep ").size())));
    }
  }
}

TEST(CommandLine, CheckTakesAllItsOptions) {
  const auto o = options_of<CheckOptions>(
      "check a.toml b.toml --strategy bfs --seed 18446744073709551615 --runs 1_000 --max-states 5 "
      "--max-depth 6 --no-shrink "
      "--max-steps 7 --settle 8 --time-limit 90s --memory-limit 2G --exact --no-memo --no-symmetry --reduce "
      "-j 4 --property "
      "mutual-exclusion "
      "--property fifo --scripts redisson@3.10.5 --scripts lock=x.lua --format json");
  EXPECT_THAT(o.scenarios, ElementsAre("a.toml", "b.toml"));
  EXPECT_EQ(o.strategy, Strategy::bfs);
  EXPECT_EQ(o.seed, 18446744073709551615ull);
  EXPECT_EQ(o.runs, 1000u);
  EXPECT_EQ(o.states_max, 5u);
  EXPECT_EQ(o.depth_max, 6u);
  EXPECT_EQ(o.steps_max, 7u);
  EXPECT_EQ(o.settling_max, 8u);
  EXPECT_EQ(o.time_limit, 90s);
  EXPECT_EQ(o.memory_limit, 2ull << 30);
  EXPECT_TRUE(o.exact);
  EXPECT_FALSE(o.memo);
  EXPECT_EQ(o.workers, 4u);
  EXPECT_FALSE(o.symmetry);
  EXPECT_TRUE(o.reduce);
  EXPECT_FALSE(o.shrink);
  EXPECT_THAT(o.properties, ElementsAre("mutual-exclusion", "fifo"));
  EXPECT_THAT(o.scripts, ElementsAre("redisson@3.10.5", "lock=x.lua"));
  EXPECT_EQ(o.format, Format::json);
}

TEST(CommandLine, WithoutOptionsCheckHasItsDefaults) {
  const auto o = options_of<CheckOptions>("check a.toml");
  EXPECT_EQ(o.strategy, Strategy::automatic);
  EXPECT_EQ(o.seed, 1u);
  EXPECT_EQ(o.runs, std::nullopt);
  EXPECT_FALSE(o.exact);
  EXPECT_TRUE(o.memo);
  EXPECT_EQ(o.workers, 1u);
  EXPECT_TRUE(o.symmetry);
  EXPECT_FALSE(o.reduce);
  EXPECT_TRUE(o.shrink);
  EXPECT_EQ(o.format, Format::human);
}

TEST(CommandLine, ARepeatedOptionTakesOneValueSoScenariosMayFollowIt) {
  const auto o = options_of<CheckOptions>("check --property fifo a.toml --scripts lock=x.lua b.toml");
  EXPECT_THAT(o.scenarios, ElementsAre("a.toml", "b.toml"));
  EXPECT_THAT(o.properties, ElementsAre("fifo"));
}

TEST(CommandLine, AScenarioMayBeNamedLikeAVerb) {
  EXPECT_THAT(options_of<CheckOptions>("check run help").scenarios, ElementsAre("run", "help"));
}

TEST(CommandLine, RunReplayAndShrinkTakeTheirOptions) {
  const auto run = options_of<RunOptions>("run a.toml --seed 0 --until 2m --trace t.jsonl --monitor --story");
  EXPECT_EQ(run.scenario, "a.toml");
  EXPECT_EQ(run.seed, 0u);
  EXPECT_EQ(run.until, 2min);
  EXPECT_EQ(run.trace, "t.jsonl");
  EXPECT_TRUE(run.monitor && run.story);
  EXPECT_EQ(options_of<RunOptions>("run a.toml").seed, std::nullopt);

  const auto replay =
      options_of<ReplayOptions>("replay x.trail --scripts ./mine --trace t.jsonl --lenient --to 12");
  EXPECT_EQ(replay.file, "x.trail");
  EXPECT_THAT(replay.scripts, ElementsAre("./mine"));
  EXPECT_EQ(replay.trace, "t.jsonl");
  EXPECT_TRUE(replay.lenient);
  EXPECT_EQ(replay.to, 12u);

  EXPECT_EQ(options_of<ShrinkOptions>("shrink x.trail -o small.trail --budget 500").budget, 500u);
  EXPECT_EQ(understood("shrink x.trail -o small.trail --budget 500").global.out_file, "small.trail");
}

TEST(CommandLine, ALoneCommaPartsKeysFromArguments) {
  const auto o = options_of<EvalOptions>("eval lock.lua orders channel --monitor , 30000 -1 --load , x");
  EXPECT_EQ(o.script, "lock.lua");
  EXPECT_THAT(o.keys, ElementsAre("orders", "channel"));
  EXPECT_THAT(o.args, ElementsAre("30000", "-1", "--load", ",", "x"));
  EXPECT_TRUE(o.monitor);
  EXPECT_EQ(o.load, "");
}

TEST(CommandLine, BehindTwoDashesAKeyMayLookLikeAnOption) {
  EXPECT_THAT(options_of<EvalOptions>("eval lock.lua -- --key , 1").keys, ElementsAre("--key"));
}

TEST(CommandLine, EvalNeedsAScriptOrAFileOfCommandsAndNotBoth) {
  EXPECT_EQ(options_of<EvalOptions>("eval --all commands.txt --load held.txt").all, "commands.txt");
  EXPECT_EQ(refused("eval").err, "lockstep eval: SCRIPT is missing\n");
  EXPECT_EQ(refused("eval x.lua --all y").err,
            "lockstep eval: --all takes the place of SCRIPT; give one of them\n");
}

TEST(CommandLine, TraceHasThreeActionsAndOnlyExportNamesAFormat) {
  EXPECT_EQ(options_of<TraceOptions>("trace verify t.jsonl").action, TraceAction::verify);
  const auto show = options_of<TraceOptions>("trace show t.jsonl --from 3 --to 9");
  EXPECT_EQ(show.from, 3u);
  EXPECT_EQ(show.to, 9u);
  EXPECT_EQ(options_of<TraceOptions>("trace export t.jsonl --as perfetto").as, "perfetto");
  EXPECT_EQ(refused("trace export t.jsonl").err,
            "lockstep trace: export needs --as NAME, or --as-scenario\n");
  EXPECT_EQ(refused("trace show t.jsonl --as itf").err, "lockstep trace: --as belongs to export\n");
  EXPECT_EQ(refused("trace shwo t.jsonl").err,
            "lockstep trace: ACTION wants show|stat|verify|export, not `shwo`; did you mean `show`?\n");
}

TEST(CommandLine, GraphTakesItsOptions) {
  const auto o = options_of<GraphOptions>(
      "graph t.jsonl --kind timeline -T png --from 1 --to 2 --max-nodes 40 --scale time");
  EXPECT_EQ(o.file, "t.jsonl");
  EXPECT_EQ(o.kind, GraphKind::timeline);
  EXPECT_EQ(o.type, GraphType::png);
  EXPECT_EQ(o.from, 1u);
  EXPECT_EQ(o.to, 2u);
  EXPECT_EQ(o.nodes_max, 40u);
  EXPECT_EQ(o.scale, GraphScale::time);
}

TEST(CommandLine, LintListAndBenchTakeTheirOptions) {
  EXPECT_EQ(options_of<LintOptions>("lint a.toml --print normalised").print, LintPrint::normalised);
  EXPECT_EQ(options_of<LintOptions>("lint a.toml b.toml").print, LintPrint::nothing);
  EXPECT_EQ(options_of<ListOptions>("list witnesses").kind, ListKind::witnesses);
  EXPECT_EQ(options_of<ListOptions>("list roles --format json").format, Format::json);
  EXPECT_TRUE(options_of<BenchOptions>("bench --filter eval --json").json);
}

TEST(CommandLine, ServeTakesItsOptions) {
  const auto o = options_of<ServeOptions>(
      "serve --port 0 --bind 127.0.0.1 --bind ::1 --unix s --maxclients 5 --virtual-time --epoch-ms 7 "
      "--verbose");
  EXPECT_EQ(o.port, 0u);
  EXPECT_EQ(o.bind, (std::vector<std::string>{"127.0.0.1", "::1"}));
  EXPECT_EQ(o.unix_path, "s");
  EXPECT_EQ(o.clients_max, 5u);
  EXPECT_TRUE(o.virtual_time);
  EXPECT_EQ(o.epoch_ms, 7u);
  EXPECT_TRUE(o.verbose);
  EXPECT_EQ(refused("serve --port 65536").err, "lockstep serve: --port wants at most 65535\n");
  EXPECT_EQ(refused("serve --maxclients 0").err, "lockstep serve: --maxclients wants 1 to 65535\n");
  EXPECT_EQ(refused("serve --epoch-ms 7").err, "lockstep serve: --epoch-ms belongs to --virtual-time\n");
}

TEST(CommandLine, GlobalOptionsStandBeforeOrBehindTheVerb) {
  for (const char* line :
       {"-q --color never --out-dir d -o f version", "version -q --color never --out-dir d -o f"}) {
    const GlobalOptions global = understood(line).global;
    EXPECT_TRUE(global.quiet) << line;
    EXPECT_EQ(global.colour, ColourWish::never) << line;
    EXPECT_EQ(global.out_dir, "d") << line;
    EXPECT_EQ(global.out_file, "f") << line;
  }
  EXPECT_EQ(understood("version").global.out_dir, "out");
  EXPECT_EQ(understood("version -o -").global.out_file, "-");
}

TEST(CommandLine, AMisspeltVerbIsOneSentenceWithASuggestion) {
  EXPECT_EQ(refused("chekc a.toml").err, "lockstep: unknown command `chekc`; did you mean `check`?\n");
  EXPECT_EQ(refused("che a.toml").err.substr(0, 29), "lockstep: unknown command `ch") << "no abbreviations";
  EXPECT_EQ(refused("frobnicate").err, "lockstep: unknown command `frobnicate`\n");
}

TEST(CommandLine, AMisspeltOptionIsOneSentenceWithASuggestion) {
  EXPECT_EQ(refused("check a.toml --sed 5").err,
            "lockstep check: unknown option `--sed`; did you mean `--seed`?\n");
  EXPECT_EQ(refused("run a.toml --sed 5").err,
            "lockstep run: unknown option `--sed`; did you mean `--seed`?\n");
  EXPECT_EQ(refused("run a.toml --out-dri=x").err,
            "lockstep run: unknown option `--out-dri`; did you mean `--out-dir`?\n");
  EXPECT_EQ(refused("--colour never version").err,
            "lockstep version: unknown option `--colour`; did you mean `--color`?\n");
  EXPECT_EQ(refused("run a.toml -z").err, "lockstep run: unknown option `-z`\n");
}

TEST(CommandLine, AWrongValueSaysWhatIsWanted) {
  EXPECT_EQ(refused("check a.toml --seed abc").err,
            "lockstep check: --seed wants a whole number from 0 to 18446744073709551615, not `abc`\n");
  EXPECT_EQ(refused("check a.toml --seed -1").err,
            "lockstep check: --seed wants a whole number from 0 to 18446744073709551615, not `-1`\n");
  EXPECT_EQ(refused("check a.toml --time-limit 30").err,
            "lockstep check: --time-limit wants a duration such as 500ms, 30s, 5m or 2h, not `30`\n");
  EXPECT_EQ(
      refused("check a.toml --strategy pctt").err,
      "lockstep check: --strategy wants bfs|dfs|random|uniform|swarm|pct|pos|surw|guided, not `pctt`; did "
      "you mean `pct`?\n");
  EXPECT_EQ(refused("version --color sometimes").err,
            "lockstep version: --color wants auto|always|never, not `sometimes`\n");
}

TEST(CommandLine, AMissingOrRepeatedValueIsOneSentence) {
  EXPECT_EQ(refused("check a.toml --seed").err, "lockstep check: --seed wants a value\n");
  EXPECT_EQ(refused("check a.toml --seed 1 --seed 2").err,
            "lockstep check: --seed is given more than once\n");
  EXPECT_EQ(refused("run --quiet").err, "lockstep run: SCENARIO is missing; usage: lockstep run SCENARIO\n");
  EXPECT_EQ(refused("list").err,
            "lockstep list: KIND is missing; usage: lockstep list "
            "scenarios|kinds|schemes|properties|roles|scripts|versions|knobs|faults|steps|exporters|"
            "witnesses\n");
  EXPECT_EQ(refused("replay a.trail b.trail").err,
            "lockstep replay: there is nothing to do with `b.trail`\n");
}

TEST(CommandLine, AnEmptyWordIsNoValueOfAnOption) {
  for (const char* option : {"--output", "--save", "--resume"})
    EXPECT_EQ(refused(fmt::format("check a.toml {} ''", option)).err,
              fmt::format("lockstep check: {} wants FILE, not an empty word\n", option));
  EXPECT_EQ(refused("check a.toml --report ''").err,
            "lockstep check: --report wants DIR, not an empty word\n");
  EXPECT_EQ(refused("check a.toml --property tokens-grow --property ''").err,
            "lockstep check: --property wants NAME, not an empty word\n");
  EXPECT_THAT(refused("check a.toml --export ''").err,
              StartsWith("lockstep check: --export wants KIND=PATH, "));
  EXPECT_THAT(options_of<CheckOptions>("check a.toml --property tokens-grow --property deadlock").properties,
              ElementsAre("tokens-grow", "deadlock"));
}

TEST(CommandLine, AMistakeNamesTheOptionAsItWasGiven) {
  EXPECT_EQ(refused("check a.toml -o ''").err, "lockstep check: -o wants FILE, not an empty word\n");
  EXPECT_EQ(refused("check a.toml -o").err, "lockstep check: -o wants a value\n");
  const std::string sentence = " wants a number of workers from 1 to 256, not `0`\n";
  EXPECT_EQ(refused("check a.toml -j 0").err, "lockstep check: -j" + sentence);
  EXPECT_EQ(refused("check a.toml -j0").err, "lockstep check: -j" + sentence);
  EXPECT_EQ(refused("check a.toml --workers 0").err, "lockstep check: --workers" + sentence);
  EXPECT_EQ(refused("check a.toml --workers=0").err, "lockstep check: --workers" + sentence);
}

TEST(CommandLine, EveryMistakeIsOneLine) {
  for (const char* line :
       {"x", "--x", "check a --seed", "run a --until 3", "trace", "graph a --kind b", "-o"}) {
    const std::string err = refused(line).err;
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << line << ": " << err;
    EXPECT_THAT(err, StartsWith("lockstep")) << line;
  }
}

TEST(CommandLine, WithoutAVerbTheUsageIsShownAndThatIsAMistake) {
  EXPECT_EQ(refused("").err, usage());
  EXPECT_EQ(refused("-q").err, usage());
}

TEST(CommandLine, HelpAndVersionAreNoMistakes) {
  for (const auto& [line, begin] : std::vector<std::pair<std::string, std::string>>{
           {"--help", "Lockstep runs"}, {"check -h", "lockstep check: "}, {"-h check", "lockstep check: "},
           {"--version", "lockstep 0."}}) {
    const auto parsed = parse(words(line));
    const auto* exit = std::get_if<Exit>(&parsed);
    ASSERT_NE(exit, nullptr) << line;
    EXPECT_EQ(exit->code, ExitCode::as_expected) << line;
    EXPECT_THAT(exit->out, StartsWith(begin)) << line;
    EXPECT_EQ(exit->err, "") << line;
  }
}

TEST(CommandLine, ImportTakesAFolderAndWhatItsSourcesAreWrittenIn) {
  const ImportOptions options = options_of<ImportOptions>("import --from java checkout --name mine -o set");
  EXPECT_EQ(options.from, ImportFrom::java);
  EXPECT_EQ(options.path, "checkout");
  EXPECT_EQ(options.name, "mine");
  EXPECT_THAT(refused("import checkout").err, HasSubstr("--from is missing: java, "));
  EXPECT_THAT(refused("import --from java checkout --name a#b").err, HasSubstr("--name wants a word"));
}

}  // namespace
}  // namespace lockstep::tools
