// views.h: what is asked of one process with its links, or of one server, worked out together and
// remembered.
//
// Nearly always that follows from what lies in its slot and in that of what is of nobody alone; then it is
// kept under these two numbers. Most moves leave a given slot as it is: of a row that follows the one that is
// being expanded, only the slots that differ are looked at.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "properties/check/by_numbers.h"
#include "properties/check/looked_at.h"
#include "properties/check/recollection.h"

namespace lockstep::properties {

class Views {
 public:
  using WaitLists = looked_at::WaitLists;
  using Situation = looked_at::Situation;

  /// All slots of a row together.
  struct Whole {
    sim::Row row;                 // up to what is of nobody alone
    bool without_leases = false;  // clocks of leases are forgotten
    bool alone = false;           // each slot's normal form follows from it and from what is of nobody alone
    std::array<std::uint32_t, sim::Row::slots_max> situations{}, normals{};  // numbers, by slot
    std::uint32_t any = 0, all = 0;                                          // of the situations
    std::uint32_t packed_waits = 0;  // what processes wait for, if it fits (WaitLists)
    sim::Digest sum;  // of the normal forms' digests and that of what is of nobody alone, if they stand alone

    bool waited() const { return Situation::of(any).waits != 0; }
    bool silent() const { return Situation::of(all).silent; }
    bool ended() const { return Situation::of(all).ended; }
  };

  /// Both must outlive it.
  Views(const Checked& checked, Recollection& known);

  /// Rows that are asked about from now on are much like this one.
  void expand(const sim::Row& row, bool without_leases) {
    expanded_ = of(row, without_leases);
    has_sum_ = is_summed(expanded_);
  }
  const Whole& expanded() const { return expanded_; }
  /// Whether that one has a sum.
  bool has_sum() const { return has_sum_; }

  /// Whether the latest row is like the expanded one, and both have sums; and what it has more.
  bool have_sums() const {
    return latest_.alone && latest_.without_leases == expanded_.without_leases && has_sum_;
  }
  sim::Digest added() const {
    return {latest_.sum.high - expanded_.sum.high, latest_.sum.low - expanded_.sum.low};
  }

  /// The same answer lasts until the next row.
  const Whole& of(const sim::Row& row, bool without_leases) {
    if (!is_of(latest_, row, without_leases)) look_over(row, without_leases);
    return latest_;
  }

  /// Puts processes, links and servers into their normal form (model/world/identity.h). `without_leases`:
  /// also forgets their clocks.
  void forget_unread(sim::Row& row, bool without_leases);
  /// Whether that changes no slot but each its own; then Whole::sum is that of what it makes of them.
  bool is_summed(const Whole& whole) const { return whole.alone && is_none_gone(whole.row[other_]); }

  WaitLists& waits() { return waits_; }
  /// What all processes wait for, in their order, as one number.
  std::uint32_t waits_together(const Whole& whole) {
    if (Situation::of(whole.any).waits >> wait_bits_ == 0) return whole.packed_waits;
    return waits_.together(std::span(whole.situations).subspan(first_process_, other_ - first_process_));
  }
  /// How many answers are kept.
  std::size_t size() const { return known_alone_.size() + views_.size(); }
  std::uint64_t bytes() const { return known_alone_.bytes(); }
  /// The functions of `known` have no numbers any more.
  void forget();

 private:
  using Function = Recollection::Function;
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};

  struct View {
    std::uint32_t situation = 0, normal = 0;  // numbers
    bool alone = false;                       // nothing else was read, and nothing but this slot changes
    sim::Digest digest;                       // of the normal form
  };

  bool is_of(const Whole& whole, const sim::Row& row, bool without_leases) const {
    std::uint32_t differ = whole.without_leases == without_leases ? 0 : 1;
    for (std::size_t slot = 0; slot <= other_; ++slot) differ |= whole.row[slot] ^ row[slot];
    return differ == 0;
  }
  static Function function_of(Function first, std::size_t slot, bool without_leases) {
    return first + static_cast<Function>(2 * slot + (without_leases ? 1 : 0));
  }
  bool is_none_gone(std::uint32_t other) const { return other < none_gone_.size() && none_gone_[other] != 0; }
  void look_over(const sim::Row& row, bool without_leases);
  void look_over_all(const sim::Row& row, bool without_leases);
  void look_at(const sim::Row& row, std::size_t slot);
  void join_situations();
  View look(const sim::Row& row, std::size_t slot, bool without_leases) {
    const std::uint64_t key =
        ByNumbers<View>::key(function_of(0, slot, without_leases), row[slot], row[other_]);
    const View* known = known_alone_.find(key);
    return known != nullptr ? *known : learn(row, slot, without_leases, key);
  }
  View learn(const sim::Row& row, std::size_t slot, bool without_leases, std::uint64_t key);
  void forget_unread_one_by_one(sim::Row& row, bool without_leases);
  void forget_gone(sim::Row& row);
  std::uint32_t normalise(Checked::State& state, std::size_t slot, bool without_leases);
  void number_functions();

  const Checked& checked_;
  Recollection& known_;
  std::size_t first_process_, other_;
  unsigned wait_bits_;  // for what one process waits for, in Whole::packed_waits
  Function first_{}, one_by_one_{}, gone_{};  // the first of two for each slot, of as many; one
  std::vector<char> none_gone_;               // by what lies in the slot of nobody: no server is gone
  ByNumbers<View> known_alone_;
  std::vector<View> views_;                   // of those that do not stand alone, by what functions say
  Whole expanded_, latest_;
  bool has_sum_ = false;
  WaitLists waits_;
};

}  // namespace lockstep::properties
