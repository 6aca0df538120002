#include "properties/check/renamed.h"

#include <algorithm>

#include "model/world/identity.h"
#include "properties/check/renaming.h"

namespace lockstep::properties {

sim::Digest Renamed::digest(const sim::Row& row, std::uint32_t permutation) {
  Called& so = called_[permutation];
  if (!so.alone) return digest_anew(row, so);
  sim::Digest sum = so.sum;
  for (std::size_t slot = 0; slot < so.places.size(); ++slot) {
    const std::uint32_t before = so.row[slot];
    if (row[slot] == before) continue;
    add(sum, digest_of(row, so, slot));
    if (!so.alone) return digest_anew(row, so);
    so.row[slot] = row[slot];
    if (before == nothing) continue;
    take_from(sum, so.places[slot].digests[before]);
  }
  return so.sum = sum;
}

sim::Digest Renamed::digest_anew(const sim::Row& row, Called& so) {
  sim::Digest sum;
  for (std::size_t slot = 0; slot < so.places.size(); ++slot) add(sum, digest_of(row, so, slot));
  return sum;
}

sim::Digest Renamed::learn(const sim::Row& row, Called& so, std::size_t slot) {
  const std::uint32_t number = row[slot];
  if (number >= contents_[slot].size()) {
    bytes_ += (2 * std::size_t{number} + 1 - contents_[slot].size()) * sizeof(Content);
    contents_[slot].resize(2 * std::size_t{number} + 1);
  }
  Content& content = contents_[slot][number];
  Place& place = so.places[slot];
  const sim::Digest* alike = place.alone ? learned_alike(content, number, so, slot) : nullptr;
  sim::Digest digest;
  if (alike != nullptr) {
    digest = *alike;
  } else {
    const sim::Slots others = ~(sim::Slots{1} << slot);
    const auto work = [&](Checked::State& state) {
      const sim::Renaming renaming(so.names, &content.named);
      digest = known_.stage().digest_as(slot, rename(state, slot, renaming));
      if ((known_.stage().heard() & others) != 0) digests_.push_back(digest);
      return static_cast<std::uint32_t>(digests_.size() - 1);
    };
    const auto is_kept = [&] { return (known_.last_heard() & others) != 0; };
    const std::uint32_t says = known_.ask_if(so.first + static_cast<Function>(slot), row, work, is_kept);
    if (is_kept()) {
      digest = digests_[says];
      place.alone = so.alone = false;
      place.digests.clear();
    } else {
      content.learned.push_back(static_cast<std::uint32_t>(&so - called_.data()));
      bytes_ += sizeof(std::uint32_t);
    }
  }
  if (!place.alone) return digest;
  const std::size_t size = number + std::size_t{1};
  if (size > place.digests.size()) {
    bytes_ += (2 * size - place.digests.size()) * sizeof(sim::Digest);
    place.digests.resize(2 * size);
  }
  return place.digests[number] = digest;
}

/// The digest that was learned under names which are the same ones for all that are named there.
const sim::Digest* Renamed::learned_alike(const Content& content, std::uint32_t number, const Called& so,
                                          std::size_t slot) const {
  for (const std::uint32_t one : content.learned) {
    const Called& other = called_[one];
    if (other.places[slot].alone && are_alike(content.named, other.names, so.names))
      return &other.places[slot].digests[number];
  }
  return nullptr;
}

bool Renamed::are_alike(const sim::Named& named, const sim::Names& one, const sim::Names& other) const {
  const auto same = [&](ThreadId thread) {
    return one.threads[thread.index()] == other.threads[thread.index()];
  };
  for (std::size_t p = 0; p < setup_.processes.size(); ++p) {
    if (!named.has(sim::make_id<model::ProcessId>(p))) continue;
    const std::vector<ThreadId>& threads = setup_.processes[p].threads;
    if (one.processes[p] != other.processes[p] || one.places[p] != other.places[p] ||
        !std::all_of(threads.begin(), threads.end(), same))
      return false;
  }
  for (std::size_t t = 0; t < setup_.threads.size(); ++t) {
    const auto thread = sim::make_id<ThreadId>(t);
    if (named.has(thread) && !same(thread)) return false;
  }
  return true;
}

void Renamed::forget() {
  called_.clear();
  for (std::vector<Content>& contents : contents_) contents.clear();
  ranked_.parts.fill(nothing);
  called_by_.clear();
  digests_.clear();
  signatures_ = {};
  ranks_.clear();
  of_two_.forget();
  orders_of_few_.forget();
  orders_known_ = sim::Recall();
  orders_.clear();
  bytes_ = 0;
  signature_ = known_.functions(setup_.processes.size());
}

std::uint32_t Renamed::number_of(sim::Permutation permutation) {
  const auto is = [](const std::vector<std::uint16_t>& known, std::span<const std::uint16_t> names) {
    return std::equal(known.begin(), known.end(), names.begin(), names.end());
  };
  std::uint64_t hash = 0;
  for (const auto& names : {permutation.outer, permutation.inner})
    for (const std::uint16_t name : names) hash = (hash ^ name) * 0x100'0000'01b3;
  std::vector<std::uint32_t>& alike = called_by_[hash];
  for (const std::uint32_t one : alike)
    if (is(called_[one].order.outer, permutation.outer) && is(called_[one].order.inner, permutation.inner))
      return one;
  const std::size_t slots = known_.stage().components();
  called_.push_back({{{permutation.outer.begin(), permutation.outer.end()},
                      {permutation.inner.begin(), permutation.inner.end()}},
                     names_of(setup_, permutation),
                     known_.functions(slots),
                     std::vector<Place>(slots),
                     true,
                     {},
                     {}});
  called_.back().row.parts.fill(nothing);
  return alike.emplace_back(static_cast<std::uint32_t>(called_.size() - 1));
}

std::uint32_t Renamed::signature(const sim::Row& row, std::size_t p, sim::Ranking& ranking) {
  const std::uint64_t key = ByNumbers<std::uint32_t>::key(p, row[known_.stage().process(p)],
                                                          row[known_.stage().monitors()]);
  const std::uint32_t* known = of_two_.find(key);
  return known != nullptr ? *known : learn_signature(row, p, ranking, key);
}

std::uint32_t Renamed::learn_signature(const sim::Row& row, std::size_t p, sim::Ranking& ranking,
                                       std::uint64_t key) {
  const sim::Slots its = sim::Slots{1} << known_.stage().process(p) |
                         sim::Slots{1} << known_.stage().monitors();
  const auto is_kept = [&] { return (known_.last_heard() & ~its) != 0; };
  const std::uint32_t number = known_.ask_if(
      signature_ + static_cast<Function>(p), row,
      [&](const Checked::State& state) {
        sim::Encoder out;
        encode(out, checked_.signature(state, p));
        encode(out, in_groups_[p]);
        for (const ThreadId thread : setup_.processes[p].threads)
          encode(out, checked_.inner_signature(state, thread.index()));
        const sim::Seen seen = signatures_.insert(sim::digest_bytes(out.bytes()));
        if (seen.fresh) ranks_.emplace_back();
        return seen.id;
      },
      is_kept);
  if (ranks_[number] == sim::Digest{}) ranks_[number] = ranking.rank_of(p);
  if (!is_kept()) {
    of_two_.keep(key, number);
  } else {
    follow_from_two_ = false;
    ranked_.parts.fill(nothing);
  }
  return number;
}

/// Which processes come before which, or are equal to them; and where threads may be exchanged, also what
/// their order follows from.
sim::Row Renamed::pattern() const {
  sim::Row pattern;
  for (std::size_t p = 0; p < its_.size(); ++p) {
    std::uint32_t before = 0;
    for (const std::uint32_t other : its_) before += ranks_[other] < ranks_[its_[p]] ? 1 : 0;
    pattern[p] = has_choice_[p] ? its_[p] << 5 | before : before;
  }
  return pattern;
}

const std::vector<std::uint32_t>* Renamed::orders(const sim::Row& row, sim::Ranking& ranking) {
  const std::size_t processes = its_.size(), first = known_.stage().process(0);
  const std::size_t monitors = known_.stage().monitors();
  const bool is_near = row[monitors] == ranked_[monitors];
  std::uint64_t packed = 0, all = 0;
  for (std::size_t p = 0; p < processes; ++p) {
    if (!is_near || row[first + p] != ranked_[first + p]) its_[p] = signature(row, p, ranking);
    packed = packed << signature_bits_ | its_[p];
    all |= its_[p];
  }
  if (follow_from_two_) ranked_ = row;
  const bool fits = all >> signature_bits_ == 0;
  const std::uint32_t* known = fits ? orders_of_few_.find(packed) : nullptr;
  const std::uint32_t at = known != nullptr ? *known : orders_by_pattern(ranking);
  if (fits && known == nullptr) {
    constexpr std::size_t kept_max = 8192;  // the pattern is found again soon, too
    if (orders_of_few_.size() == kept_max) orders_of_few_.forget();
    orders_of_few_.keep(packed, at);
  }
  return orders_[at].empty() ? nullptr : &orders_[at];
}

std::uint32_t Renamed::orders_by_pattern(sim::Ranking& ranking) {
  const sim::Row alike = pattern();
  const sim::Slots all = (sim::Slots{1} << its_.size()) - 1;
  auto at = orders_known_.find(0, alike);
  if (!at) {
    at = static_cast<std::uint32_t>(orders_.size());
    std::vector<std::uint32_t>& numbers = orders_.emplace_back();
    for (const sim::Order& order : ranking.orders()) numbers.push_back(number_of(order.permutation()));
    orders_known_.note(0, alike, all, *at);
  }
  return *at;
}

/// Calls what lies in a slot by other names, and says in which slot it lies then.
std::size_t Renamed::rename(Checked::State& state, std::size_t slot, const sim::Renaming& renaming) const {
  const Stage& stage = known_.stage();
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
