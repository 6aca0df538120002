#include "properties/check/views.h"

#include "model/world/identity.h"
#include "properties/check/forgetting.h"

namespace lockstep::properties {

Views::Views(const Checked& checked, Recollection& known)
    : checked_(checked),
      known_(known),
      first_process_(known.stage().process(0)),
      other_(known.stage().other()),
      wait_bits_(WaitLists::bits_of_each(other_ - first_process_)) {
  number_functions();
}

void Views::number_functions() {
  first_ = known_.functions(2 * other_);
  one_by_one_ = known_.functions(2 * other_);
  gone_ = known_.functions();
  none_gone_.clear();
  expanded_ = {};
  expanded_.row.parts.fill(nothing);
  latest_ = expanded_;
  has_sum_ = false;
}

void Views::forget() {
  waits_.forget();
  known_alone_.forget();
  views_.clear();
  number_functions();
}

void Views::look_over(const sim::Row& row, bool without_leases) {
  const bool is_near = expanded_.alone && expanded_.without_leases == without_leases &&
                       expanded_.row[other_] == row[other_];
  if (!is_near) return look_over_all(row, without_leases);
  Whole& whole = latest_;
  whole.row[other_] = row[other_];
  whole.without_leases = without_leases;
  whole.alone = true;
  whole.sum = expanded_.sum;
  for (std::size_t slot = 0; slot < other_; ++slot) {
    const std::uint32_t number = row[slot], normal = expanded_.normals[slot];
    if (number == expanded_.row[slot]) {
      whole.row[slot] = number;
      whole.situations[slot] = expanded_.situations[slot];
      whole.normals[slot] = normal;
      continue;
    }
    look_at(row, slot);
    take_from(whole.sum, known_.stage().digest(slot, normal));
  }
  join_situations();
}

void Views::look_over_all(const sim::Row& row, bool without_leases) {
  Whole& whole = latest_;
  whole.without_leases = without_leases;
  whole.row[other_] = row[other_];
  whole.alone = true;
  whole.sum = known_.stage().digest(other_, row[other_]);
  for (std::size_t slot = 0; slot < other_; ++slot) look_at(row, slot);
  join_situations();
}

void Views::look_at(const sim::Row& row, std::size_t slot) {
  Whole& whole = latest_;
  const View view = look(row, slot, whole.without_leases);
  whole.row[slot] = row[slot];
  whole.situations[slot] = view.situation;
  whole.normals[slot] = view.normal;
  whole.alone = whole.alone && view.alone;
  add(whole.sum, view.digest);
}

void Views::join_situations() {
  std::uint32_t any = 0, all = ~std::uint32_t{0}, packed = 0;
  for (std::size_t slot = first_process_; slot < other_; ++slot) {
    const std::uint32_t situation = latest_.situations[slot];
    any |= situation;
    all &= situation;
    packed = packed << wait_bits_ | Situation::of(situation).waits;
  }
  latest_.any = any;
  latest_.all = all;
  latest_.packed_waits = packed;
}

void Views::forget_unread(sim::Row& row, bool without_leases) {
  const Whole& whole = of(row, without_leases);
  if (whole.alone)
    for (std::size_t slot = 0; slot < other_; ++slot) row[slot] = whole.normals[slot];
  else forget_unread_one_by_one(row, without_leases);
  if (!is_none_gone(row[other_])) forget_gone(row);
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
  if (row != before || known_.last_heard() != sim::Slots{1} << other_) return;
  if (row[other_] >= none_gone_.size()) none_gone_.resize(row[other_] + std::size_t{1});
  none_gone_[row[other_]] = 1;
}

Views::View Views::learn(const sim::Row& row, std::size_t slot, bool without_leases, std::uint64_t key) {
  View view;
  const auto work = [&](Checked::State& state) {
    view = {.situation = normalise(state, slot, without_leases), .normal = row[slot]};
    const sim::Slots its = sim::Slots{1} << slot | sim::Slots{1} << other_;
    view.alone = true;
    for (const Stage::Change& change : known_.stage().changes()) {
      if (change.slot == slot) view.normal = change.number;
      else view.alone = view.alone && change.number == row[change.slot];
    }
    view.alone = view.alone && (known_.stage().heard() & ~its) == 0;
    view.digest = known_.stage().digest(slot, view.normal);
    if (view.alone) known_alone_.keep(key, view);
    else views_.push_back(view);
    return static_cast<std::uint32_t>(views_.size() - 1);
  };
  const auto is_kept = [&] { return !view.alone; };
  const std::uint32_t says = known_.ask_if(function_of(first_, slot, without_leases), row, work, is_kept);
  return view.alone ? view : views_[says];
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
