// requests.h: what a command line can ask for: the options of one verb.
#pragma once

#include <variant>

#include "tools/cli/cmd_bench.h"
#include "tools/cli/cmd_check.h"
#include "tools/cli/cmd_eval.h"
#include "tools/cli/cmd_graph.h"
#include "tools/cli/cmd_help.h"
#include "tools/cli/cmd_lint.h"
#include "tools/cli/cmd_list.h"
#include "tools/cli/cmd_replay.h"
#include "tools/cli/cmd_run.h"
#include "tools/cli/cmd_serve.h"
#include "tools/cli/cmd_shrink.h"
#include "tools/cli/cmd_trace.h"
#include "tools/cli/cmd_version.h"

namespace lockstep::tools {

using Request =
    std::variant<RunOptions, CheckOptions, ReplayOptions, ShrinkOptions, EvalOptions, ServeOptions,
                 TraceOptions, GraphOptions, LintOptions, ListOptions, BenchOptions, HelpOptions,
                 VersionOptions>;

/// All of them, while the command line is being read and its verb is not known yet.
struct AllOptions {
  RunOptions run;
  CheckOptions check;
  ReplayOptions replay;
  ShrinkOptions shrink;
  EvalOptions eval;
  ServeOptions serve;
  TraceOptions trace;
  GraphOptions graph;
  LintOptions lint;
  ListOptions list;
  BenchOptions bench;
  HelpOptions help;
  VersionOptions version;
};

}  // namespace lockstep::tools
