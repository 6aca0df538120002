#include "properties/check/stage.h"

#include "sim/base/verify.h"

namespace lockstep::properties {

namespace {

/// How what lies in a slot counts for the digest of a state.
sim::Digest placed(std::size_t slot, const sim::Digest& content) {
  return sim::digest_of(std::pair{std::uint64_t{slot}, content});
}

}  // namespace

Stage::Stage(const Checked::State& start, bool reads_now)
    : reads_now_(reads_now),
      first_process_(start.world.nodes.size()),
      of_nobody_(first_process_ + start.world.processes.size()),
      state_(start),
      nodes_(start.world.nodes.size()),
      processes_(start.world.processes.size()),
      placed_(components()) {
  VERIFY(now() < sim::Row::slots_max);
  if (!reads_now_) state_.world.now = {};
  start_[now()] = number_of(state_.world.now.since_start);
  laid_.parts.fill(nothing);
  for (std::size_t slot = 0; slot < components(); ++slot) {
    in_slot(slot, [&]<class Part>(Table<Part>&, std::size_t i) {
      Part part;
      part.fit(state_.world);
      Part::with(part, state_, i, [&](auto&, auto& place) { place.watch(&read_[slot]); });
    });
    start_[slot] = number_of(slot);
  }
}

template <class Visit>
void Stage::in_slot(std::size_t slot, Visit visit) {
  if (slot < nodes_.size()) visit(nodes_[slot], slot);
  else if (slot < other()) visit(processes_[slot - nodes_.size()], slot - nodes_.size());
  else if (slot == other()) visit(other_.front(), std::size_t{0});
  else visit(monitors_.front(), std::size_t{0});
}

Checked::State& Stage::lay(const sim::Row& row) {
  for (std::size_t slot = 0; slot < components(); ++slot) {
    if (laid_[slot] == row[slot]) continue;
    in_slot(slot, [&]<class Part>(Table<Part>& table, std::size_t i) {
      Part::with(table.values[row[slot]], state_, i,
                 [](const auto& component, auto& place) { place = component; });
    });
    laid_[slot] = row[slot];
  }
  laid_[now()] = row[now()];
  state_.world.now.since_start = since_start(row);
  read_.fill(false);
  return state_;
}

Stage::Adopted& Stage::adopted_from(const Stage& other) {
  for (Adopted& one : adopted_)
    if (one.from == &other) return one;
  adopted_.push_back({&other, std::vector<std::vector<std::uint32_t>>(components())});
  return adopted_.back();
}

sim::Row Stage::adopted(Stage& other, const sim::Row& row) {
  sim::Row mine = row;
  mine[now()] = number_of(other.since_start(row));
  std::vector<std::vector<std::uint32_t>>& known = adopted_from(other).numbers;
  for (std::size_t slot = 0; slot < components(); ++slot) {
    if (row[slot] >= known[slot].size()) known[slot].resize(2 * std::size_t{row[slot]} + 1, nothing);
    std::uint32_t& number = known[slot][row[slot]];
    if (number != nothing) {
      mine[slot] = number;
      continue;
    }
    other.in_slot(slot, [&]<class Part>(Table<Part>& table, std::size_t i) {
      Part::with(table.values[row[slot]], state_, i,
                 [](const auto& component, auto& place) { place = component; });
    });
    mine[slot] = number = number_of(slot);
  }
  return mine;
}

sim::Slots Stage::heard() const {
  sim::Slots heard = reads_now_ ? sim::Slots{1} << now() : 0;
  for (std::size_t slot = 0; slot < components(); ++slot)
    if (read_[slot]) heard |= sim::Slots{1} << slot;
  return heard;
}

/// Nothing was written there.
bool Stage::is_shared(std::size_t slot) {
  bool shared = true;
  in_slot(slot, [&]<class Part>(Table<Part>& table, std::size_t i) {
    Part::with(table.values[laid_[slot]], state_, i,
               [&](const auto& component, const auto& place) { shared = shared && place.shares(component); });
  });
  return shared;
}

/// What was written may be what was there before: to see that is cheaper than a digest, and then it is put
/// there again.
bool Stage::is_as_laid(std::size_t slot) {
  if (is_shared(slot)) return true;
  bool same = true;
  in_slot(slot, [&]<class Part>(Table<Part>& table, std::size_t i) {
    Part::with(table.values[laid_[slot]], state_, i, [&](const auto& component, const auto& place) {
      same = same && (place.shares(component) || *place == *component);
    });
  });
  if (same) put_back(slot);
  return same;
}

void Stage::put_back(std::size_t slot) {
  in_slot(slot, [&]<class Part>(Table<Part>& table, std::size_t i) {
    Part::with(table.values[laid_[slot]], state_, i, [](const auto& component, auto& place) {
      if (!place.shares(component)) place = component;
    });
  });
}

sim::Digest Stage::content(std::size_t slot) {
  sim::Encoder out;
  in_slot(slot, [&]<class Part>(Table<Part>& table, std::size_t i) {
    if (table.values.empty()) table.shape.fit(state_.world);
    Part::with(table.shape, state_, i, [&](auto&, auto& place) {
      place.freeze();
      encode(out, place.digest());
    });
  });
  return sim::digest_bytes(out.bytes());
}

/// It lies there from now on.
std::uint32_t Stage::number_of(std::size_t slot) {
  const sim::Digest digest = content(slot);
  in_slot(slot, [&]<class Part>(Table<Part>& table, std::size_t i) {
    const sim::Seen seen = table.contents.insert(digest);
    if (seen.fresh) {
      placed_[slot].push_back(placed(slot, digest));
      Part& part = table.values.emplace_back();
      part.fit(state_.world);
      Part::with(part, state_, i, [](auto& component, const auto& place) { component = place; });
    } else {
      Part::with(table.values[seen.id], state_, i,
                 [](const auto& component, auto& place) { place = component; });
    }
    laid_[slot] = seen.id;
  });
  return laid_[slot];
}

std::uint32_t Stage::number_of(Duration since_start) {
  const auto [known, fresh] =
      numbers_of_instants_.try_emplace(since_start, static_cast<std::uint32_t>(instants_.size()));
  if (fresh) instants_.push_back(since_start);
  return known->second;
}

const std::vector<Stage::Change>& Stage::changes() {
  changes_.clear();
  for (std::size_t slot = 0; slot < components(); ++slot) {
    if (is_as_laid(slot)) continue;
    changes_.push_back({static_cast<std::uint32_t>(slot), number_of(slot)});
  }
  const Duration since_start = state_.world.now.since_start;
  if (reads_now_ && since_start != instants_[laid_[now()]])
    changes_.push_back({static_cast<std::uint32_t>(now()), number_of(since_start)});
  return changes_;
}

sim::Digest Stage::digest_as(std::size_t slot, std::size_t other_slot) {
  return placed(other_slot, content(slot));
}

void Stage::discard() {
  for (std::size_t slot = 0; slot < components(); ++slot)
    if (!is_shared(slot)) laid_[slot] = nothing;
}

std::uint64_t Stage::bytes() const {
  std::uint64_t bytes = instants_.capacity() * sizeof(Duration);
  for (const auto& digests : placed_) bytes += digests.capacity() * sizeof(sim::Digest);
  return bytes;
}

std::size_t Stage::contents() const {
  std::size_t contents = 0;
  for (const auto& digests : placed_) contents += digests.size();
  return contents;
}

}  // namespace lockstep::properties
