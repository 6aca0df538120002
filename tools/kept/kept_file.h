// kept_file.h: the file in which `lockstep check --save` keeps a search that did not end.
//
//   {"lockstep":"search","v":1,"program":"6b1f…","digest":"8f…","question":"0c…","states":12345, …}
//
// and behind that line, as bytes with the lowest first: the digests of all states, 16 each; where each came
// from, 4, and by which of the moves there, 2; for each ending and eight states 1; for each state that was
// expanded the number of its moves that are no faults, 2, and for each of those the state it leads to, 4,
// and whether time stands still, 1; and the digest of all of this, 16.
//
// `program` is the build that made it, `digest` that of the scenario with its scripts, `question` that of
// what else was asked. A file of another question, program or version is refused, and so is one that was cut
// off or changed. Much may be in it, so it is written and read piece by piece.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "properties/check/kept.h"
#include "sim/base/result.h"

namespace lockstep::tools {

inline constexpr int kept_format = 1;

/// Whose search it is. Both must be equal where another goes on.
struct KeptQuestion {
  std::string program;
  std::string scenario;  // its name, which is only told
  std::string digest;    // of the scenario with its scripts
  std::string question;  // of properties, symmetry, and what runs begin with
};

/// Whole or not at all.
[[nodiscard]] std::optional<sim::Problem> write_kept(const std::string& path, const KeptQuestion& question,
                                                     const properties::KeptSearch& kept);

/// Errors are one sentence that begins with the name of the file.
sim::Result<std::shared_ptr<properties::KeptSearch>> read_kept(const std::string& path,
                                                               const KeptQuestion& question);

}  // namespace lockstep::tools
