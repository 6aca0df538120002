#include "properties/check/coverage.h"

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/world/facts.h"
#include "model/world/faults/table.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void Coverage::begin_run() {
  news_ = false;
  struck_.clear();
  if (ways_ != nullptr) ways_->gone();
}

std::optional<Coverage::Situation> Coverage::situation(const model::World& world,
                                                       const model::Move& move) const {
  if (move.verb.act != model::Act::deliver) return std::nullopt;
  const auto& on = move.of<model::Carried>();
  if (on.lane != model::Lane::request) return std::nullopt;
  for (const model::Flight& flight : world.link(on.link.process, on.link.node)->flights) {
    if (flight.connection != on.connection || !flight.request || flight.request->asks_count()) continue;
    const model::Purpose& purpose = flight.request->purpose;
    if (!setup_.kinds[purpose.kind]->is_lock()) return std::nullopt;
    const auto truth = model::truth_served_by(world, setup_, on.link.node, purpose);
    if (!truth) return std::nullopt;
    const bool is_own = truth->find(model::holder_of(purpose, setup_)) != nullptr ||
                        truth->find(model::holder_of(purpose, setup_), model::Mode::shared) != nullptr;
    return Situation{purpose.kind, purpose.role,
                     truth->free() ? LockState::free : is_own ? LockState::own : LockState::anothers, 0};
  }
  return std::nullopt;
}

void Coverage::before(const model::World& world, const model::Move& move) {
  now_ = situation(world, move);
  if (ways_ != nullptr) ways_->gone();
}

void Coverage::after(const model::Move& move) {
  Met met{.situation = now_, .ways = {}};
  if (now_ && ways_ != nullptr) met.ways = ways_->gone();
  meet(met, move);
}

void Coverage::meet(const Met& met, const model::Move& move) {
  if (move.is_fault()) struck_.insert(static_cast<std::uint16_t>(move.verb.fault.value + 1));
  if (!met.situation) return;
  std::set<std::uint16_t> behind = struck_;
  if (behind.empty()) behind.insert(0);
  for (const std::uint16_t fault : behind) {
    Situation one = *met.situation;
    std::get<3>(one) = fault;
    news_ = met_.insert(one).second || news_;
    for (const std::uint32_t way : met.ways) news_ = gone_.insert({one, way}).second || news_;
  }
}

std::string Coverage::text(const Situation& one) const {
  const auto& [kind, role, state, fault] = one;
  const char* const lock = state == LockState::free  ? "free"
                           : state == LockState::own ? "its asker's own"
                                                     : "another's";
  std::string behind = "without a fault";
  if (fault != 0) {
    const auto id = sim::make_id<model::FaultId>(fault - 1U);
    behind = fmt::format("behind {}", model::fault_row(id, setup_).key);
  }
  return fmt::format("{}, the lock is {}, {}", setup_.kinds[kind]->roles[role].name, lock, behind);
}

std::vector<Covered> Coverage::covered() const {
  std::set<std::pair<std::uint16_t, std::uint16_t>> roles;
  for (const Situation& one : met_) roles.insert({std::get<0>(one), std::get<1>(one)});
  std::vector<std::uint16_t> faults{0};
  for (std::size_t f = 0; f < setup_.faults.counts.size(); ++f)
    if (setup_.faults.counts[f] > 0) faults.push_back(static_cast<std::uint16_t>(f + 1));
  Covered situations{.what = "situations of requests that were served"};
  for (const auto& [kind, role] : roles)
    for (const LockState state : {LockState::free, LockState::own, LockState::anothers})
      for (const std::uint16_t fault : faults) {
        const Situation one{kind, role, state, fault};
        ++situations.all;
        if (met_.contains(one)) ++situations.met;
        else situations.never.push_back(text(one));
      }
  return {situations};
}

}  // namespace lockstep::properties
