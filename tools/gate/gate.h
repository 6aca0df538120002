// gate.h: what changes when one set of scripts takes the place of another, over stored trails and scenarios.
//
// Both sets are asked the same questions: first every stored trail, then every scenario (sides.h). Nothing
// here depends on how long anything takes.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "properties/check/check.h"
#include "reports/findings/findings.h"
#include "sim/base/result.h"
#include "tools/gate/baseline.h"
#include "tools/gate/judged.h"
#include "tools/gate/sides.h"

namespace lockstep::tools {

struct GateRequest {
  std::vector<std::string> scenarios;   // each one instance
  std::vector<std::string> base, head;  // words of --scripts; empty: what each scenario names
  std::string version;                  // of Lockstep
  std::string about;                    // base → head, as the user called them
  std::vector<std::string> trails;      // files
  std::optional<Baseline> baseline;
  std::set<std::string> fail_on;  // outcomes, and "unfound"
  std::string today;              // "2027-06-30"
  std::string out_dir;
  std::string program;               // which build this is; empty: unknown
  properties::CheckOptions options;  // but what is outside
};

struct Gated {
  reports::Findings findings;
  std::vector<KeptVerdict> verdicts;                      // of the head, for the next baseline
  std::size_t from_baseline = 0, kept = 0, computed = 0;  // answers
};

sim::Result<Gated> gate(const GateRequest& request, KeptResults& kept, const BeginCheck& begin);

}  // namespace lockstep::tools
