// free_memory.h: gives memory back to the machine that values needed which are gone.
//
// The allocator of the C library keeps what is freed between what is not. Once a second is often enough to
// ask for it back, and only if there is much more of it than the last time.
#pragma once

#include <malloc.h>

#include <chrono>
#include <cstddef>

namespace lockstep::tools::serve {

class FreeMemory {
 public:
  void give_back(std::chrono::steady_clock::time_point now) {
    constexpr std::size_t much = std::size_t{16} << 20;
    if (now < next_) return;
    next_ = now + std::chrono::seconds(1);
    const std::size_t free = ::mallinfo2().fordblks;
    if (free < left_) left_ = free;
    if (free < left_ + much) return;
    ::malloc_trim(0);
    left_ = ::mallinfo2().fordblks;
  }

 private:
  std::chrono::steady_clock::time_point next_{};
  std::size_t left_ = 0;  // free, and asked back already
};

}  // namespace lockstep::tools::serve
