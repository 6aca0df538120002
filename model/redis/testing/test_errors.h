// test_errors.h: what many commands answer when they refuse, as TestClient renders it.
#pragma once

namespace lockstep::redis::testing {

inline constexpr const char* wrong_type =
    "(error) WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr const char* not_integer = "(error) ERR value is not an integer or out of range";
inline constexpr const char* syntax = "(error) ERR syntax error";

}  // namespace lockstep::redis::testing
