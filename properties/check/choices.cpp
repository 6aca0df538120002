#include "properties/check/choices.h"

#include <algorithm>
#include <tuple>

#include "model/world/lazy.h"
#include "model/world/rebasing.h"

namespace lockstep::properties {

using model::Move;
using sim::Row;

Choices::Choices(const Setup& setup, Recollection& known) : setup_(setup), known_(known) {
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
  last_.assign(setup_.processes.size(), {});
}

void Choices::forget() {
  numbers_.clear();
  parts_.clear();
  lists_known_ = sim::Recall();
  lists_.clear();
  number_functions();
}

std::uint32_t Choices::list_of(const Row& row) {
  const Row parts = parts_of(row);
  const sim::Slots all = (sim::Slots{1} << (setup_.processes.size() + 2)) - 1;
  auto at = lists_known_.find(0, parts);
  if (!at) {
    at = static_cast<std::uint32_t>(lists_.size());
    lists_.push_back(together(parts));
    lists_known_.note(0, parts, all, *at);
  }
  return *at;
}

bool Choices::ends_at_deadline(const Row& row, Duration passed) {
  const model::Pace all = pace_of(parts_of(row));
  return model::tracks_ties(all, setup_) && all.next == passed;
}

Row Choices::parts_of(const Row& row) {
  Row parts;
  const std::size_t processes = setup_.processes.size();
  for (std::size_t p = 0; p < processes; ++p) parts[p] = part_of(row, p);
  parts[processes] = known_.ask(of_others_, row, [&](const Checked::State& state) {
    return number_of(
        {model::moves_of_others(state.world, setup_), model::pace_of_others(state.world, setup_)});
  });
  parts[processes + 1] = known_.ask(of_whole_, row, [&](const Checked::State& state) {
    return (model::Lazy(state.world, setup_).may_act_in_a_gap() ? may_act_in_a_gap : 0) |
           (state.world.clocks->at_deadline ? at_deadline : 0);
  });
  return parts;
}

std::uint32_t Choices::part_of(const Row& row, std::size_t p) {
  const std::size_t slot = known_.stage().process(p), other = known_.stage().other();
  Last& last = last_[p];
  if (last.process == row[slot] && last.other == row[other]) return last.part;
  const std::uint32_t part =
      known_.ask(of_process_ + static_cast<Function>(p), row, [&](const Checked::State& state) {
        const auto process = sim::make_id<model::ProcessId>(p);
        return number_of(
            {model::moves_of(state.world, setup_, process), model::pace_of(state.world, setup_, process)});
      });
  const sim::Slots its = sim::Slots{1} << slot | sim::Slots{1} << other;
  if ((known_.last_heard() & ~its) == 0) last = {row[slot], row[other], part};
  return part;
}

std::uint32_t Choices::number_of(Part part) {
  const auto [known, fresh] =
      numbers_.try_emplace(std::move(part), static_cast<std::uint32_t>(parts_.size()));
  if (fresh) parts_.push_back(&known->first);
  return known->second;
}

model::Pace Choices::pace_of(const Row& parts) const {
  model::Pace all;
  for (std::size_t i = 0; i <= setup_.processes.size(); ++i) all.add(parts_[parts[i]]->pace);
  return all;
}

std::vector<Move> Choices::together(const Row& parts) const {
  using Entry = std::tuple<std::uint32_t, std::size_t, std::size_t>;  // place, part, index there
  std::vector<Entry> order;
  bool in_a_gap = (parts[setup_.processes.size() + 1] & may_act_in_a_gap) != 0;
  Duration soonest = sim::never;
  for (std::size_t i = 0; i <= setup_.processes.size(); ++i) {
    const model::PartOfMoves& moves = parts_[parts[i]]->moves;
    soonest = std::min(soonest, moves.soonest);
    for (std::size_t at = 0; at < moves.moves.size(); ++at) {
      order.emplace_back(moves.places[at], i, at);
      in_a_gap = in_a_gap || moves.moves[at].ends_fault();
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<Move> list;
  for (const auto& [place, part, at] : order) list.push_back(parts_[parts[part]]->moves.moves[at]);
  if (soonest <= Duration::zero()) return list;
  const bool ended_at_deadline = (parts[setup_.processes.size() + 1] & at_deadline) != 0;
  if (const auto step = model::time_step(pace_of(parts), in_a_gap, ended_at_deadline, setup_)) {
    const auto before = std::find_if(order.begin(), order.end(), [](const Entry& entry) {
      return std::get<0>(entry) > model::place_of_passing();
    });
    list.insert(list.begin() + (before - order.begin()), Move{{model::Act::pass, {}}, {}, step->count()});
  }
  return list;
}

}  // namespace lockstep::properties
