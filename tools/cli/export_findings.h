// export_findings.h: `--export KIND=PATH`, the files that other tools read of a check or a gate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/findings/findings.h"
#include "sim/base/result.h"
#include "tools/cli/grammar.h"

namespace lockstep::tools {

struct FindingsExport {
  std::string (*write)(const reports::Findings& findings) = nullptr;
  std::string path;
};

/// "--export KIND=PATH", again and again.
void declare_exports(Grammar& grammar, std::vector<FindingsExport>& into);

/// The first of them that surely cannot be written.
[[nodiscard]] std::optional<sim::Problem> cannot_write(const std::vector<FindingsExport>& exports);

/// The folders of the files are made. What GITHUB_STEP_SUMMARY names is added to, since other steps of a
/// command write there as well.
[[nodiscard]] std::optional<sim::Problem> write_exports(const reports::Findings& findings,
                                                        const std::vector<FindingsExport>& exports);

}  // namespace lockstep::tools
