// fair_cycle.h: what may stay open for ever, in a run that keeps nobody from acting.
//
// The graph of a finished search is given state by state, in the order of their numbers, with all steps of
// each; and with each state which questions are open there (a call that has not returned, something that was
// never true). A question stays open for ever in a run that goes round a cycle of states in which it is open.
// Such a run counts if it is *fair*: time passes in it, the adversary does nothing, and whoever could act all
// the time does act (weak fairness): every actor takes a step of the cycle, or has none to take in some state
// of it.
//
// States in which a question is open fall into strongly connected parts. A part holds a fair cycle if and
// only if the cycle that visits all of it is fair, for with more states nobody is kept from acting who was
// not before. So each part is looked at once, in time linear in its steps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::sim {

/// Bit q: question q is open.
using QuestionMask = std::uint64_t;

class FairGraph {
 public:
  struct Step {
    std::uint32_t to = 0;
    std::uint16_t actor = 0;  // numbered from 0 on; which of those that are to be treated fairly
    bool fault = false, passes_time = false;
  };
  /// A step of a state, by its place among all that the state has.
  struct Taken {
    std::uint32_t from = 0, place = 0;
  };

  /// The initial state is 0; each other is told with the first step that leads to it.
  explicit FairGraph(QuestionMask open_at_start) : open_{open_at_start} {}

  /// All steps of one state follow each other; `open`: what is, where the step leads to.
  void add(std::uint32_t from, const Step& step, QuestionMask open);

  std::size_t states() const { return open_.size(); }
  std::uint32_t target(const Taken& taken) const { return steps_[begin_of(taken.from) + taken.place].to; }

  /// A fair lap in which the question stays open, from its least state back to it; of several parts that
  /// which holds the least state. Nothing if there is none, which holds for complete graphs alone.
  std::optional<std::vector<Taken>> lap(unsigned question) const;

 private:
  friend class FairLap;

  std::size_t begin_of(std::uint32_t state) const {
    return state < begins_.size() ? begins_[state] : steps_.size();
  }
  /// A step that stays among states in which the question is open.
  bool stays(const Step& step, QuestionMask question) const {
    return !step.fault && (open_[step.to] & question) != 0;
  }
  template <class Visit>
  void for_each_part(QuestionMask question, Visit visit) const;

  std::vector<QuestionMask> open_;    // by state
  std::vector<std::size_t> begins_;   // by state: where its steps begin
  std::vector<Step> steps_;
  std::uint16_t actors_ = 0;
};

}  // namespace lockstep::sim
