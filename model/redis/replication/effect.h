// effect.h: what a write does, in the words in which replicas and the append-only file receive it.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "model/wire.h"
#include "sim/base/fields.h"
#include "sim/base/time.h"

namespace lockstep::redis {

using model::Command;
using sim::Duration;

/// Where an effect goes: to replicas and to the append-only file, unless a script said otherwise
/// (redis.set_repl); what is published never goes to the file.
enum class Target : std::uint8_t { everywhere, replicas, file };

/// One write as replicas receive it. If it carries an absolute time (PEXPIREAT, SET … PXAT), that word is
/// kept as the time remaining until then, so that equal effects at different times are equal values.
struct Effect {
  Command words;                         // the time word, if any, is empty
  std::optional<std::size_t> time_word;  // which word is an absolute time in ms
  Duration remaining{};                  // until that time, by the sender's clock
  std::uint8_t database = 0;
  Target target = Target::everywhere;

  bool operator==(const Effect&) const = default;
  static auto fields(auto& e) { return std::tie(e.words, e.time_word, e.remaining, e.database, e.target); }
};
static_assert(sim::State<Effect>);

/// What one command or script replicates: applied by a replica as a whole (MULTI … EXEC when there are two or
/// more).
using Effects = std::vector<Effect>;

}  // namespace lockstep::redis
