// views.h: what is asked of one process with its links, or of one server, worked out together and
// remembered.
//
// Nearly always that follows from what lies in its slot and in that of what is of nobody alone. Then an
// answer is known as long as the two numbers stay as they are: those of the row that is being expanded are
// kept, for most moves leave a given slot as it is, and so is the latest one.
#pragma once

#include <array>
#include <vector>

#include "properties/check/looked_at.h"
#include "properties/check/recollection.h"

namespace lockstep::properties {

class Views {
 public:
  using WaitLists = looked_at::WaitLists;
  using Situation = looked_at::Situation;

  /// Both must outlive it.
  Views(const Checked& checked, Recollection& known);

  /// Rows that are asked about from now on are much like this one.
  void expand(const sim::Row& row, bool without_leases);

  /// The number of its Situation.
  std::uint32_t situation_of(const sim::Row& row, std::size_t process, bool without_leases) {
    return at(row, first_process_ + process, without_leases).situation;
  }

  /// Puts processes, links and servers into their normal form (model/world/identity.h). `without_leases`:
  /// also forgets their clocks.
  void forget_unread(sim::Row& row, bool without_leases) {
    bool alone = true;
    sim::Row normal = row;
    for (std::size_t slot = 0; slot < other_; ++slot) {
      const View& view = at(row, slot, without_leases);
      normal[slot] = view.normal;
      alone = alone && view.alone;
    }
    if (alone) row = normal;
    else forget_unread_one_by_one(row, without_leases);
    if (row[other_] != none_gone_) forget_gone(row);
  }

  WaitLists& waits() { return waits_; }
  /// How many answers are kept.
  std::size_t size() const { return views_.size(); }
  /// The functions of `known` have no numbers any more.
  void forget();

 private:
  using Function = Recollection::Function;
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};

  struct View {
    std::uint32_t situation = 0, normal = 0;  // numbers
    bool alone = false;                       // nothing else was read, and nothing but this slot changes
  };
  struct Placed {
    std::uint32_t slot = nothing, other = nothing;  // what lay there
    View view;
  };
  /// Of one slot, with leases and without.
  struct Kept {
    std::array<Placed, 2> expanded, latest;
  };

  const View& at(const sim::Row& row, std::size_t slot, bool without_leases) {
    Kept& kept = kept_[slot];
    const auto fits = [&](const Placed& one) { return one.slot == row[slot] && one.other == row[other_]; };
    if (fits(kept.expanded[without_leases])) return kept.expanded[without_leases].view;
    Placed& latest = kept.latest[without_leases];
    if (!fits(latest)) look(row, slot, without_leases, latest);
    return latest.view;
  }

  static Function function_of(Function first, std::size_t slot, bool without_leases) {
    return first + static_cast<Function>(2 * slot + (without_leases ? 1 : 0));
  }
  void look(const sim::Row& row, std::size_t slot, bool without_leases, Placed& placed);
  void forget_unread_one_by_one(sim::Row& row, bool without_leases);
  void forget_gone(sim::Row& row);
  std::uint32_t normalise(Checked::State& state, std::size_t slot, bool without_leases);
  void number_functions();

  const Checked& checked_;
  Recollection& known_;
  std::size_t first_process_, other_;
  Function first_{}, one_by_one_{}, gone_{};  // the first of two for each slot, of as many; one
  std::uint32_t none_gone_ = nothing;         // what lay in the slot of nobody when no server was gone
  std::vector<Kept> kept_;                    // by slot
  std::vector<View> views_;                   // by what the functions say
  WaitLists waits_;
};

}  // namespace lockstep::properties
