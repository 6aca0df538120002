#include "properties/check/watching.h"

#include <algorithm>

#include "properties/check/forgetting.h"

namespace lockstep::properties {

using looked_at::MonitorsBrief;
using sim::Row;

Watching::Watching(const Checked& checked, Recollection& known, Views& views)
    : checked_(checked),
      setup_(checked.setup()),
      known_(known),
      views_(views),
      slot_(known.stage().monitors()),
      processes_((sim::Slots{1} << known.stage().other()) - (sim::Slots{1} << known.stage().process(0))) {
  waits_.resize(setup_.processes.size());
  number_functions();
}

void Watching::number_functions() {
  checking_ = known_.functions(fact_checks);
  wanted_ = known_.functions();
  noting_ = known_.functions();
}

void Watching::forget() {
  number_functions();
  settling_.clear();
  last_ttl_ = {};
  found_.assign(1, {});
  wanted_locks_.assign(1, {});
}

sim::WitnessMask Watching::see(Row& row, const looked_at::Observed& observed) {
  Findings found;
  if (!observed.seen.empty()) watch(row, observed, found);
  const MonitorsBrief monitors = brief_of(row);
  const Whole whole = whole_of(row, monitors.leases_are_decided);
  check_ttl(row, found);
  if (monitors.asks_after_crash) check_facts(FactCheck::free_after_crash, row, found);
  if (whole.waited || monitors.counts_grants) check_granted(row, whole, found);
  if (whole.ended) check_facts(FactCheck::nothing_left_behind, row, found);
  if (monitors.on_request) check_facts(FactCheck::on_request, row, found);
  if (monitors.counts_answers && whole.ended) check_facts(FactCheck::answers, row, found);
  const sim::PropertyMask before = brief_of(row).broken;
  found.broken &= checked_.options().watched & ~before;
  if (found.broken != 0 || before != 0) settle(row, found.broken);
  return found.shown;
}

const MonitorsBrief& Watching::learn(std::uint32_t number, const Row& row) {
  if (number >= briefs_.size()) briefs_.resize(2 * std::size_t{number} + 1);
  const Monitors& monitors = known_.stage().monitors_of(row);
  const auto& held = monitors.beliefs.held;
  return briefs_[number] = {
             .broken = monitors.broken,
             .known = true,
             .leases_are_decided = leases_are_decided(monitors.broken | ~checked_.options().watched),
             // Those of depth zero are, all others are kept.
             .may_forget_beliefs =
                 std::any_of(held.begin(), held.end(), [](const auto& one) { return one.second.depth == 0; }),
             .asks_after_crash = !monitors.free_after_crash.asked.empty(),
             .counts_grants = !monitors.granted_in_time.left.empty(),
             .on_request = !monitors.on_request.empty(),
             .counts_answers = !monitors.answers.counts.empty()};
}

Watching::Whole Watching::whole_of(const Row& row, bool without_leases) {
  std::uint32_t any = 0, all = ~std::uint32_t{0};
  for (std::size_t p = 0; p < waits_.size(); ++p) {
    const std::uint32_t its = views_.situation_of(row, p, without_leases);
    any |= its;
    all &= its;
  }
  return {looked_at::Situation::of(any).waits != 0, looked_at::Situation::of(all).silent,
          looked_at::Situation::of(all).ended};
}

void Watching::watch(Row& row, const looked_at::Observed& observed, Findings& found) {
  add(known_.change(observed.watching, row,
                    [&](Checked::State& state) {
                      Findings findings;
                      state.monitors.write().watch(observed.seen, facts(state), checked_.options().watched,
                                                   findings);
                      return number_of(findings);
                    }),
      found);
}

void Watching::check_facts(FactCheck which, Row& row, Findings& found) {
  const auto function = checking_ + static_cast<Function>(which);
  add(known_.change(function, row,
                    [&](Checked::State& state) {
                      Findings findings;
                      state.monitors.write().check(which, facts(state), checked_.options().watched, findings);
                      return number_of(findings);
                    }),
      found);
}

/// It does not depend on what the monitors know.
void Watching::check_ttl(const Row& row, Findings& found) {
  bool same = last_ttl_.heard != 0;
  sim::for_each_slot(last_ttl_.heard,
                     [&](std::size_t slot) { same = same && row[slot] == last_ttl_.row[slot]; });
  if (!same) {
    const std::uint32_t says = known_.ask(checking_, row, [&](const Checked::State& state) {
      Findings findings;
      check_lock_has_ttl(facts(state), findings);
      return number_of(findings);
    });
    last_ttl_ = {row, known_.last_heard(), says};
  }
  add(last_ttl_.says, found);
}

/// All that it must know of processes is who waits, but where a lock is free and nothing is under way:
/// whether anything will happen by itself.
void Watching::check_granted(Row& row, const Whole& whole, Findings& found) {
  const MonitorsBrief monitors = brief_of(row);
  const sim::PropertyMask watched = checked_.options().watched & ~monitors.broken;
  if ((watched & bit(Property::granted_in_time)) == 0) return;
  const std::uint32_t locks = whole.waited ? wanted(row, monitors.leases_are_decided) : 0;
  if (locks == 0 && !monitors.counts_grants) return;
  if (locks != 0 && whole.silent) return check_facts(FactCheck::granted_in_time, row, found);
  add(known_.change_told(noting_, row, locks, processes_,
                         [&](Checked::State& state) {
                           Findings findings;
                           state.monitors.write().granted_in_time.note(wanted_locks_[locks], setup_,
                                                                       findings);
                           return number_of(findings);
                         }),
      found);
}

std::uint32_t Watching::wanted(const Row& row, bool without_leases) {
  for (std::size_t p = 0; p < waits_.size(); ++p)
    waits_[p] = looked_at::Situation::of(views_.situation_of(row, p, without_leases)).waits;
  const auto work = [&](const Checked::State& state) {
    std::vector<model::Facts::Wait> waits;
    for (const std::uint32_t its : waits_)
      waits.insert(waits.end(), views_.waits()[its].begin(), views_.waits()[its].end());
    return number_of(GrantedInTime::wanted(waits, facts(state)));
  };
  return known_.ask_told(wanted_, row, views_.waits().together(waits_), processes_, work);
}

void Watching::settle(Row& row, sim::PropertyMask broken) {
  const auto [known, fresh] = settling_.try_emplace(broken, Function{0});
  if (fresh) known->second = known_.functions();
  known_.change(known->second, row, [&](Checked::State& state) {
    Findings findings{.broken = broken};
    state.monitors.write().settle(checked_.options().watched, findings);
    return 0U;
  });
}

std::uint32_t Watching::number_of(const Findings& findings) {
  const auto same = std::find_if(found_.begin(), found_.end(), [&](const Findings& one) {
    return one.broken == findings.broken && one.shown == findings.shown;
  });
  const auto number = static_cast<std::uint32_t>(same - found_.begin());
  if (same == found_.end()) found_.push_back(findings);
  return number;
}

std::uint32_t Watching::number_of(GrantedInTime::Wanted wanted) {
  const auto same = std::find(wanted_locks_.begin(), wanted_locks_.end(), wanted);
  const auto number = static_cast<std::uint32_t>(same - wanted_locks_.begin());
  if (same == wanted_locks_.end()) wanted_locks_.push_back(std::move(wanted));
  return number;
}

}  // namespace lockstep::properties
