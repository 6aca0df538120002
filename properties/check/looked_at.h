// looked_at.h: what monitors look at in a remembered step.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "properties/check/recollection.h"

namespace lockstep::properties::looked_at {

/// What a move showed, and the function by which monitors see it.
struct Observed {
  std::vector<model::Observation> seen;
  std::uint64_t looked = 0;  // at steps of servers (names_watch.h)
  Recollection::Function watching = 0;
  std::vector<std::uint32_t> ways;  // that scripts went (check.h)

  bool answers_client() const {
    for (const model::Observation& one : seen)
      if (std::holds_alternative<model::Evaluated>(one)) return true;
    return false;
  }
  bool is_like(const Observed& other) const {
    return looked == other.looked && ways == other.ways && seen == other.seen;
  }
};

/// What checks ask of one process, as one number: whom it waits for, and two answers.
struct Situation {
  std::uint32_t waits = 0;  // WaitLists
  bool silent = false, ended = false;

  std::uint32_t number() const {
    return waits << 2 | static_cast<std::uint32_t>(silent) << 1 | static_cast<std::uint32_t>(ended);
  }
  static Situation of(std::uint32_t number) { return {number >> 2, (number & 2) != 0, (number & 1) != 0}; }
};

/// What processes wait for, by number; the first is nothing.
class WaitLists {
 public:
  using Waits = std::vector<model::Facts::Wait>;

  std::uint32_t number_of(const Waits& waits) {
    std::uint32_t number = 0;
    while (number < lists_.size() && lists_[number] != waits) ++number;
    if (number == lists_.size()) lists_.push_back(waits);
    return number;
  }
  const Waits& operator[](std::uint32_t number) const { return lists_[number]; }

  /// Of one number for those of all processes: numbers that fit lie in it one behind the other.
  static constexpr unsigned bits_of_each(std::size_t processes) {
    return processes == 0 ? 31 : 31 / static_cast<unsigned>(processes);
  }
  /// One number for those of all processes, whose order counts, from their situations, where they do not fit.
  std::uint32_t together(std::span<const std::uint32_t> situations) {
    constexpr std::uint32_t not_packed = std::uint32_t{1} << 31;
    std::vector<std::uint32_t> numbers(situations.begin(), situations.end());
    for (std::uint32_t& number : numbers) number = Situation::of(number).waits;
    return not_packed |
           joined_.try_emplace(std::move(numbers), static_cast<std::uint32_t>(joined_.size())).first->second;
  }

  void forget() { *this = {}; }

 private:
  std::vector<Waits> lists_{1};
  std::map<std::vector<std::uint32_t>, std::uint32_t> joined_;
};

/// What is asked of monitors without a look at the world.
struct alignas(32) MonitorsBrief {  // found by number often
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};
  sim::PropertyMask broken = 0;
  bool known = false;
  bool leases_are_decided = false, may_forget_beliefs = false;
  std::uint32_t normal = nothing;  // the number of their normal form, if that follows from them alone
  bool asks_after_crash = false, counts_grants = false, on_request = false, counts_answers = false;

  bool has_more() const { return broken != 0 || asks_after_crash || on_request || counts_answers; }
};

}  // namespace lockstep::properties::looked_at
