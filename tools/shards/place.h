// place.h: which shard of a check falls to this process: as it is told, or as a batch system says in the
// environment of its tasks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "properties/check/sampling.h"
#include "sim/base/result.h"

namespace lockstep::tools {

using TaskEnvironment = std::function<std::optional<std::string>(const char* name)>;

/// The environment of this process.
std::optional<std::string> from_environment(const char* name);

/// "2/8" is the second of eight. "auto" asks Slurm (an array of jobs) or Open MPI, "auto/8" also Kubernetes
/// (an indexed job, which does not say how many there are).
sim::Result<properties::Shard> parse_shard(std::string_view word, const TaskEnvironment& around);

/// "2/8".
std::string text_of(const properties::Shard& shard);

}  // namespace lockstep::tools
