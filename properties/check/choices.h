// choices.h: what may happen next in a remembered state, put together from its parts.
//
// Each process with its links, and all else, says for itself which moves it has and how far time may go
// (model/world/world.h). Few of these answers differ, so the list that they make together is remembered by
// their numbers.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "properties/check/recollection.h"

namespace lockstep::properties {

class Choices {
 public:
  /// Both must outlive it.
  Choices(const Setup& setup, Recollection& known);

  /// Whether a setup can be taken apart so.
  static bool in_parts(const Setup& setup);

  /// The functions of `known` have no numbers any more.
  void forget();

  /// The number of the list of moves; equal lists may have several.
  std::uint32_t list_of(const sim::Row& row);
  const std::vector<model::Move>& moves(std::uint32_t list) const { return lists_[list]; }
  /// A step of time that goes so far ends at a deadline where ties are tracked.
  bool ends_at_deadline(const sim::Row& row, Duration passed);

 private:
  using Function = Recollection::Function;
  struct Part {
    model::PartOfMoves moves;
    model::Pace pace;
    auto operator<=>(const Part&) const = default;
  };

  void number_functions();
  std::uint32_t part_of(const sim::Row& row, std::size_t process);
  /// The numbers of the parts: processes, all else, and what is true of the whole.
  sim::Row parts_of(const sim::Row& row);
  std::uint32_t number_of(Part part);
  model::Pace pace_of(const sim::Row& parts) const;
  std::vector<model::Move> together(const sim::Row& parts) const;

  static constexpr std::uint32_t may_act_in_a_gap = 1, at_deadline = 2;

  const Setup& setup_;
  Recollection& known_;
  Function of_process_{}, of_others_{}, of_whole_{};
  /// What was asked last of a process, if it follows from what lies in its slot and in that of nobody.
  struct Last {
    std::uint32_t process = ~std::uint32_t{0}, other = 0, part = 0;
  };
  std::vector<Last> last_;  // by process
  std::map<Part, std::uint32_t> numbers_;
  std::vector<const Part*> parts_;  // by number
  sim::Recall lists_known_;
  std::deque<std::vector<model::Move>> lists_;
};

}  // namespace lockstep::properties
