// taken_in.h: histories that other programs wrote, as the JSON Lines that check-history reads.
//
// Jepsen's EDN, or one JSON object a line whose members may be called otherwise than here: a map says under
// which names they stand, what their words mean, and in which unit times are.
//
//   time-unit = "us"              # of `time` and `lease`: s, ms (as here), us, ns
//   [members]
//   process = "client.id"         # a member of a member
//   call    = "op"
//   [words.type]
//   begin   = "invoke"            # what stands there = what is meant
//   [words.call]
//   acquire_lock = "lock"
//
// What the map does not name stands under our name. A line that has no `type`, or whose word means "", is
// left out and counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "tools/history/recorded.h"

namespace lockstep::tools {

struct TakenIn {
  std::vector<RecordedEvent> events;
  std::uint64_t left_out = 0;
};

/// `map`: the text of the file `map_file`; an empty one says nothing.
sim::Result<TakenIn> taken_in_json_lines(std::string_view text, const std::string& file, std::string_view map,
                                         const std::string& map_file);

/// As `check-history` reads it, with its first line.
std::string history_lines(const std::vector<RecordedEvent>& events);

}  // namespace lockstep::tools
