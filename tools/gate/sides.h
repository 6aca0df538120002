// sides.h: one scenario as a gate asks it, with the scripts of the base and with those of the head.
//
// An answer comes from the baseline if that speaks of the very same question (judged.h) and build, else from
// an earlier run, else from a check. Where both sides are the same question, one answer serves both.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "tools/gate/baseline.h"
#include "tools/gate/compared.h"
#include "tools/gate/judged.h"

namespace lockstep::tools {

/// Looks after one check at a time (work_watch.h).
using BeginCheck = std::function<properties::Outside(const std::string& scenario)>;

struct Sides {
  std::string word;  // of the command line
  std::optional<model::Setup> base;
  std::string no_base;  // why there is none
  model::Setup head;
  QuestionDigests base_digests, head_digests;

  // What was found out.
  Judged head_judged;
  std::map<std::string, OneVerdict> base_verdicts;  // by property, or "sometimes " and a witness
  std::string base_graph;

  bool alike() const;
  std::optional<OneVerdict> head_verdict(const std::string& property) const;
};

/// What is wrong with a word of --scripts, told of the option that it was typed behind here.
std::string as_typed(const sim::Problem& problem, const std::vector<std::string>& base,
                     const std::vector<std::string>& head);

sim::Result<Sides> load_sides(const std::string& word, const std::vector<std::string>& base,
                              const std::vector<std::string>& head);

/// Asks; the same for all scenarios of a run.
class Asker {
 public:
  Asker(const properties::CheckOptions& options, const std::optional<Baseline>& baseline,
        const std::string& program, KeptResults& kept, const BeginCheck& begin);

  /// False: it was interrupted, and nothing is known of this scenario.
  bool ask(Sides& sides);

 private:
  Judged answer(const model::Setup& setup, const QuestionDigests& question);
  std::vector<KeptVerdict> in_baseline(const std::string& scenario, const QuestionDigests& question) const;
  void take_base(Sides& sides, const Judged& judged) const;
  bool interrupted() const { return options_.outside.interrupted && options_.outside.interrupted(); }

  const properties::CheckOptions& options_;
  const std::optional<Baseline>& baseline_;
  const std::string& program_;
  KeptResults& kept_;
  const BeginCheck& begin_;
  std::string limits_;
};

/// The verdicts of the head as a baseline keeps them.
std::vector<KeptVerdict> verdicts_to_keep(const Sides& sides);

}  // namespace lockstep::tools
