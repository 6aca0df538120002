// The table of commands.
#include "tools/cli/cmd_bench.h"
#include "tools/cli/cmd_check.h"
#include "tools/cli/cmd_compare.h"
#include "tools/cli/cmd_completion.h"
#include "tools/cli/cmd_diff.h"
#include "tools/cli/cmd_eval.h"
#include "tools/cli/cmd_explain.h"
#include "tools/cli/cmd_gate.h"
#include "tools/cli/cmd_graph.h"
#include "tools/cli/cmd_help.h"
#include "tools/cli/cmd_import.h"
#include "tools/cli/cmd_lint.h"
#include "tools/cli/cmd_list.h"
#include "tools/cli/cmd_measure.h"
#include "tools/cli/cmd_new.h"
#include "tools/cli/cmd_replay.h"
#include "tools/cli/cmd_report.h"
#include "tools/cli/cmd_run.h"
#include "tools/cli/cmd_serve.h"
#include "tools/cli/cmd_shrink.h"
#include "tools/cli/cmd_step.h"
#include "tools/cli/cmd_trace.h"
#include "tools/cli/cmd_version.h"
#include "tools/history/cmd_check_history.h"
#include "tools/mutate/cmd_mutate.h"
#include "tools/shards/cmd_merge.h"

namespace lockstep::tools {

std::span<const Verb> verbs() {
  static const std::vector<Verb> table{
      run_verb(),
      check_verb(),
      replay_verb(),
      shrink_verb(),
      diff_verb(),
      compare_verb(),
      gate_verb(),
      mutate_verb(),
      merge_verb(),
      explain_verb(),
      step_verb(),
      measure_verb(),
      check_history_verb(),
      eval_verb(),
      serve_verb(),
      trace_verb(),
      graph_verb(),
      report_verb(),
      new_verb(),
      lint_verb(),
      list_verb(),
      import_verb(),
      bench_verb(),
      completion_verb(),
      help_verb(),
      version_verb(),
  };
  return table;
}

}  // namespace lockstep::tools
