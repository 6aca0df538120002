#include "sim/base/digest.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace lockstep::sim {

Digest digest_bytes(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::string hex(const Digest& digest) { return fmt::format("{:016x}{:016x}", digest.high, digest.low); }

}  // namespace lockstep::sim
