#include "properties/check/choices.h"

#include <algorithm>

#include "model/world/lazy.h"
#include "model/world/rebasing.h"

namespace lockstep::properties {

using model::Move;
using sim::Row;

Choices::Choices(const Setup& setup, Recollection& known, KnownMoves& moves)
    : setup_(setup), known_(known), moves_(moves) {
  number_functions();
}

bool Choices::in_parts(const Setup& setup) {
  const auto earlier = [](const model::ThreadSetup& one, const model::ThreadSetup& other) {
    return one.process < other.process;
  };
  return setup.fixed.empty() && !setup.horizon && !setup.is_watched() && !model::tells_instants(setup) &&
         std::is_sorted(setup.threads.begin(), setup.threads.end(), earlier);
}

void Choices::number_functions() {
  of_process_ = known_.functions(setup_.processes.size());
  of_others_ = known_.functions();
  of_whole_ = known_.functions();
  latest_.parts.fill(~std::uint32_t{0});
}

void Choices::forget() {
  numbers_.clear();
  parts_.clear();
  of_processes_.forget();
  of_others_of_two_.forget();
  of_whole_of_two_.forget();
  passing_.clear();
  number_functions();
}

/// Moves of all parts in the order of their places; those of one place go by parts.
void Choices::list(const Row& row, std::vector<KnownMove>& list) {
  const Parts& parts = parts_of(row);
  Heads heads;
  std::size_t count = 0;
  for (std::size_t i = 0; i <= setup_.processes.size(); ++i) {
    const std::vector<Entry>& entries = parts_[parts[i]].entries;
    if (!entries.empty()) heads[count++] = {entries.data(), entries.data() + entries.size()};
  }
  if (const Entry* pass = passing(parts)) heads[count++] = {pass, pass + 1};
  join(std::span(heads).first(count), list);
}

void Choices::join(std::span<Head> heads, std::vector<KnownMove>& list) {
  list.clear();
  while (!heads.empty()) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < heads.size(); ++i)
      if (heads[i].next->place < heads[first].next->place) first = i;
    list.push_back(heads[first].next->move);
    if (++heads[first].next != heads[first].end) continue;
    for (std::size_t i = first + 1; i < heads.size(); ++i) heads[i - 1] = heads[i];
    heads = heads.first(heads.size() - 1);
  }
}

bool Choices::ends_at_deadline(const Row& row, Duration passed) {
  const model::Pace all = pace_of(parts_of(row));
  return model::tracks_ties(all, setup_) && all.next == passed;
}

/// Mostly not all is new since the row before.
const Choices::Parts& Choices::parts_of(const Row& row) {
  const std::size_t processes = setup_.processes.size(), other = known_.stage().other();
  const bool is_near = latest_[other] == row[other];
  for (std::size_t p = 0; p < processes; ++p) {
    const std::size_t slot = known_.stage().process(p);
    if (!is_near || latest_[slot] != row[slot] || !follows_from_two_[p]) latest_parts_[p] = part_of(row, p);
  }
  const std::uint32_t* others = of_others_of_two_.find(row);
  latest_parts_[processes] = others != nullptr ? *others : learn_others(row);
  const std::uint32_t* whole = of_whole_of_two_.find(row);
  latest_parts_[processes + 1] = whole != nullptr ? *whole : learn_whole(row);
  latest_ = row;
  return latest_parts_;
}

std::uint32_t Choices::learn_others(const Row& row) {
  const std::uint32_t part = known_.ask(of_others_, row, [&](const Checked::State& state) {
    return number_of(
        {model::moves_of_others(state.world, setup_), model::pace_of_others(state.world, setup_)});
  });
  of_others_of_two_.keep(row, known_.last_heard(), part);
  return part;
}

std::uint32_t Choices::learn_whole(const Row& row) {
  const std::uint32_t whole = known_.ask(of_whole_, row, [&](const Checked::State& state) {
    return (model::Lazy(state.world, setup_).may_act_in_a_gap() ? may_act_in_a_gap : 0) |
           (state.world.clocks->at_deadline ? at_deadline : 0);
  });
  of_whole_of_two_.keep(row, known_.last_heard(), whole);
  return whole;
}

std::uint32_t Choices::part_of(const Row& row, std::size_t p) {
  const std::size_t slot = known_.stage().process(p), other = known_.stage().other();
  const std::uint64_t key = ByNumbers<std::uint32_t>::key(p, row[slot], row[other]);
  const std::uint32_t* part = of_processes_.find(key);
  follows_from_two_[p] = part != nullptr;
  return part != nullptr ? *part : learn_part(row, p, key);
}

std::uint32_t Choices::learn_part(const Row& row, std::size_t p, std::uint64_t key) {
  const std::size_t slot = known_.stage().process(p), other = known_.stage().other();
  const sim::Slots its = sim::Slots{1} << slot | sim::Slots{1} << other;
  bool alone = false;
  const auto work = [&](const Checked::State& state) {
    const auto process = sim::make_id<model::ProcessId>(p);
    const std::uint32_t part = number_of(
        {model::moves_of(state.world, setup_, process), model::pace_of(state.world, setup_, process)});
    alone = (known_.stage().heard() & ~its) == 0;
    if (alone) of_processes_.keep(key, part);
    return part;
  };
  return known_.ask_if(of_process_ + static_cast<Function>(p), row, work, [&] { return !alone; });
}

std::uint32_t Choices::number_of(Part part) {
  const auto [known, fresh] =
      numbers_.try_emplace(std::move(part), static_cast<std::uint32_t>(parts_.size()));
  if (fresh) parts_.push_back(ready(known->first));
  return known->second;
}

Choices::Ready Choices::ready(const Part& part) {
  Ready ready{.soonest = part.moves.soonest, .pace = part.pace};
  for (std::size_t i = 0; i < part.moves.moves.size(); ++i) {
    const Move& move = part.moves.moves[i];
    ready.entries.push_back({part.moves.places[i], KnownMove::of(moves_.number_of(move), move)});
    ready.ends_fault = ready.ends_fault || move.ends_fault();
  }
  std::stable_sort(ready.entries.begin(), ready.entries.end(),
                   [](const Entry& one, const Entry& other) { return one.place < other.place; });
  return ready;
}

model::Pace Choices::pace_of(const Parts& parts) const {
  model::Pace all;
  for (std::size_t i = 0; i <= setup_.processes.size(); ++i) all.add(parts_[parts[i]].pace);
  return all;
}

const Choices::Entry* Choices::passing(const Parts& parts) {
  const std::uint32_t whole = parts[setup_.processes.size() + 1];
  bool in_a_gap = (whole & may_act_in_a_gap) != 0;
  for (std::size_t i = 0; i <= setup_.processes.size(); ++i) {
    const Ready& part = parts_[parts[i]];
    if (part.soonest <= Duration::zero() || part.pace.must) return nullptr;
    in_a_gap = in_a_gap || part.ends_fault;
  }
  const auto step = model::time_step(pace_of(parts), in_a_gap, (whole & at_deadline) != 0, setup_);
  if (!step) return nullptr;
  const auto [known, fresh] = passing_.try_emplace(step->count());
  if (fresh) {
    const Move move{{model::Act::pass, {}}, {}, step->count()};
    known->second = {model::place_of_passing(), KnownMove::of(moves_.number_of(move), move)};
  }
  return &known->second;
}

}  // namespace lockstep::properties
