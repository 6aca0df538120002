#include "properties/check/views.h"

#include "model/world/identity.h"
#include "properties/check/forgetting.h"

namespace lockstep::properties {

Views::Views(const Checked& checked, Recollection& known)
    : checked_(checked),
      known_(known),
      first_process_(known.stage().process(0)),
      other_(known.stage().other()) {
  number_functions();
}

void Views::number_functions() {
  first_ = known_.functions(2 * other_);
  one_by_one_ = known_.functions(2 * other_);
  gone_ = known_.functions();
  none_gone_ = nothing;
  kept_.assign(other_, {});
}

void Views::forget() {
  waits_.forget();
  views_.clear();
  number_functions();
}

void Views::expand(const sim::Row& row, bool without_leases) {
  for (std::size_t slot = 0; slot < other_; ++slot) {
    (void)at(row, slot, without_leases);
    Kept& kept = kept_[slot];
    const Placed& latest = kept.latest[without_leases];
    if (latest.slot == row[slot] && latest.other == row[other_]) kept.expanded[without_leases] = latest;
  }
}

/// Each may read what the one before it left.
void Views::forget_unread_one_by_one(sim::Row& row, bool without_leases) {
  const auto normal = [&](std::size_t slot) {
    known_.change(function_of(one_by_one_, slot, without_leases), row,
                  [&](Checked::State& state) { return normalise(state, slot, without_leases); });
  };
  for (std::size_t slot = first_process_; slot < other_; ++slot) normal(slot);
  for (std::size_t slot = 0; slot < first_process_; ++slot) normal(slot);
}

void Views::forget_gone(sim::Row& row) {
  const sim::Row before = row;
  known_.change(gone_, row, [&](Checked::State& state) {
    model::forget_gone_nodes(state.world, checked_.setup());
    return 0U;
  });
  if (row == before && known_.last_heard() == sim::Slots{1} << other_) none_gone_ = row[other_];
}

void Views::look(const sim::Row& row, std::size_t slot, bool without_leases, Placed& placed) {
  const std::uint32_t view =
      known_.ask(function_of(first_, slot, without_leases), row, [&](Checked::State& state) {
        View seen{.situation = normalise(state, slot, without_leases), .normal = nothing};
        const sim::Slots its = sim::Slots{1} << slot | sim::Slots{1} << other_;
        seen.alone = (known_.stage().heard() & ~its) == 0;
        for (const Stage::Change& change : known_.stage().changes()) {
          if (change.slot == slot) seen.normal = change.number;
          else seen.alone = seen.alone && change.number == row[change.slot];
        }
        views_.push_back(seen);
        return static_cast<std::uint32_t>(views_.size() - 1);
      });
  placed = {row[slot], row[other_], views_[view]};
  // A slot that was not even read is as it was, whatever it was when this was asked first.
  if (placed.view.normal == nothing) placed.view.normal = row[slot];
  if (!placed.view.alone) placed.slot = nothing;
}

/// Says the situation before.
std::uint32_t Views::normalise(Checked::State& state, std::size_t slot, bool without_leases) {
  const model::Setup& setup = checked_.setup();
  if (slot < first_process_) {
    if (setup.reductions.identity)
      model::forget_unread(state.world, setup, sim::make_id<model::NodeId>(slot));
    return 0;
  }
  const auto process = sim::make_id<model::ProcessId>(slot - first_process_);
  const model::Facts facts{state.world, setup};
  const Situation its{waits_.number_of(facts.waited_for(process)), facts.silent(process),
                      model::all_ended(*state.world.processes[process.index()])};
  if (!setup.reductions.identity) return its.number();
  if (without_leases) forget_leases(state.world, process);
  model::forget_unread(state.world, setup, process);
  if (!checked_.rebases()) model::put_in_order(state.world, setup, process);
  return its.number();
}

}  // namespace lockstep::properties
