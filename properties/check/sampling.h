// sampling.h: the sampled runs of a check, all of them or the part that falls to one machine.
//
// A run follows from the seed and its own number: it goes on to its end, whatever it breaks, so that nothing
// in it depends on other runs. A check takes for each property the first run that breaks it, and ends with
// the run in which the last of them breaks. So parts that were done apart say together what one check of all
// says, in whatever order they come: for all that was met a part notes the first run that met it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "properties/check/begun.h"
#include "properties/check/check.h"
#include "properties/check/coverage.h"

namespace lockstep::properties {

/// The runs whose numbers, from 0, leave `index` when they are divided by `count`.
struct Shard {
  std::uint64_t index = 0, count = 1;
  bool has(std::uint64_t run) const { return run % count == index; }
  bool operator==(const Shard&) const = default;
};

struct FirstBroken {
  Property property{};
  std::uint64_t run = 0;
  sim::Trail trail, deviations;  // as in PropertyResult
};

/// A run that was left before all programs had ended, and could have gone on.
struct Unfinished {
  std::uint64_t run = 0;
  std::string policy;
  bool operator==(const Unfinished&) const = default;
};

struct SampledPart {
  Shard shard;
  std::optional<std::string> refusal;
  std::uint64_t runs = 0, steps = 0;
  std::uint64_t cut_at_limit = 0;     // how many met the limit of moves
  std::vector<Unfinished> unfinished;  // not among those that were cut
  std::map<std::string, SampledBy> by;    // policy
  std::uint64_t thought_steps = 0;        // as in the report
  Seen seen;
  std::vector<FirstBroken> broken;
  std::map<unsigned, std::uint64_t> witnesses;  // bits, with the first run that showed them
  std::map<std::string, std::uint64_t> sent;    // roles whose scripts were sent, likewise
  std::optional<std::uint64_t> met_horizon;
  bool interrupted = false, time_was_up = false;
  std::uint64_t steps_known = 0;  // that went along an edge that earlier ones had gone (walking.h)
};

enum class Graphs : std::uint8_t;  // walking.h

/// What is asked of sampling.
struct Sampling {
  const Setup& setup;
  const CheckOptions& options;  // `watched` as it is in this setup
  const MadeMoves& made;
  sim::PropertyMask asked = 0;  // when all of these are broken nothing is left to do
  std::uint64_t steps_max = 0;  // of all runs together; one that begins below it goes on to its end
  RunLength cut_after;
  std::function<void(const SampledPart&)> on_run = {};
  Graphs graphs{};
};
SampledPart sampled(const Sampling& what, Shard shard);

/// Adds what parts found to a report that asks for these properties; true if all of those are broken.
bool add_parts(const std::vector<SampledPart>& parts, sim::PropertyMask asked, CheckReport& report);

/// One shard of a check that only samples, and the check that they make together. `missing`: shards that
/// there ought to be; then nothing holds.
SampledPart check_shard(const Setup& setup, const CheckOptions& options, Shard shard);
CheckReport put_together(const Setup& setup, const CheckOptions& options,
                         const std::vector<SampledPart>& parts, const std::string& missing);

}  // namespace lockstep::properties
