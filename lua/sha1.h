// sha1.h: the name that a server gives to a script, as 40 hexadecimal digits.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::lua {

inline constexpr std::size_t sha1_digits = 40;

/// In lower case.
std::string sha1_hex(std::string_view bytes);

}  // namespace lockstep::lua
