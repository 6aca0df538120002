// partial.h: the file that one shard of a check leaves, and what several of them say together.
//
//   {"lockstep":"shard","v":2,"program":"6b1f…","shard":"2/8","strategy":"random","seed":"1","runs":1000, …
//    "scenarios":[{"word":"plain/two-clients","digest":"8f…", …}],"sum":"0c2d…"}
//
// `program` is the build that made it, `digest` that of the scenario with its scripts, `sum` that of all
// other members: parts of another question, or of another program, are not put together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/check/sampling.h"
#include "sim/base/result.h"

namespace lockstep::tools {

inline constexpr int partial_format = 4;

/// What was asked, alike in all shards of a check.
struct ShardedQuestion {
  std::string program, strategy;
  std::uint64_t seed = 1, runs = 0;
  std::optional<std::uint64_t> steps_max, settling_max;
  bool shrink = true, coverage = false;
  std::vector<std::string> properties, scripts;
  std::vector<std::pair<std::string, std::string>> scenarios;  // words and digests
  bool operator==(const ShardedQuestion&) const = default;
};

struct PartialResult {
  ShardedQuestion question;
  properties::Shard shard;
  std::vector<properties::SampledPart> parts;  // one for each scenario, or fewer if it was interrupted
};

std::string text_of(const PartialResult& partial);

/// Errors are one sentence that begins with the name of the file.
struct ReadPartial {
  PartialResult partial;
  std::string file;
};
sim::Result<ReadPartial> parse_partial(std::string_view text, const std::string& file);

/// Why these two are not parts of one check; nothing if they are.
std::optional<sim::Problem> misfit(const ReadPartial& one, const ReadPartial& other);

/// "shards 3 and 5 of 8 are missing"; empty if none is.
std::string missing_shards(const std::vector<ReadPartial>& all);

}  // namespace lockstep::tools
