#include "properties/check/coverage.h"

#include "model/client/lock_kind.h"
#include "model/world/facts.h"
#include "sim/base/verify.h"

namespace lockstep::properties {

namespace {

constexpr FaultMask none_came = 1;

Whose whose_is(const model::Truth& truth, const std::string& asker) {
  if (truth.free()) return Whose::nobodys;
  const std::int64_t times = truth.count_of(asker) + truth.count_of(asker, model::Mode::shared);
  return times > 1 ? Whose::askers_again : times > 0 ? Whose::askers : Whose::anothers;
}

}  // namespace

Coverage::Coverage(const Setup& setup, WaysWatch* ways, const MadeMoves& made) : setup_(setup), ways_(ways) {
  FaultMask bit = none_came;
  for (const model::FaultId fault : faults_that_come(setup)) {
    VERIFY((bit <<= 1) != 0);
    if (fault.index() >= faults_.size()) faults_.resize(fault.index() + 1);
    faults_[fault.index()] = bit;
  }
  for (const auto& decision : made) struck_at_start_ |= fault_of(decision.move);
}

void Coverage::begin_run() {
  news_.clear();
  struck_ = struck_at_start_;
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
    const Whose whose = whose_is(*truth, model::holder_of(purpose, setup_));
    return Situation{purpose.kind, purpose.role, with_queue(whose, !truth->queue.empty())};
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

FaultMask Coverage::fault_of(const model::Move& move) const {
  const auto mask = [&](model::FaultId fault) {
    return fault.index() < faults_.size() ? faults_[fault.index()] : 0;
  };
  const auto of_fixed = [&](model::FixedId id) {
    const model::FixedFault& fixed = setup_.fixed[id.number];
    return fixed.ends ? 0 : mask(fixed.fault);
  };
  if (move.is_fault()) return mask(move.verb.fault);
  if (move.verb.act == model::Act::fixed) return of_fixed(move.of<model::FixedId>());
  if (move.verb.act == model::Act::fixed_message) return of_fixed(move.of<model::FixedMessage>().fault);
  return 0;
}

void Coverage::meet(const Met& met, const model::Move& move) {
  struck_ |= fault_of(move);
  if (!met.situation) return;
  const FaultMask behind = struck_ != 0 ? struck_ : none_came;
  see(*met.situation, 0, behind);
  for (const std::uint32_t way : met.ways) see(*met.situation, way + 1, behind);
}

void Coverage::see(const Situation& in, std::uint32_t way, FaultMask behind) {
  if (in.kind >= seen_.size()) seen_.resize(in.kind + std::size_t{1});
  auto& roles = seen_[in.kind];
  if (in.role >= roles.size()) roles.resize(in.role + std::size_t{1});
  auto& ways = roles[in.role];
  if (way >= ways.size()) ways.resize(way + std::size_t{1});
  FaultMask& known = ways[way][in.lock];
  if ((behind & ~known) == 0) return;
  news_.push_back({in, way, known});
  known |= behind;
}

void Coverage::take_back() {
  for (auto one = news_.rbegin(); one != news_.rend(); ++one)
    seen_[one->in.kind][one->in.role][one->way][one->in.lock] = one->before;
  news_.clear();
}

Seen Coverage::seen() const {
  Seen all;
  for (std::size_t kind = 0; kind < seen_.size(); ++kind)
    for (std::size_t role = 0; role < seen_[kind].size(); ++role)
      for (std::size_t way = 0; way < seen_[kind][role].size(); ++way)
        if (seen_[kind][role][way] != SeenBehind{})
          all[{static_cast<std::uint16_t>(kind), static_cast<std::uint16_t>(role),
               static_cast<std::uint32_t>(way)}] = seen_[kind][role][way];
  return all;
}

}  // namespace lockstep::properties
