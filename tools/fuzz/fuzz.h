// fuzz.h: what is fed with any bytes at all and must neither crash nor break an invariant.
//
// Each target takes one input and returns; it stops the program if something is wrong. A fuzzer looks for such
// inputs (tools/fuzz/run); the test program feeds the kept corpus to the same functions in every build.
#pragma once

#include <string_view>

namespace lockstep::tools::fuzz {

/// Requests out of bytes: in one portion and byte by byte they must be the same.
void resp(std::string_view input);

/// A node that is sent the requests in the input, with a little time between them. What it replies can be
/// encoded, what it replicates keeps a replica equal, and no empty aggregate stays behind.
void commands(std::string_view input);

/// A scenario file: read, or refused with a sentence; what was read can be printed and read again.
void scenario(std::string_view input);

/// A trail: read, or refused with a sentence; what was read prints as it reads.
void trail(std::string_view input);

using Target = void (*)(std::string_view);
struct NamedTarget {
  std::string_view name;
  Target target;
};
inline constexpr NamedTarget targets[] = {
    {"resp", resp}, {"commands", commands}, {"scenario", scenario}, {"trail", trail}};

}  // namespace lockstep::tools::fuzz
