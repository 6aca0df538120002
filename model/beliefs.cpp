#include "model/beliefs.h"

#include <algorithm>

#include "model/client/lock_kind.h"
#include "sim/base/overloaded.h"

namespace lockstep::model {

namespace {

/// What the server granted or renewed counts from when the request was sent. The last one counts, even if it
/// asked for less than what was left: that is what PEXPIRE does.
void note_lease(Beliefs& beliefs, const Evaluated& seen, const Setup& setup) {
  const Claim key{seen.lock, seen.purpose.thread, mode_of(seen.purpose, setup)};
  if (says(seen.items, Meaning::granted) || says(seen.items, Meaning::partial)) {
    beliefs.held[key].lease_left = {seen.lease_left};
  } else if (says(seen.items, Meaning::renewed)) {
    const auto found = beliefs.held.find(key);
    if (found != beliefs.held.end()) found->second.lease_left = {seen.lease_left};
  }
}

void let_pass(Beliefs& beliefs, Duration passed) {
  for (auto one = beliefs.held.begin(); one != beliefs.held.end();) {
    one->second.lease_left = {sim::count_down(one->second.lease_left.left, passed)};
    const bool forgotten = one->second.depth == 0 && one->second.lease_left.over();
    one = forgotten ? beliefs.held.erase(one) : std::next(one);
  }
}

void yielded(Beliefs& beliefs, const Yielded& seen) {
  const auto found = beliefs.held.find({seen.lock, seen.thread, seen.mode});
  if (found == beliefs.held.end() || found->second.depth == 0) return;
  if (--found->second.depth == 0 || seen.wholly) beliefs.held.erase(found);
}

}  // namespace

void Beliefs::see(const Observation& observation, const Setup& setup) {
  std::visit(sim::overloaded{
                 [&](const Evaluated& seen) { note_lease(*this, seen, setup); },
                 [&](const Gained& seen) { ++held[{seen.lock, seen.thread, seen.mode}].depth; },
                 [&](const Yielded& seen) { yielded(*this, seen); },
                 [&](const ProcessCrashed& seen) {
                   std::erase_if(held, [&](const auto& one) {
                     return setup.threads[one.first.thread.index()].process == seen.process;
                   });
                 },
                 [&](const TimePassed& seen) { let_pass(*this, seen.passed); },
                 [](const auto&) {},
             },
             observation);
}

const Belief* Beliefs::find(const Claim& claim) const {
  const auto found = held.find(claim);
  return found == held.end() ? nullptr : &found->second;
}

std::uint32_t Beliefs::depth(const Claim& claim) const {
  const Belief* belief = find(claim);
  return belief == nullptr ? 0 : belief->depth;
}

bool Beliefs::nobody_believes() const {
  return std::none_of(held.begin(), held.end(), [](const auto& one) { return one.second.depth > 0; });
}

/// A lock that is made of others is held within lease as long as enough of them are.
bool Beliefs::within_lease(const Claim& claim, const Setup& setup) const {
  const LockObject* whole = setup.made_of_others(claim.lock);
  if (whole == nullptr) return !held.at(claim).lease_left.over();
  const auto holds = [&](std::uint16_t member) {
    const LockObject& its = setup.objects[member];
    const Belief* belief =
        find({resource_name(its.group, its.name), claim.thread, kind_of(setup, member).mode});
    return belief != nullptr && !belief->lease_left.over();
  };
  const auto object = static_cast<std::uint16_t>(whole - setup.objects.data());
  const auto count = std::count_if(whole->members.begin(), whole->members.end(), holds);
  return static_cast<std::size_t>(count) >= members_needed(setup, object);
}

std::vector<Beliefs::Clash> Beliefs::clashes(bool within, const Setup& setup) const {
  std::vector<Clash> found;
  const auto counts = [&](const auto& one) {
    return one.second.depth > 0 && (!within || within_lease(one.first, setup)) &&
           !setup.is_part(one.first.lock);
  };
  for (auto one = held.begin(); one != held.end(); ++one) {
    if (!counts(*one)) continue;
    for (auto other = std::next(one); other != held.end() && other->first.lock == one->first.lock; ++other) {
      const bool both_shared = one->first.mode == Mode::shared && other->first.mode == Mode::shared;
      if (!counts(*other) || both_shared || one->first.thread == other->first.thread) continue;
      found.push_back({one->first.lock, one->first.thread, other->first.thread});
    }
  }
  return found;
}

}  // namespace lockstep::model
