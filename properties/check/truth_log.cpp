#include "properties/check/truth_log.h"

namespace lockstep::properties {

namespace {

/// Whether the same is said at two times: what is left may only have become less by the time that passed.
bool same(const sim::LockTruth& then, std::int64_t then_ms, const sim::LockTruth& now, std::int64_t now_ms) {
  if (then.holds.size() != now.holds.size()) return false;
  for (std::size_t i = 0; i < now.holds.size(); ++i) {
    sim::LockTruth::Hold aged = then.holds[i];
    if (aged.left_ms) *aged.left_ms -= now_ms - then_ms;
    if (!(aged == now.holds[i])) return false;
  }
  return true;
}

}  // namespace

const std::string& TruthLog::who(const std::string& holder, const model::Facts& facts) {
  const auto found = names_.find(holder);
  return found != names_.end() ? found->second : names_.emplace(holder, facts.who(holder)).first->second;
}

void TruthLog::look(const model::World& world, const model::Setup& setup, std::size_t first_event,
                    model::Tracer& tracer) {
  const model::Facts facts(world, setup);
  const std::int64_t now_ms = world.now.since_start.count();
  std::map<std::string, Known> now;
  for (const model::Facts::Held& held : facts.truths()) {
    Known known{{.lock = held.lock, .holds = {}}, held.key, held.group, now_ms};
    for (const model::Hold& hold : held.truth.holds) {
      if (hold.lapsed) continue;
      const auto left = hold.left ? std::optional(hold.left->count()) : std::nullopt;
      known.truth.holds.push_back({who(hold.holder, facts), hold.count, left});
    }
    now.emplace(held.lock, std::move(known));
  }
  for (const auto& [lock, before] : known_)
    if (!now.contains(lock) && facts.master(before.group))
      now.emplace(lock, Known{{.lock = lock, .holds = {}}, before.key, before.group, now_ms});
  for (auto& [lock, known] : now) {
    const auto before = known_.find(lock);
    const bool unchanged = before == known_.end()
                               ? known.truth.holds.empty()
                               : same(before->second.truth, before->second.at_ms, known.truth, now_ms);
    if (!unchanged && tracer.holds(first_event, known.key, known.truth)) known_[lock] = std::move(known);
  }
}

}  // namespace lockstep::properties
