// requests.h: what a command line can ask for: the options of one verb.
#pragma once

#include <variant>

#include "tools/cmd_bench.h"
#include "tools/cmd_check.h"
#include "tools/cmd_eval.h"
#include "tools/cmd_graph.h"
#include "tools/cmd_help.h"
#include "tools/cmd_lint.h"
#include "tools/cmd_list.h"
#include "tools/cmd_replay.h"
#include "tools/cmd_run.h"
#include "tools/cmd_serve.h"
#include "tools/cmd_shrink.h"
#include "tools/cmd_trace.h"
#include "tools/cmd_version.h"

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
