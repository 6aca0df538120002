// recollection.h: functions on a stage, each worked out once for what it reads, and remembered.
//
// A function is called by its number. It may change what lies on the stage, and says one number, whose
// meaning is its own. What it does must follow from what it reads there, and from nothing else.
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <type_traits>
#include <vector>

#include "properties/check/by_numbers.h"
#include "properties/check/stage.h"
#include "sim/base/verify.h"
#include "sim/search/recall.h"

namespace lockstep::properties {

/// The latest two answers of a function, by what it read and what it was told: most moves change neither.
class LatestAnswers {
 public:
  const std::uint32_t* find(const sim::Row& row, std::uint32_t told = 0) {
    for (const Answer& answer : answers_) {
      if (answer.first != row[answer.slot] || answer.told != told || !agrees(answer, row)) continue;
      heard_ = answer.others | sim::Slots{1} << answer.slot;
      return &answer.says;
    }
    return nullptr;
  }
  /// From what the answer follows that was found last.
  sim::Slots heard() const { return heard_; }
  void keep(const sim::Row& row, sim::Slots heard, std::uint32_t says, std::uint32_t told = 0) {
    if (heard == 0) return;
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(heard));
    answers_[oldest_] = {slot, row[slot], told, says, heard & (heard - 1), row};
    oldest_ = 1 - oldest_;
  }

 private:
  struct Answer {
    std::uint32_t slot = 0, first = ~std::uint32_t{0};  // the first slot that was read, and what lay there
    std::uint32_t told = 0, says = 0;
    sim::Slots others = 0;
    sim::Row row;
  };
  static bool agrees(const Answer& answer, const sim::Row& row) {
    bool same = true;
    sim::for_each_slot(answer.others,
                       [&](std::size_t slot) { same = same && row[slot] == answer.row[slot]; });
    return same;
  }

  std::array<Answer, 2> answers_;
  std::size_t oldest_ = 0;
  sim::Slots heard_ = 0;
};

/// Answers of one of several functions by a number that it is told, and by the two slots that are all it was
/// ever seen to read.
template <class Answer>
class AnswersOfTwo {
 public:
  const Answer* find(const sim::Row& row, std::uint32_t told = 0, std::size_t function = 0) const {
    if (function >= read_.size() || !read_[function].are_few) return nullptr;
    const std::uint64_t key = key_of(read_[function], row, told);
    return key == too_large ? nullptr : answers_.find(key);
  }
  /// From what answers follow that are found.
  sim::Slots heard(std::size_t function = 0) const { return read_[function].all; }
  /// What was kept when fewer slots had been read follows from these alone.
  void keep(const sim::Row& row, sim::Slots heard, const Answer& says, std::uint32_t told = 0,
            std::size_t function = 0) {
    if (function >= read_.size()) read_.resize(2 * function + 1);
    Read& read = read_[function];
    read.all |= heard;
    read.are_few = read.all != 0 && std::popcount(read.all) <= 2;
    if (!read.are_few) return;
    read.one = static_cast<std::uint8_t>(std::countr_zero(read.all));
    read.other = static_cast<std::uint8_t>(31 - std::countl_zero(read.all));
    const std::uint64_t key = key_of(read, row, told);
    if (key != too_large && answers_.find(key) == nullptr) answers_.keep(key, says);
  }
  std::uint64_t bytes() const { return answers_.bytes() + read_.capacity() * sizeof(Read); }
  void forget() { *this = {}; }

 private:
  struct Read {
    sim::Slots all = 0;
    std::uint8_t one = 0, other = 0;
    bool are_few = false;
  };
  static constexpr unsigned number_bits = 16;
  static constexpr std::uint64_t too_large = ~std::uint64_t{0};

  static std::uint64_t key_of(const Read& read, const sim::Row& row, std::uint32_t told) {
    const std::uint64_t one = row[read.one], other = row[read.other];
    if ((one | other) >> number_bits != 0) return too_large;
    return std::uint64_t{told} << 2 * number_bits | one << number_bits | other;
  }

  std::vector<Read> read_;  // by function
  ByNumbers<Answer> answers_;
};

class Recollection {
 public:
  using Function = sim::Recall::Function;

  Recollection(const Checked::State& start, bool reads_now) : stage_(start, reads_now) {}

  Stage& stage() { return stage_; }
  const Stage& stage() const { return stage_; }

  /// The first of so many numbers that no function has.
  Function functions(std::size_t count = 1) {
    const Function first = next_;
    next_ += static_cast<Function>(count);
    return first;
  }

  /// What the function read of which was asked last.
  sim::Slots last_heard() const { return last_heard_; }

  /// Changes a row as the function does, and answers what it says.
  template <class Work>
  std::uint32_t change(Function function, sim::Row& row, Work work) {
    std::optional<std::uint32_t> known = recall_.find(function, row);
    if (known) return carry_over(*known, row);
    const std::uint32_t says = work(stage_.lay(row));
    if (recall_.is_worth_noting(function)) return carry_over(keep(function, row, says, true), row);
    take_changes(row);
    return says;
  }

  /// The same, worked out anew and not remembered here.
  template <class Work>
  std::uint32_t change_anew(sim::Row& row, Work work) {
    const std::uint32_t says = work(stage_.lay(row));
    take_changes(row);
    return says;
  }

  /// What the function says; what it changes is not kept.
  template <class Work>
  std::uint32_t ask(Function function, const sim::Row& row, Work work) {
    return ask_if(function, row, work, [] { return true; });
  }
  /// The same; `is_kept` is asked after `work` whether the answer is to be remembered here.
  template <class Work, class IsKept>
  std::uint32_t ask_if(Function function, const sim::Row& row, Work work, IsKept is_kept) {
    std::optional<std::uint32_t> known = recall_.find(function, row);
    if (!known) {
      const std::uint32_t says = work(stage_.lay(row));
      last_heard_ = stage_.heard();
      if constexpr (!only_reads<Work>) stage_.discard();
      if (is_kept() && recall_.is_worth_noting(function)) keep(function, row, says, false);
      return says;
    }
    last_heard_ = done_[*known].heard;
    return done_[*known].says;
  }

  /// The same of a function that is told `number` instead of reading what lies in these slots.
  template <class Work>
  std::uint32_t ask_told(Function function, const sim::Row& row, std::uint32_t number, sim::Slots slots,
                         Work work) {
    const Done& done = done_[told(function, row, number, slots, work)];
    last_heard_ = done.heard & ~slots;
    return done.says;
  }

  std::uint64_t bytes() const {
    return recall_.bytes() + done_.capacity() * sizeof(Done) + changes_.capacity() * sizeof(Stage::Change) +
           stage_.bytes();
  }
  /// All functions are unknown again, and their numbers nobody's.
  void forget() {
    recall_ = sim::Recall();
    done_.clear();
    changes_.clear();
    next_ = 0;
  }

 private:
  struct Done {
    std::uint32_t begin = 0, count = 0, says = 0;
    sim::Slots heard = 0;
  };

  /// What is given a state that it cannot write to.
  template <class Work>
  static constexpr bool only_reads = std::is_invocable_v<Work&, const Checked::State&>;

  template <class Work>
  std::uint32_t told(Function function, const sim::Row& row, std::uint32_t number, sim::Slots slots,
                     Work work) {
    const auto teller = static_cast<std::size_t>(std::countr_zero(slots));
    sim::Row key = row;
    key[teller] = number;
    const std::optional<std::uint32_t> known = recall_.find(function, key);
    if (known) return *known;
    const std::uint32_t says = work(stage_.lay(row));
    VERIFY((stage_.heard() & slots) == 0);
    if constexpr (!only_reads<Work>) stage_.discard();
    return keep(function, key, says, false, sim::Slots{1} << teller);
  }

  void take_changes(sim::Row& row) {
    sim::Slots changed = 0;
    for (const Stage::Change& change : stage_.changes()) {
      row[change.slot] = change.number;
      changed |= sim::Slots{1} << change.slot;
    }
    last_heard_ = stage_.heard() | changed;
  }

  std::uint32_t carry_over(std::uint32_t known, sim::Row& row) {
    const Done& done = done_[known];
    last_heard_ = done.heard;
    for (std::uint32_t i = 0; i < done.count; ++i) {
      const Stage::Change& change = changes_[done.begin + i];
      row[change.slot] = change.number;
    }
    return done.says;
  }

  std::uint32_t keep(Function function, const sim::Row& row, std::uint32_t says, bool changes,
                     sim::Slots told = 0) {
    sim::Slots heard = told;
    Done done{static_cast<std::uint32_t>(changes_.size()), 0, says, 0};
    if (changes) {
      // What was only written counts as read: beside it, in its slot, may lie what was not written.
      for (const Stage::Change& change : stage_.changes()) {
        changes_.push_back(change);
        heard |= sim::Slots{1} << change.slot;
      }
      done.count = static_cast<std::uint32_t>(changes_.size()) - done.begin;
    }
    heard |= stage_.heard();
    done.heard = heard;
    done_.push_back(done);
    const auto at = static_cast<std::uint32_t>(done_.size() - 1);
    recall_.note(function, row, heard, at);
    return at;
  }

  Stage stage_;
  sim::Recall recall_;
  std::vector<Done> done_;
  std::vector<Stage::Change> changes_;
  Function next_ = 0;
  sim::Slots last_heard_ = 0;
};

}  // namespace lockstep::properties
