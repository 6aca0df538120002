// prefetch.h: memory that will be read soon begins to come. Nothing but time depends on it.
#pragma once

namespace lockstep::sim {

/// A compiler takes a function that does no more for one without effect, and leaves out its calls; the empty
/// statement is an effect.
inline void prefetch(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}

}  // namespace lockstep::sim
