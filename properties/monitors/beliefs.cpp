#include "properties/monitors/beliefs.h"

#include <algorithm>

#include "sim/base/overloaded.h"

namespace lockstep::properties {

namespace {

bool acquires(model::StepKind call) {
  return call != model::StepKind::unlock && call != model::StepKind::force_unlock;
}

/// What the server granted or renewed counts from when the request was sent. The last one counts, even if it
/// asked for less than what was left: that is what PEXPIRE does.
void note_lease(Beliefs& beliefs, const model::Evaluated& seen) {
  const model::Purpose& purpose = seen.purpose;
  const std::pair key{purpose.lock, purpose.thread};
  if (purpose.role == model::Role::lock && seen.reply.is_nil()) {
    beliefs.held[key].lease_left = purpose.lease_left;
  } else if (purpose.role == model::Role::renew && seen.reply.integer() != nullptr &&
             *seen.reply.integer() == 1) {
    const auto found = beliefs.held.find(key);
    if (found != beliefs.held.end()) found->second.lease_left = purpose.lease_left;
  }
}

void let_pass(Beliefs& beliefs, Duration passed) {
  for (auto one = beliefs.held.begin(); one != beliefs.held.end();) {
    one->second.lease_left = sim::count_down(one->second.lease_left, passed);
    const bool forgotten = one->second.depth == 0 && one->second.lease_left == Duration::zero();
    one = forgotten ? beliefs.held.erase(one) : std::next(one);
  }
}

sim::WitnessMask returned(Beliefs& beliefs, const model::Returned& seen) {
  if (!acquires(seen.call) || seen.answer != model::Answer::yes) return 0;
  Belief& belief = beliefs.held[{seen.lock, seen.thread}];
  ++belief.depth;
  return bit(Witness::lock_held) | (belief.depth > 1 ? bit(Witness::reentry) : 0);
}

void invoked(Beliefs& beliefs, const model::Invoked& seen) {
  if (acquires(seen.call)) return;
  const auto found = beliefs.held.find({seen.lock, seen.thread});
  if (found == beliefs.held.end() || found->second.depth == 0) return;
  if (--found->second.depth == 0 || seen.call == model::StepKind::force_unlock) beliefs.held.erase(found);
}

sim::WitnessMask crashed(Beliefs& beliefs, const model::ProcessCrashed& seen, const Setup& setup) {
  sim::WitnessMask shown = bit(Witness::process_crashed);
  for (auto one = beliefs.held.begin(); one != beliefs.held.end();) {
    const bool its = setup.threads[one->first.second.index()].process == seen.process;
    if (its && one->second.depth > 0) shown |= bit(Witness::crashed_while_holding);
    one = its ? beliefs.held.erase(one) : std::next(one);
  }
  return shown;
}

}  // namespace

sim::WitnessMask Beliefs::see(const model::Observation& observation, const Setup& setup) {
  return std::visit(sim::overloaded{
                        [&](const model::Evaluated& seen) {
                          note_lease(*this, seen);
                          return sim::WitnessMask{0};
                        },
                        [&](const model::Returned& seen) { return returned(*this, seen); },
                        [&](const model::Invoked& seen) {
                          invoked(*this, seen);
                          return sim::WitnessMask{0};
                        },
                        [&](const model::ProcessCrashed& seen) { return crashed(*this, seen, setup); },
                        [&](const model::TimePassed& seen) {
                          let_pass(*this, seen.passed);
                          return sim::WitnessMask{0};
                        },
                        [&](const model::KeyExpired& seen) {
                          const bool believed = std::any_of(held.begin(), held.end(), [&](const auto& one) {
                            return one.first.first == seen.key && one.second.depth > 0;
                          });
                          return bit(Witness::expired) |
                                 (believed ? bit(Witness::expired_while_believed) : 0);
                        },
                        [](const auto&) { return sim::WitnessMask{0}; },
                    },
                    observation);
}

const Belief* Beliefs::find(const std::string& lock, ThreadId thread) const {
  const auto found = held.find({lock, thread});
  return found == held.end() ? nullptr : &found->second;
}

bool Beliefs::nobody_believes() const {
  return std::none_of(held.begin(), held.end(), [](const auto& one) { return one.second.depth > 0; });
}

std::vector<Beliefs::Clash> Beliefs::clashes(bool within_lease) const {
  std::vector<Clash> found;
  const auto counts = [&](const Belief& belief) {
    return belief.depth > 0 && (!within_lease || belief.lease_left > Duration::zero());
  };
  for (auto one = held.begin(); one != held.end(); ++one) {
    if (!counts(one->second)) continue;
    for (auto other = std::next(one); other != held.end() && other->first.first == one->first.first; ++other)
      if (counts(other->second)) found.push_back({one->first.first, one->first.second, other->first.second});
  }
  return found;
}

}  // namespace lockstep::properties
