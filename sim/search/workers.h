// workers.h: the door to threads: work that is done side by side.
//
// Nothing else in the core knows of threads. Work that goes through here must lead to the same result
// whatever its parts do first; what they share, they only read, or each writes a part of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lockstep::sim {

/// What one worker says to the others: it is enough.
class Enough {
 public:
  void say() { said_ = true; }
  void take_back() { said_ = false; }
  explicit operator bool() const { return said_; }

 private:
  std::atomic<bool> said_ = false;
};

/// One worker at a time asks for all whether to go on: the first, and once that has ended, any other.
class Asking {
 public:
  void begin() { first_has_ended_ = false; }
  void first_ended() { first_has_ended_ = true; }
  template <class Ask>
  void ask(std::size_t worker, const Ask& ask) {
    if (worker != 0 && !first_has_ended_) return;
    const std::lock_guard alone(turn_);
    ask();
  }

 private:
  std::atomic<bool> first_has_ended_ = false;
  std::mutex turn_;
};

/// A number that several workers look at, and of whom one may change it once. Who sees the change also sees
/// what had been written before it by the one that made it.
inline std::uint32_t look_at_shared(std::uint32_t& number) {
  return std::atomic_ref(number).load(std::memory_order_acquire);
}
/// From `before` to `after`; false if somebody was faster, and `before` is then what it has become.
inline bool change_shared(std::uint32_t& number, std::uint32_t& before, std::uint32_t after) {
  return std::atomic_ref(number).compare_exchange_strong(before, after, std::memory_order_release,
                                                         std::memory_order_acquire);
}

/// Calls work(0), …, work(count - 1) at the same time, the first on this thread, and returns when all have
/// ended. Of what they throw, that of the first by number is thrown.
template <class Work>
void side_by_side(std::size_t count, const Work& work) {
  std::vector<std::exception_ptr> thrown(count);
  const auto guarded = [&](std::size_t worker) {
    try {
      work(worker);
    } catch (...) { thrown[worker] = std::current_exception(); }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t worker = 1; worker < count; ++worker) threads.emplace_back(guarded, worker);
    guarded(0);
  }
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
}

}  // namespace lockstep::sim
