// thread_ranks.h: ranks (sim/search/ranks.h) that are threads of one test, and share no more than messages.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/search/ranks.h"

namespace lockstep::sim::testing {

/// Where threads meet.
class Meeting {
 public:
  explicit Meeting(std::size_t count) : out_(count) {}

  std::vector<std::string> exchange(std::size_t mine, const std::vector<std::string>& out) {
    std::unique_lock lock(mutex_);
    out_[mine] = out;
    arrive(lock);
    std::vector<std::string> in;
    for (const auto& words : out_) in.push_back(words[mine]);
    arrive(lock);
    return in;
  }

 private:
  void arrive(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t round = round_;
    if (++arrived_ < out_.size()) return all_are_here_.wait(lock, [&] { return round_ != round; });
    arrived_ = 0;
    ++round_;
    all_are_here_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable all_are_here_;
  std::vector<std::vector<std::string>> out_;
  std::size_t arrived_ = 0;
  std::uint64_t round_ = 0;
};

class ThreadRank : public Ranks {
 public:
  ThreadRank(Meeting& meeting, std::size_t count, std::size_t mine)
      : meeting_(meeting), count_(count), mine_(mine) {}
  std::size_t count() const override { return count_; }
  std::size_t mine() const override { return mine_; }
  std::vector<std::string> exchange(const std::vector<std::string>& out) override {
    return meeting_.exchange(mine_, out);
  }

 private:
  Meeting& meeting_;
  std::size_t count_, mine_;
};

/// Calls work(ranks) for each of so many, at the same time.
template <class Work>
void by_thread_ranks(std::size_t count, const Work& work) {
  Meeting meeting(count);
  std::vector<std::jthread> threads;
  for (std::size_t rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      ThreadRank ranks(meeting, count, rank);
      work(ranks);
    });
}

}  // namespace lockstep::sim::testing
