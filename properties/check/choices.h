// choices.h: what may happen next in a remembered state, put together from its parts.
//
// Each process with its links, and all else, says for itself which moves it has and how far time may go
// (model/world/world.h). Few of these answers differ, so they are remembered by number; the lists of several
// parts, each in order, are joined anew for each state.
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "properties/check/by_numbers.h"
#include "properties/check/known_moves.h"
#include "properties/check/recollection.h"

namespace lockstep::properties {

class Choices {
 public:
  /// All must outlive it.
  Choices(const Setup& setup, Recollection& known, KnownMoves& moves);

  /// Whether a setup can be taken apart so.
  static bool in_parts(const Setup& setup);

  /// The functions of `known` have no numbers any more, nor have moves.
  void forget();

  /// Replaces the content of `list`.
  void list(const sim::Row& row, std::vector<KnownMove>& list);
  /// A step of time that goes so far ends at a deadline where ties are tracked.
  bool ends_at_deadline(const sim::Row& row, Duration passed);
  std::uint64_t bytes() const {
    return of_processes_.bytes() + of_others_of_two_.bytes() + of_whole_of_two_.bytes();
  }

 private:
  using Function = Recollection::Function;
  struct Part {
    model::PartOfMoves moves;
    model::Pace pace;
    auto operator<=>(const Part&) const = default;
  };
  struct Entry {
    std::uint32_t place = 0;
    KnownMove move;
  };
  /// What is left of the list of a part.
  struct Head {
    const Entry *next, *end;
  };
  using Heads = std::array<Head, sim::Row::slots_max>;
  /// The same as a list in order, by the number of the part.
  struct Ready {
    std::vector<Entry> entries;
    Duration soonest = sim::never;
    model::Pace pace;
    bool ends_fault = false;
  };
  /// By their numbers: processes, all else, and what is true of the whole.
  using Parts = std::array<std::uint32_t, sim::Row::slots_max>;

  void number_functions();
  std::uint32_t part_of(const sim::Row& row, std::size_t process);
  std::uint32_t learn_part(const sim::Row& row, std::size_t process, std::uint64_t key);
  const Parts& parts_of(const sim::Row& row);
  std::uint32_t learn_others(const sim::Row& row);
  std::uint32_t learn_whole(const sim::Row& row);
  std::uint32_t number_of(Part part);
  Ready ready(const Part& part);
  model::Pace pace_of(const Parts& parts) const;
  /// How time may pass, as the last of the parts; nothing if it may not.
  const Entry* passing(const Parts& parts);
  static void join(std::span<Head> heads, std::vector<KnownMove>& list);

  static constexpr std::uint32_t may_act_in_a_gap = 1, at_deadline = 2;

  const Setup& setup_;
  Recollection& known_;
  KnownMoves& moves_;
  Function of_process_{}, of_others_{}, of_whole_{};
  ByNumbers<std::uint32_t> of_processes_;  // of those that follow from two slots
  AnswersOfTwo<std::uint32_t> of_others_of_two_, of_whole_of_two_;
  sim::Row latest_;  // whose parts these are
  Parts latest_parts_{};
  std::array<bool, sim::Row::slots_max> follows_from_two_{};  // by process
  std::map<Part, std::uint32_t> numbers_;
  std::vector<Ready> parts_;                                  // by number
  std::map<std::int64_t, Entry> passing_;                     // by how far
};

}  // namespace lockstep::properties
