// The entry of a fuzzer that is built for the one target which LOCKSTEP_FUZZ_TARGET names.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sim/base/verify.h"
#include "tools/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

/// A fuzzer keeps the input of a program that aborts, not of one that exits.
std::string abort_instead() { std::abort(); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  lockstep::sim::set_verify_hook(abort_instead);
  lockstep::tools::fuzz::LOCKSTEP_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
