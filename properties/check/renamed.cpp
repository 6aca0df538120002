#include "properties/check/renamed.h"

#include <algorithm>
#include <numeric>

#include "model/world/identity.h"
#include "properties/check/renaming.h"
#include "sim/base/verify.h"

namespace lockstep::properties {

Renamed::Renamed(const Checked& checked, Recollection& known)
    : checked_(checked), setup_(checked.setup()), known_(known), own_(names_of(setup_, {})) {
  constexpr std::size_t named_apart = 64;  // sim::Named tells so many threads
  const std::size_t processes = setup_.processes.size();
  sim::ActorClasses classes = checked.classes();
  actors_ = ranked_in(classes);
  its_.resize(actors_.size());
  signature_ = known_.functions(processes + setup_.nodes.size());
  whom_ = known_.functions(processes);
  if (!its_.empty()) signature_bits_ = 62 / static_cast<unsigned>(its_.size());
  contents_.resize(known_.stage().components());
  ranked_.parts.fill(nothing);
  has_choice_.resize(processes);
  nodes_.resize(1);
  classes.inner.resize(processes);
  in_groups_ = classes.inner;
  for (std::size_t p = 0; p < processes; ++p)
    for (sim::ActorClass& group : in_groups_[p]) {
      if (group.size() > 1) has_choice_[p] = true;
      for (std::uint16_t& thread : group) thread = setup_.threads[thread].place.value;
    }
  firsts_ = firsts_of(setup_, classes);
  for (std::size_t p = 0; p < processes; ++p) {
    std::optional<sim::Names>& names = as_first_.emplace_back();
    if (has_choice_[p] || setup_.threads.size() > named_apart) continue;
    const std::size_t first = firsts_[p];
    std::vector<std::uint16_t> outer(processes), inner(setup_.threads.size());
    std::iota(outer.begin(), outer.end(), std::uint16_t{0});
    std::iota(inner.begin(), inner.end(), std::uint16_t{0});
    std::swap(outer[p], outer[first]);
    for (std::size_t g = 0; g < classes.inner[p].size() && p != first; ++g)
      std::swap(inner[classes.inner[p][g].front()], inner[classes.inner[first][g].front()]);
    names = names_of(setup_, {outer, inner});
  }
}

/// A node that has no equal has no rank: its place among the others says nothing.
std::vector<Renamed::Ranked> Renamed::ranked_in(const sim::ActorClasses& classes) const {
  const Stage& stage = known_.stage();
  const std::size_t processes = setup_.processes.size();
  std::vector<Ranked> all;
  for (std::size_t p = 0; p < processes; ++p) all.push_back({p, stage.process(p), stage.monitors()});
  for (const sim::ActorClass& members : classes.outer)
    for (const std::uint16_t actor : members)
      if (actor >= processes) all.push_back({actor, actor - processes, stage.other()});
  return all;
}

std::vector<std::size_t> Renamed::firsts_of(const Setup& setup, const sim::ActorClasses& classes) {
  std::vector<std::size_t> firsts;
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    std::size_t first = p;
    for (const sim::ActorClass& members : classes.outer)
      if (std::find(members.begin(), members.end(), p) != members.end())
        first = *std::min_element(members.begin(), members.end());
    firsts.push_back(first);
  }
  return firsts;
}

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
  sim::Digest digest;
  const std::size_t p = slot - known_.stage().process(0);
  if (is_process(slot) && content.whom == Content::Whom::unknown) learn_whom(row, p, content);
  if (content.whom == Content::Whom::itself) {
    const std::uint64_t name = sim::Row::slots_max + so.names.processes[p].index();
    digest = sim::digest_of(std::pair{name, as_first(row, p, content, so.of_nodes)});
  } else if (!place.alone) {
    return rename_anew(row, so, slot, content);
  } else if (so.is_own && is_in_order()) {
    digest = known_.stage().digest(slot, number);
  } else if (const sim::Digest* alike = learned_alike(content, number, so, slot)) {
    digest = *alike;
  } else {
    digest = rename_anew(row, so, slot, content);
    if (!place.alone) return digest;
  }
  const std::size_t size = number + std::size_t{1};
  if (size > place.digests.size()) {
    bytes_ += (2 * size - place.digests.size()) * sizeof(sim::Digest);
    place.digests.resize(2 * size);
  }
  return place.digests[number] = digest;
}

/// If more was read than lies in the slot, its place does not stand alone from now on.
sim::Digest Renamed::rename_anew(const sim::Row& row, Called& so, std::size_t slot, Content& content) {
  sim::Digest digest;
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
    so.places[slot].alone = so.alone = false;
    so.places[slot].digests.clear();
  } else {
    content.are_known = true;
    content.learned.push_back(static_cast<std::uint32_t>(&so - called_.data()));
    bytes_ += sizeof(std::uint32_t);
  }
  return digest;
}

/// Whether a process knows at most itself; then also what it is when it is called the first of its class.
void Renamed::learn_whom(const sim::Row& row, std::size_t p, Content& content) {
  content.whom = Content::Whom::others;
  if (!as_first_[p]) return;
  content.as_first = learn_as_first(row, p, content, 0);
  if ((known_.last_heard() & ~(sim::Slots{1} << known_.stage().process(p))) != 0) return;
  content.are_known = true;
  if (is_itself(content.named, p)) content.whom = Content::Whom::itself;
}

sim::Digest Renamed::learn_as_first(const sim::Row& row, std::size_t p, Content& content,
                                    std::size_t of_nodes) {
  const std::size_t slot = known_.stage().process(p);
  const bool is_first = firsts_[p] == p && of_nodes == 0 && is_in_order();
  std::optional<sim::Names> among;
  if (of_nodes != 0) {
    among = as_first_[p];
    among->nodes = nodes_[of_nodes];
  }
  sim::Digest as_first;
  const auto work = [&](Checked::State& state) {
    const sim::Renaming renaming(among ? *among : *as_first_[p], &content.named);
    if (is_first) {
      call(state, slot, renaming);
      as_first = known_.stage().digest(slot, row[slot]);
    } else {
      as_first = known_.stage().digest_as(slot, rename(state, slot, renaming));
    }
    return 0U;
  };
  known_.ask_if(whom_ + static_cast<Function>(p), row, work, [] { return false; });
  return as_first;
}

const sim::Digest& Renamed::as_first(const sim::Row& row, std::size_t p, Content& content,
                                     std::size_t of_nodes) {
  if (of_nodes == 0) return content.as_first;
  const std::size_t slot = known_.stage().process(p);
  const auto [at, fresh] = as_first_among_.try_emplace({slot, row[slot], of_nodes});
  if (fresh) {
    constexpr std::size_t of_a_map = 48;
    bytes_ += sizeof(*at) + of_a_map;
    at->second = learn_as_first(row, p, content, of_nodes);
    VERIFY((known_.last_heard() & ~(sim::Slots{1} << slot)) == 0);
  }
  return at->second;
}

bool Renamed::is_itself(const sim::Named& named, std::size_t process) const {
  for (std::size_t p = 0; p < setup_.processes.size(); ++p)
    if (p != process && named.has(sim::make_id<model::ProcessId>(p))) return false;
  for (std::size_t t = 0; t < setup_.threads.size(); ++t)
    if (setup_.threads[t].process.index() != process && named.has(sim::make_id<ThreadId>(t))) return false;
  return true;
}

/// The digest that was learned under names which are the same ones for all that are named there.
const sim::Digest* Renamed::learned_alike(const Content& content, std::uint32_t number, const Called& so,
                                          std::size_t slot) const {
  if (!content.are_known) return nullptr;
  const auto alike = [&](const sim::Names& names) {
    return call_nodes_alike(slot, names, so.names) && are_alike(content.named, names, so.names);
  };
  if (is_in_order() && alike(own_)) return &known_.stage().digest(slot, number);
  for (const std::uint32_t one : content.learned) {
    const Called& other = called_[one];
    if (other.places[slot].alone && alike(other.names)) return &other.places[slot].digests[number];
  }
  return nullptr;
}

/// Those nodes that what lies there is of: one, or it may be of any; monitors know none.
bool Renamed::call_nodes_alike(std::size_t slot, const sim::Names& one, const sim::Names& other) const {
  if (slot == known_.stage().monitors() || one.nodes == other.nodes) return true;
  const auto node = sim::make_id<NodeId>(slot);
  return slot < known_.stage().process(0) && sim::Renaming(one).of(node) == sim::Renaming(other).of(node);
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
  as_first_among_.clear();
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
  nodes_.resize(1);
  signature_ = known_.functions(setup_.processes.size() + setup_.nodes.size());
  whom_ = known_.functions(setup_.processes.size());
}

std::size_t Renamed::number_of_nodes(const std::vector<NodeId>& nodes) {
  const auto known = std::find(nodes_.begin(), nodes_.end(), nodes);
  const auto number = static_cast<std::size_t>(known - nodes_.begin());
  if (known == nodes_.end()) nodes_.push_back(nodes);
  return number;
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
                     0,
                     known_.functions(slots),
                     std::vector<Place>(slots),
                     true,
                     false,
                     {},
                     {}});
  Called& so = called_.back();
  so.of_nodes = number_of_nodes(so.names.nodes);
  so.is_own = so.names.processes == own_.processes && so.names.threads == own_.threads && so.of_nodes == 0;
  so.row.parts.fill(nothing);
  return alike.emplace_back(static_cast<std::uint32_t>(called_.size() - 1));
}

std::uint32_t Renamed::signature(const sim::Row& row, const Ranked& its, sim::Ranking& ranking) {
  const std::uint64_t key = ByNumbers<std::uint32_t>::key(its.actor, row[its.slot], row[its.beside]);
  const std::uint32_t* known = of_two_.find(key);
  return known != nullptr ? *known : learn_signature(row, its, ranking, key);
}

std::uint32_t Renamed::learn_signature(const sim::Row& row, const Ranked& ranked, sim::Ranking& ranking,
                                       std::uint64_t key) {
  const std::size_t actor = ranked.actor;
  const sim::Slots its = sim::Slots{1} << ranked.slot | sim::Slots{1} << ranked.beside;
  const auto is_kept = [&] { return (known_.last_heard() & ~its) != 0; };
  const std::uint32_t number = known_.ask_if(
      signature_ + static_cast<Function>(actor), row,
      [&](const Checked::State& state) {
        sim::Encoder out;
        encode(out, checked_.signature(state, actor));
        if (actor < setup_.processes.size()) {
          encode(out, in_groups_[actor]);
          for (const ThreadId thread : setup_.processes[actor].threads)
            encode(out, checked_.inner_signature(state, thread.index()));
        }
        const sim::Seen seen = signatures_.insert(sim::digest_bytes(out.bytes()));
        if (seen.fresh) ranks_.emplace_back();
        return seen.id;
      },
      is_kept);
  if (ranks_[number] == sim::Digest{}) ranks_[number] = ranking.rank_of(actor);
  if (!is_kept()) {
    of_two_.keep(key, number);
  } else {
    follow_from_two_ = false;
    ranked_.parts.fill(nothing);
  }
  return number;
}

/// Which outer actors come before which, or are equal to them; and where threads may be exchanged, also what
/// their order follows from.
sim::Row Renamed::pattern() const {
  sim::Row pattern;
  for (std::size_t p = 0; p < its_.size(); ++p) {
    std::uint32_t before = 0;
    for (const std::uint32_t other : its_) before += ranks_[other] < ranks_[its_[p]] ? 1 : 0;
    pattern[p] = p < has_choice_.size() && has_choice_[p] ? its_[p] << 5 | before : before;
  }
  return pattern;
}

const std::vector<std::uint32_t>* Renamed::orders(const sim::Row& row, sim::Ranking& ranking) {
  const auto is_as_ranked = [&](std::size_t slot) { return row[slot] == ranked_[slot]; };
  std::uint64_t packed = 0, all = 0;
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    const Ranked& its = actors_[i];
    if (!is_as_ranked(its.beside) || !is_as_ranked(its.slot)) its_[i] = signature(row, its, ranking);
    packed = packed << signature_bits_ | its_[i];
    all |= its_[i];
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

/// Calls what lies in a slot by other names.
void Renamed::call(Checked::State& state, std::size_t slot, const sim::Renaming& renaming) const {
  const Stage& stage = known_.stage();
  if (slot == stage.monitors()) state.monitors.rename(renaming);
  if (slot < stage.process(0)) state.world.nodes[slot].rename(renaming);
  if (slot == stage.other()) state.world.rename_others(renaming);
  if (is_process(slot)) state.world.rename(sim::make_id<model::ProcessId>(slot - stage.process(0)), renaming);
}

/// The same, and says in which slot it lies then.
std::size_t Renamed::rename(Checked::State& state, std::size_t slot, const sim::Renaming& renaming) const {
  call(state, slot, renaming);
  if (slot < known_.stage().process(0)) return renaming.of(sim::make_id<NodeId>(slot)).index();
  if (!is_process(slot)) return slot;
  const auto p = sim::make_id<model::ProcessId>(slot - known_.stage().process(0));
  if (setup_.reductions.identity) model::put_in_order(state.world, setup_, p);
  return known_.stage().process(renaming.of(p).index());
}

}  // namespace lockstep::properties
