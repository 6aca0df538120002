// sha1.h: the name that a server gives to a script (FIPS 180-4).
//
// Own code, because the libraries that offer it are cryptographic suites, and this is a name, not a
// protection. Tested against the standard's vectors and against sha1sum over the scripts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::lua {

inline constexpr std::size_t sha1_digits = 40;

/// SHA1 of the bytes, 40 lower-case hexadecimal digits.
std::string sha1_hex(std::string_view bytes);

}  // namespace lockstep::lua
