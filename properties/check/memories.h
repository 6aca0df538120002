// memories.h: what a search keeps of the steps that it took. Its outcome does not depend on it.
#pragma once

#include <cstdint>

namespace lockstep::properties {

enum class Memories : std::uint8_t {
  usual,            // steps are remembered (remembered.h), until that grows too large
  but_for_scripts,  // those in which a script answers a client are taken all the same, and must come out as
                    // they are remembered; only to measure
  short_lived,      // all is forgotten again and again; only to compare
  none,             // each step is taken anew, over whole states; only to compare
};

}  // namespace lockstep::properties
