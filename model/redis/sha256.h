// sha256.h: how ACL shows a password (FIPS 180-4; Redis acl.c, ACLHashPassword).
//
// It is shown and never asked: whether a password is the right one is compared in the open, so nothing is
// protected here.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::redis {

/// SHA-256 of the bytes, 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace lockstep::redis
