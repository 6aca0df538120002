#include "properties/check/watching.h"

#include <algorithm>
#include <span>

#include "properties/check/forgetting.h"
#include "sim/base/verify.h"

namespace lockstep::properties {

using looked_at::MonitorsBrief;
using sim::Row;

Watching::Watching(const Checked& checked, Recollection& known, Views& views)
    : checked_(checked),
      setup_(checked.setup()),
      known_(known),
      views_(views),
      slot_(known.stage().monitors()),
      of_monitors_(sim::Slots{1} << slot_ | sim::Slots{1} << known.stage().now()),
      processes_((sim::Slots{1} << known.stage().other()) - (sim::Slots{1} << known.stage().process(0))) {
  number_functions();
}

void Watching::number_functions() {
  checking_ = known_.functions(fact_checks);
  wanted_ = known_.functions();
  beliefs_ = known_.functions();
  holding_ = known_.functions();
}

void Watching::forget() {
  number_functions();
  settling_.clear();
  ttl_of_two_.forget();
  wanted_of_two_.forget();
  normal_of_two_.forget();
  latest_wanted_ = {};
  latest_held_ = {};
  noted_.forget();
  noted_after_crash_.forget();
  held_.clear();
  briefs_.clear();
  found_.assign(1, {});
  wanted_locks_.assign(1, {});
}

sim::WitnessMask Watching::see(Row& row, const looked_at::Observed& observed) {
  Findings found;
  heard_ = sim::Slots{1} << slot_ | sim::Slots{1} << known_.stage().other();
  is_plain_ = true;
  if (!observed.seen.empty()) watch(row, observed, found);
  const MonitorsBrief& monitors = brief_of(row);
  const Views::Whole& whole = views_.of(row, monitors.leases_are_decided);
  const std::uint32_t* ttl = ttl_of_two_.find(row);
  add(ttl != nullptr ? *ttl : learn_ttl(row), found);
  heard_ |= ttl_of_two_.heard();
  if (monitors.has_more() || whole.ended() || found.broken != 0) {
    check_more(row, whole, found);
  } else if (whole.waited() || monitors.counts_grants) {
    check_granted(row, monitors, whole, found);
    is_plain_ = is_plain_ && found.broken == 0;
    if (found.broken != 0) settle(row, found.broken & checked_.options().watched);
  }
  return found.shown;
}

void Watching::check_more(Row& row, const Views::Whole& whole, Findings& found) {
  is_plain_ = false;
  const MonitorsBrief monitors = brief_of(row);
  if (monitors.asks_after_crash) check_after_crash(row, whole, found);
  if (whole.waited() || monitors.counts_grants) check_granted(row, monitors, whole, found);
  if (whole.ended()) check_facts(FactCheck::nothing_left_behind, row, found);
  if (monitors.on_request) check_facts(FactCheck::on_request, row, found);
  if (monitors.counts_answers && whole.ended()) check_facts(FactCheck::answers, row, found);
  // What is broken is put down by settle alone.
  const sim::PropertyMask broken = found.broken & checked_.options().watched & ~monitors.broken;
  if (broken != 0 || monitors.broken != 0) settle(row, broken);
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

/// Without leases all beliefs of depth zero go with them, whether or not anybody would have read those.
std::uint32_t Watching::learn_normal(const Row& row) {
  const MonitorsBrief monitors = brief_of(row);
  std::uint32_t normal = row[slot_];
  if (monitors.leases_are_decided) {
    Row changed = row;
    known_.change_anew(changed, [&](Checked::State& state) {
      forget_leases(state.monitors.write());
      return 0U;
    });
    normal = changed[slot_];
  } else if (monitors.may_forget_beliefs) {
    normal = known_.ask(beliefs_, row, [&](Checked::State& state) {
      forget_unread_beliefs(state.monitors.write(), state.world, setup_);
      return known_.stage().number_there(slot_);
    });
    normal_of_two_.keep(row, known_.last_heard() & ~of_monitors_, normal, row[slot_], row[slot_]);
    return normal;
  }
  return briefs_[row[slot_]].normal = normal;
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
  heard_ |= known_.last_heard();
}

void Watching::check_facts(FactCheck which, Row& row, Findings& found) {
  is_plain_ = false;
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
std::uint32_t Watching::learn_ttl(const Row& row) {
  const std::uint32_t says = known_.ask(checking_, row, [&](const Checked::State& state) {
    Findings findings;
    check_lock_has_ttl(facts(state), findings);
    return number_of(findings);
  });
  ttl_of_two_.keep(row, known_.last_heard(), says);
  return says;
}

/// What a monitor makes of something that has a number; that and what monitors know is all it depends on.
template <class Work>
void Watching::note(Row& row, std::uint32_t number, ByNumbers<Noted>& noted, Findings& found, Work work) {
  const std::uint64_t key = ByNumbers<Noted>::key(0, row[slot_], number);
  const Noted* const known = noted.find(key);
  if (known != nullptr) {
    row[slot_] = known->monitors;
    return add(known->says, found);
  }
  const std::uint32_t says = known_.change_anew(row, [&](Checked::State& state) {
    Findings findings;
    work(state.monitors.write(), findings);
    return number_of(findings);
  });
  VERIFY((known_.last_heard() & ~of_monitors_) == 0);
  noted.keep(key, {row[slot_], says});
  add(says, found);
}

/// Where nothing is under way, whether anything will happen by itself must be known besides.
void Watching::check_after_crash(Row& row, const Views::Whole& whole, Findings& found) {
  const MonitorsBrief monitors = brief_of(row);
  if ((checked_.options().watched & ~monitors.broken & bit(Property::free_after_crash)) == 0) return;
  if (whole.silent()) return check_facts(FactCheck::free_after_crash, row, found);
  const std::uint32_t* latest = latest_held_.find(row);
  std::uint32_t held = latest != nullptr ? *latest : 0;
  if (latest == nullptr) {
    held = known_.ask(holding_, row, [&](const Checked::State& state) {
      return number_of(FreeAfterCrash::held(facts(state)));
    });
    latest_held_.keep(row, known_.last_heard(), held);
  }
  note(row, held, noted_after_crash_, found, [&](Monitors& changed, Findings& findings) {
    changed.free_after_crash.note(held_[held], setup_, findings);
  });
}

/// All that it must know of processes is who waits, but where a lock is free and nothing is under way:
/// whether anything will happen by itself.
void Watching::check_granted(Row& row, const MonitorsBrief& monitors, const Views::Whole& whole,
                             Findings& found) {
  const sim::PropertyMask watched = checked_.options().watched & ~monitors.broken;
  if ((watched & bit(Property::granted_in_time)) == 0) return;
  const std::uint32_t locks = whole.waited() ? wanted(row, whole) : 0;
  if (locks == 0 && !monitors.counts_grants) return;
  if (locks != 0 && whole.silent()) return check_facts(FactCheck::granted_in_time, row, found);
  note(row, locks, noted_, found, [&](Monitors& changed, Findings& findings) {
    changed.granted_in_time.note(wanted_locks_[locks], setup_, findings);
  });
}

std::uint32_t Watching::wanted(const Row& row, const Views::Whole& whole) {
  const std::uint32_t together = views_.waits_together(whole);
  if (const std::uint32_t* locks = wanted_of_two_.find(row, together)) {
    heard_ |= wanted_of_two_.heard();
    return *locks;
  }
  if (const std::uint32_t* locks = latest_wanted_.find(row, together)) {
    heard_ |= latest_wanted_.heard();
    return *locks;
  }
  const std::uint32_t locks = learn_wanted(row, whole, together);
  heard_ |= known_.last_heard();
  return locks;
}

std::uint32_t Watching::learn_wanted(const Row& row, const Views::Whole& whole, std::uint32_t together) {
  const auto work = [&](const Checked::State& state) {
    std::vector<model::Facts::Wait> waits;
    for (std::size_t p = 0; p < setup_.processes.size(); ++p) {
      const std::uint32_t situation = whole.situations[known_.stage().process(p)];
      const auto& its = views_.waits()[looked_at::Situation::of(situation).waits];
      waits.insert(waits.end(), its.begin(), its.end());
    }
    return number_of(GrantedInTime::wanted(waits, facts(state)));
  };
  const std::uint32_t locks = known_.ask_told(wanted_, row, together, processes_, work);
  wanted_of_two_.keep(row, known_.last_heard(), locks, together);
  latest_wanted_.keep(row, known_.last_heard(), locks, together);
  return locks;
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

std::uint32_t Watching::number_of(FreeAfterCrash::Held held) {
  const auto same = std::find(held_.begin(), held_.end(), held);
  const auto number = static_cast<std::uint32_t>(same - held_.begin());
  if (same == held_.end()) held_.push_back(std::move(held));
  return number;
}

std::uint32_t Watching::number_of(GrantedInTime::Wanted wanted) {
  const auto same = std::find(wanted_locks_.begin(), wanted_locks_.end(), wanted);
  const auto number = static_cast<std::uint32_t>(same - wanted_locks_.begin());
  if (same == wanted_locks_.end()) wanted_locks_.push_back(std::move(wanted));
  return number;
}

}  // namespace lockstep::properties
