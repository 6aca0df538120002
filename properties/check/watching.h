// watching.h: what monitors make of a remembered step: of what it showed, and of the facts behind it.
//
// The same as Monitors::see, taken apart, so that each part is remembered under the little that it reads.
// What has nothing to look at is not looked at, and finds nothing.
#pragma once

#include <map>
#include <vector>

#include "properties/check/by_numbers.h"
#include "properties/check/looked_at.h"
#include "properties/check/recollection.h"
#include "properties/check/views.h"

namespace lockstep::properties {

class Watching {
 public:
  /// All must outlive it.
  Watching(const Checked& checked, Recollection& known, Views& views);

  /// Changes what the monitors know, and says what was shown.
  sim::WitnessMask see(sim::Row& row, const looked_at::Observed& observed);

  /// From what slots it followed, besides situations of processes, what was seen last; and whether that was
  /// all, as it is where monitors have nothing to count and nothing broke.
  sim::Slots heard() const { return heard_; }
  bool was_plain() const { return is_plain_; }

  /// What can be told of the monitors alone.
  [[gnu::always_inline]] const looked_at::MonitorsBrief& brief_of(const sim::Row& row) {
    const std::uint32_t number = row[slot_];
    if (number < briefs_.size() && briefs_[number].known) return briefs_[number];
    return learn(number, row);
  }

  /// The number of the normal form of what the monitors know.
  [[gnu::always_inline]] std::uint32_t normal_of(const sim::Row& row) {
    const looked_at::MonitorsBrief& monitors = brief_of(row);
    if (monitors.normal != looked_at::MonitorsBrief::nothing) return monitors.normal;
    const std::uint32_t* normal = normal_of_two_.find(row, row[slot_], row[slot_]);
    return normal != nullptr ? *normal : learn_normal(row);
  }

  /// The functions of `known` have no numbers any more.
  void forget();
  std::uint64_t bytes() const {
    return noted_.bytes() + noted_after_crash_.bytes() + ttl_of_two_.bytes() + wanted_of_two_.bytes() +
           normal_of_two_.bytes();
  }

 private:
  using Function = Recollection::Function;

  /// What the monitors know then, and what they say.
  struct Noted {
    std::uint32_t monitors = 0, says = 0;
  };

  void number_functions();
  const looked_at::MonitorsBrief& learn(std::uint32_t number, const sim::Row& row);
  std::uint32_t learn_normal(const sim::Row& row);
  void watch(sim::Row& row, const looked_at::Observed& observed, Findings& found);
  void check_facts(FactCheck which, sim::Row& row, Findings& found);
  std::uint32_t learn_ttl(const sim::Row& row);
  void check_granted(sim::Row& row, const looked_at::MonitorsBrief& monitors, const Views::Whole& whole,
                     Findings& found);
  std::uint32_t wanted(const sim::Row& row, const Views::Whole& whole);
  std::uint32_t learn_wanted(const sim::Row& row, const Views::Whole& whole, std::uint32_t together);
  void check_more(sim::Row& row, const Views::Whole& whole, Findings& found);
  void check_after_crash(sim::Row& row, const Views::Whole& whole, Findings& found);
  template <class Work>
  void note(sim::Row& row, std::uint32_t number, ByNumbers<Noted>& noted, Findings& found, Work work);
  std::uint32_t number_of(FreeAfterCrash::Held held);
  void settle(sim::Row& row, sim::PropertyMask broken);
  std::uint32_t number_of(const Findings& findings);
  std::uint32_t number_of(GrantedInTime::Wanted wanted);
  void add(std::uint32_t number, Findings& found) const {
    found.broken |= found_[number].broken;
    found.shown |= found_[number].shown;
  }
  model::Facts facts(const Checked::State& state) const { return {state.world, setup_}; }

  const Checked& checked_;
  const Setup& setup_;
  Recollection& known_;
  Views& views_;
  std::size_t slot_;      // of the monitors
  sim::Slots of_monitors_;  // and `now`, which counts as read wherever anybody may read it
  sim::Slots processes_;    // their slots
  sim::Slots heard_ = 0;    // see heard(), was_plain()
  bool is_plain_ = false;
  Function checking_{}, wanted_{}, beliefs_{}, holding_{};
  std::map<sim::PropertyMask, Function> settling_;  // by what a step broke
  std::vector<looked_at::MonitorsBrief> briefs_;    // by number of what lies in their slot
  AnswersOfTwo<std::uint32_t> ttl_of_two_, wanted_of_two_;
  AnswersOfTwo<std::uint32_t> normal_of_two_;  // by what the monitors know
  LatestAnswers latest_wanted_, latest_held_;
  // By what the monitors knew, and the locks that are wanted; or what is held.
  ByNumbers<Noted> noted_, noted_after_crash_;
  // What functions say, by number; the first is nothing.
  std::vector<Findings> found_{1};
  std::vector<GrantedInTime::Wanted> wanted_locks_{1};
  std::vector<FreeAfterCrash::Held> held_;
};

}  // namespace lockstep::properties
