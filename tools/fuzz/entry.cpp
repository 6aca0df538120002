// The entry of a fuzzer that is built for the one target which LOCKSTEP_FUZZ_TARGET names.
#include <cstddef>
#include <cstdint>

#include "tools/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  lockstep::tools::fuzz::LOCKSTEP_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
