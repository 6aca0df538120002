// read_write_spec.h: a lock that many threads hold to read, or one to write.
//
// Both are reentrant. The writer may read as well, and goes on reading when it has given the writing back; a
// reader is not let in to write, not even if it is the only one.
#pragma once

#include <vector>

#include "properties/histories/held.h"

namespace lockstep::histories {

struct ReadWriteSpec {
  static constexpr bool has_leases = false, has_tokens = false, has_queue = false;

  Hold writer;
  std::vector<Hold> readers;  // by their threads
  Time now = 0;

  std::vector<ReadWriteSpec> step(const Call& call, const Answer& answer) const;
  std::string told(const Names& names) const;

  bool operator==(const ReadWriteSpec&) const = default;
  static auto fields(auto& s) { return std::tie(s.writer, s.readers, s.now); }
};
static_assert(sim::State<ReadWriteSpec>);

}  // namespace lockstep::histories
