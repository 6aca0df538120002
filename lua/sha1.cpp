#include "lua/sha1.h"

#include <nettle/base16.h>
#include <nettle/sha1.h>

#include <array>

namespace lockstep::lua {

std::string sha1_hex(std::string_view bytes) {
  sha1_ctx state;
  sha1_init(&state);
  sha1_update(&state, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::array<std::uint8_t, SHA1_DIGEST_SIZE> digest;
  sha1_digest(&state, digest.size(), digest.data());
  std::string hex(BASE16_ENCODE_LENGTH(digest.size()), '0');
  base16_encode_update(hex.data(), digest.size(), digest.data());
  return hex;
}

}  // namespace lockstep::lua
