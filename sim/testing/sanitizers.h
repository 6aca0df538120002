// sanitizers.h: whether this is built with the address sanitizer, for tests that say nothing under it: what a
// process has of memory is not its own then, and long searches take minutes. g++ tells of it by a macro,
// clang 14 by a feature.
#pragma once

namespace lockstep::sim::testing {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool address_sanitizer = true;
#elif defined(__has_feature)
inline constexpr bool address_sanitizer = __has_feature(address_sanitizer) != 0;
#else
inline constexpr bool address_sanitizer = false;
#endif

}  // namespace lockstep::sim::testing
