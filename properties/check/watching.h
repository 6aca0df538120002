// watching.h: what monitors make of a remembered step: of what it showed, and of the facts behind it.
//
// The same as Monitors::see, taken apart, so that each part is remembered under the little that it reads.
// What has nothing to look at is not looked at, and finds nothing.
#pragma once

#include <map>
#include <vector>

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

  /// What can be told of the monitors alone.
  const looked_at::MonitorsBrief& brief_of(const sim::Row& row) {
    const std::uint32_t number = row[slot_];
    if (number < briefs_.size() && briefs_[number].known) return briefs_[number];
    return learn(number, row);
  }

  /// The functions of `known` have no numbers any more.
  void forget();

 private:
  using Function = Recollection::Function;

  void number_functions();
  const looked_at::MonitorsBrief& learn(std::uint32_t number, const sim::Row& row);
  /// What is true of all processes together.
  struct Whole {
    bool waited = false, silent = true, ended = true;
  };
  Whole whole_of(const sim::Row& row, bool without_leases);
  void watch(sim::Row& row, const looked_at::Observed& observed, Findings& found);
  void check_facts(FactCheck which, sim::Row& row, Findings& found);
  void check_ttl(const sim::Row& row, Findings& found);
  void check_granted(sim::Row& row, const Whole& whole, Findings& found);
  std::uint32_t wanted(const sim::Row& row, bool without_leases);
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
  sim::Slots processes_;  // their slots
  Function checking_{}, wanted_{}, noting_{};
  std::map<sim::PropertyMask, Function> settling_;  // by what a step broke
  std::vector<std::uint32_t> waits_;                // by process; kept for its memory only
  std::vector<looked_at::MonitorsBrief> briefs_;    // by number of what lies in their slot
  struct {
    sim::Row row;
    sim::Slots heard = 0;  // nothing: nothing is known
    std::uint32_t says = 0;
  } last_ttl_;
  // What functions say, by number; the first is nothing.
  std::vector<Findings> found_{1};
  std::vector<GrantedInTime::Wanted> wanted_locks_{1};
};

}  // namespace lockstep::properties
