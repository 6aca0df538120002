#include "properties/check/renamed.h"

#include <algorithm>

#include "model/world/identity.h"
#include "properties/check/renaming.h"

namespace lockstep::properties {

sim::Digest Renamed::digest(const sim::Row& row, sim::Permutation permutation) {
  const Called& so = called(permutation);
  sim::Digest sum;
  Stage& stage = known_.stage();
  for (std::size_t slot = 0; slot < stage.components(); ++slot) {
    const std::uint32_t number =
        known_.ask(so.first + static_cast<Function>(slot), row, [&](Checked::State& state) {
          digests_.push_back(stage.digest_as(slot, rename(state, slot, so.names)));
          return static_cast<std::uint32_t>(digests_.size() - 1);
        });
    sum.high += digests_[number].high;
    sum.low += digests_[number].low;
  }
  return sum;
}

void Renamed::forget() {
  called_.clear();
  digests_.clear();
}

const Renamed::Called& Renamed::called(sim::Permutation permutation) {
  const auto is = [](const std::vector<std::uint16_t>& known, std::span<const std::uint16_t> names) {
    return std::equal(known.begin(), known.end(), names.begin(), names.end());
  };
  std::uint64_t hash = 0;
  for (const auto& names : {permutation.outer, permutation.inner})
    for (const std::uint16_t name : names) hash = (hash ^ name) * 0x100'0000'01b3;
  std::vector<Called>& alike = called_[hash];
  for (const Called& one : alike)
    if (is(one.outer, permutation.outer) && is(one.inner, permutation.inner)) return one;
  return alike.emplace_back(Called{{permutation.outer.begin(), permutation.outer.end()},
                                   {permutation.inner.begin(), permutation.inner.end()},
                                   names_of(setup_, permutation),
                                   known_.functions(known_.stage().components())});
}

/// Calls what lies in a slot by other names, and says in which slot it lies then.
std::size_t Renamed::rename(Checked::State& state, std::size_t slot, const sim::Names& names) const {
  const Stage& stage = known_.stage();
  const sim::Renaming renaming(names);
  if (slot == stage.monitors()) state.monitors.rename(renaming);
  if (slot < stage.process(0)) state.world.nodes[slot].rename(renaming);
  if (slot == stage.other()) {
    for (auto& stream : state.world.streams) stream.rename(renaming);
    for (auto& group : state.world.groups) group.rename(renaming);
  }
  if (slot < stage.process(0) || slot >= stage.other()) return slot;
  const auto p = sim::make_id<model::ProcessId>(slot - stage.process(0));
  const sim::Renaming inside = renaming.inside(p);
  state.world.processes[p.index()].rename(inside);
  for (std::size_t n = 0; n < setup_.nodes.size(); ++n)
    state.world.link(p, sim::make_id<model::NodeId>(n)).rename(inside);
  if (setup_.reductions.identity) model::put_in_order(state.world, setup_, p);
  return stage.process(renaming.of(p).index());
}

}  // namespace lockstep::properties
