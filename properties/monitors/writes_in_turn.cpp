// writes_in_turn.cpp: a resource never sees a write of an earlier holder after one of a later holder.
//
// A turn begins when a server grants a lock to a thread that did not hold it, and later turns have higher
// numbers. A write is of the turns, one for each lock, that its sender believed to be in when it was sent; on
// its way it keeps them, whatever becomes of the sender. Writes of threads that believe they hold nothing are
// not judged; nor are those of readers, who have no turns. Only turns that can still matter are
// remembered, and they are counted from 0.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "properties/monitors/monitors.h"
#include "sim/base/overloaded.h"

namespace lockstep::properties {

namespace {

/// A grant begins a turn, unless the sender held the lock already; of a lock that is not reentrant, which may
/// be held before anybody is told so, unless it is in one.
bool begins_turn(const model::Evaluated& seen, const Setup& setup, bool in_turn) {
  if (!says(seen.items, model::Meaning::granted)) return false;
  if (model::mode_of(seen.purpose, setup) == model::Mode::shared) return false;
  return !in_turn || !seen.before || seen.before->find(model::holder_of(seen.purpose, setup)) == nullptr;
}

/// Of a lock that is not reentrant, an earlier turn of a thread that holds nothing, and was never told, is
/// over when it asks for the lock again. As long as it does not, it may yet be told.
template <class Turns>
bool is_in_turn(Turns& current, const model::Evaluated& seen, const Beliefs& beliefs, const Setup& setup) {
  if (setup.kinds[seen.purpose.kind]->promises.reentrant) return true;
  const ThreadId thread = seen.purpose.thread;
  const bool holds = !seen.before || seen.before->find(model::holder_of(seen.purpose, setup)) != nullptr;
  const bool asks = model::role_of(seen.purpose, setup).intent == model::Intent::acquire;
  if (asks && !holds && beliefs.depth({seen.lock, thread}) == 0) current.erase({seen.lock, thread});
  return current.contains({seen.lock, thread});
}

}  // namespace

/// Every turn that is remembered, with its lock.
template <class Visit>
void WritesInTurn::each_turn(Visit visit) {
  for (auto& [holder, turn] : current) visit(holder.first, turn);
  for (auto& [write, turns] : on_way)
    for (auto& [lock, turn] : turns) visit(lock, turn);
  for (auto& [pair, turn] : latest) visit(pair.second, turn);
}

void WritesInTurn::begin(const std::string& lock, ThreadId thread) {
  std::uint32_t next = 0;
  each_turn([&](const std::string& of, std::uint32_t turn) {
    if (of == lock) next = std::max(next, turn + 1);
  });
  current[{lock, thread}] = next;
}

void WritesInTurn::send(const model::Invoked& seen, const Beliefs& beliefs) {
  if (seen.call != model::StepKind::write) return;
  std::map<std::string, std::uint32_t>& turns = on_way[{seen.thread, seen.number}];
  for (const auto& [holder, turn] : current)
    if (holder.second == seen.thread && beliefs.depth({holder.first, seen.thread}) > 0)
      turns[holder.first] = turn;
}

void WritesInTurn::arrive(const model::Written& seen, const Setup& setup, Findings& findings) {
  if (!seen.taken) {
    findings.shows(Witness::stale_write_refused);
    on_way.erase({seen.thread, seen.number});
    return;
  }
  const auto [last, first_one] = last_writer.try_emplace(seen.resource, seen.thread);
  if (!first_one && last->second != seen.thread) findings.shows(Witness::written_by_another);
  last->second = seen.thread;
  const auto write = on_way.find({seen.thread, seen.number});
  if (write == on_way.end()) return;
  for (const auto& [lock, turn] : write->second) {
    std::uint32_t& newest = latest[{seen.resource, lock}];
    if (turn < newest)
      findings.breaks(Property::writes_in_turn, [&, name = lock] {
        return fmt::format("{} took a write that {} sent as a holder of {}, after one of a later holder",
                           seen.resource, setup.thread_name(seen.thread), name);
      });
    newest = std::max(newest, turn);
  }
  on_way.erase(write);
}

void WritesInTurn::leave(const model::Yielded& seen, const Beliefs& beliefs) {
  if (seen.mode == model::Mode::shared) return;
  if (seen.wholly || beliefs.depth({seen.lock, seen.thread}) <= 1) current.erase({seen.lock, seen.thread});
}

/// A turn that nobody can write in any more, and that no older turn could come behind, is forgotten; the rest
/// is numbered anew.
void WritesInTurn::forget() {
  std::erase_if(latest, [&](const auto& one) {
    bool older = false;
    const auto look = [&](const std::string& lock, std::uint32_t turn) {
      older = older || (lock == one.first.second && turn < one.second);
    };
    for (const auto& [holder, turn] : current) look(holder.first, turn);
    for (const auto& [write, turns] : on_way)
      for (const auto& [lock, turn] : turns) look(lock, turn);
    return !older;
  });
  std::map<std::string, std::set<std::uint32_t>> used;
  each_turn([&](const std::string& lock, std::uint32_t turn) { used[lock].insert(turn); });
  each_turn([&](const std::string& lock, std::uint32_t& turn) {
    const auto& turns = used[lock];
    turn = static_cast<std::uint32_t>(std::distance(turns.begin(), turns.find(turn)));
  });
}

void WritesInTurn::see(const model::Observation& observation, const Beliefs& beliefs, const Setup& setup,
                       Findings& findings) {
  std::visit(sim::overloaded{
                 [&](const model::Evaluated& seen) {
                   const bool in_turn = is_in_turn(current, seen, beliefs, setup);
                   if (begins_turn(seen, setup, in_turn)) begin(seen.lock, seen.purpose.thread);
                 },
                 [&](const model::Gained& seen) {
                   if (seen.mode == model::Mode::exclusive && !current.contains({seen.lock, seen.thread}))
                     begin(seen.lock, seen.thread);
                 },
                 [&](const model::Invoked& seen) { send(seen, beliefs); },
                 [&](const model::Written& seen) { arrive(seen, setup, findings); },
                 [&](const model::Yielded& seen) { leave(seen, beliefs); },
                 [&](const model::ThreadEnded& seen) {
                   std::erase_if(current, [&](const auto& one) { return one.first.second == seen.thread; });
                 },
                 [&](const model::ProcessCrashed& seen) {
                   std::erase_if(current, [&](const auto& one) {
                     return setup.process_of(one.first.second) == seen.process;
                   });
                 },
                 [](const auto&) {},
             },
             observation);
  forget();
}

bool has_resources(const Setup& setup) {
  return std::any_of(setup.objects.begin(), setup.objects.end(), [&](const model::LockObject& object) {
    return setup.kinds[object.kind]->server != nullptr;
  });
}

}  // namespace lockstep::properties
