// baseline.h: the verdicts that a gate compares with, as a file that is committed.
//
//   {"lockstep":"baseline","v":1,"program":"6b1f…","entries":[
//   {"scenario":"plain/two-clients","xxh3":"8f…","scripts":"9a…","property":"owner-only","verdict":"proved",
//    "states":3071,"graph":"41…","sum":"0c2d…"},
//   …
//   ],"accepted":[
//   {"scenario":"failover/…","property":"mutual-exclusion","reason":"documented","until":"2027-06-30"}
//   ]}
//
// One line an entry, sorted, so that reviews and merges work line by line. Each has the digest of its own
// line, since nobody writes verdicts by hand; what is accepted is written by hand. An entry speaks of the
// scenario whose text has the digest `xxh3`, with scripts of the digest `scripts`, as the build `program` of
// Lockstep saw it; of any other question it says nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"

namespace lockstep::tools {

inline constexpr int baseline_format = 1;

struct KeptVerdict {
  std::string scenario, digest, scripts, property;
  std::string verdict;  // proved, passed, violated, unknown; of a witness seen or unseen
  bool vacuous = false;
  std::uint64_t states = 0, steps = 0;
  std::string graph;  // empty: the search was not complete
  bool operator==(const KeptVerdict&) const = default;
};

/// A violation that somebody answers for, up to and with a day.
struct Acceptance {
  std::string scenario, property, reason, until;
  bool operator==(const Acceptance&) const = default;
};

struct Baseline {
  std::string program;
  std::vector<KeptVerdict> entries;
  std::vector<Acceptance> accepted;
  bool operator==(const Baseline&) const = default;
};

/// Errors are one sentence with file and, where it is one line's, its number.
sim::Result<Baseline> parse_baseline(std::string_view text, const std::string& file);

/// Sorted, whatever the order of the members.
std::string text_of(Baseline baseline);

/// Whether a text is a day of the calendar, "2027-06-30".
bool is_day(std::string_view text);

}  // namespace lockstep::tools
