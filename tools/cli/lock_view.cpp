#include "tools/cli/lock_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/client/process.h"
#include "model/world/facts.h"
#include "model/world/faults/table.h"
#include "properties/monitors/all_properties.h"
#include "reports/text/text.h"

namespace lockstep::tools {

namespace {

using State = properties::Checked::State;

void add(std::string& list, const std::string& word) { list += (list.empty() ? "" : ", ") + word; }

const char* mark(model::Mode mode) { return mode == model::Mode::shared ? " (reads)" : ""; }

bool wants(const model::Facts::Wait& wait, const std::string& lock, const model::Setup& setup) {
  const std::vector<std::string> locks = wait.locks(setup);
  return std::find(locks.begin(), locks.end(), lock) != locks.end();
}

/// The names of the locks that anybody holds, wants or might want.
std::set<std::string> locks_of(const State& state, const model::Setup& setup,
                               const std::vector<model::Facts::Wait>& waits) {
  std::set<std::string> locks;
  for (const model::LockObject& object : setup.objects)
    if (!object.fresh && object.locks.empty() && setup.kinds[object.kind]->is_lock())
      locks.insert(model::resource_name(object.group, object.name));
  for (const auto& [place, belief] : state.monitors->beliefs.held) locks.insert(place.lock);
  for (const model::Facts::Wait& wait : waits)
    for (std::string& lock : wait.locks(setup)) locks.insert(std::move(lock));
  return locks;
}

/// The thread whose holder name this is, in its first or a later incarnation; else the holder name.
std::string thread_of(const std::string& holder, const model::Setup& setup) {
  for (std::size_t i = 0; i < setup.threads.size(); ++i) {
    const auto thread = sim::make_id<sim::ThreadId>(i);
    for (std::uint16_t again = 0; again <= model::budget_for(setup, "restart-process"); ++again) {
      for (std::uint16_t client = 0; client < setup.libraries.size(); ++client)
        if (model::holder_name(setup, thread, again, client) == holder) return setup.thread_name(thread);
    }
  }
  return reports::printable(holder);
}

/// Who holds the lock that observations call so, in truth; absent while nobody is in charge.
std::optional<model::Truth> truth_of(const std::string& lock, const model::Facts& facts,
                                     const model::Setup& setup) {
  for (std::uint16_t o = 0; o < setup.objects.size(); ++o) {
    const model::LockObject& object = setup.objects[o];
    if (!setup.kinds[object.kind]->is_lock()) continue;
    const std::string place = model::resource_name(object.group, "");
    if (object.fresh && lock.starts_with(object.name + "#") && lock.ends_with(place))
      return facts.truth(o, lock.substr(0, lock.size() - place.size()));
    if (lock == model::resource_name(object.group, object.name)) return facts.truth(o, object.name);
  }
  return std::nullopt;
}

std::string holders_text(const std::string& lock, const model::Facts& facts, const model::Setup& setup,
                         bool counts) {
  const auto truth = truth_of(lock, facts, setup);
  if (!truth) return "no master";
  std::string text;
  for (const model::Hold& hold : truth->holds)
    add(text, thread_of(hold.holder, setup) + mark(hold.mode) +
                  (hold.count == 1 || !counts ? "" : fmt::format(" ×{}", hold.count)));
  return text.empty() ? "free" : text;
}

std::string broken_line(const State& state, const model::Setup& setup) {
  std::string broken;
  for (const properties::PropertyInfo& one : properties::all_properties(setup))
    if ((state.monitors->broken & properties::bit(one.property)) != 0) add(broken, std::string(one.name));
  return broken.empty() ? broken : "\nbroken: " + broken;
}

}  // namespace

std::string lock_view(const State& state, const model::Setup& setup, bool holders_only) {
  const model::Facts facts(state.world, setup);
  const auto waits = facts.live_waiters();
  std::string text;
  for (const std::string& lock : locks_of(state, setup, waits)) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", reports::printable(lock),
                        holders_text(lock, facts, setup, !holders_only));
    std::string believes, waiting;
    for (const auto& [place, belief] : state.monitors->beliefs.held)
      if (place.lock == lock && belief.depth > 0)
        add(believes, setup.thread_name(place.thread) + mark(place.mode));
    for (const model::Facts::Wait& wait : waits)
      if (wants(wait, lock, setup)) add(waiting, setup.thread_name(wait.thread));
    if (!believes.empty() && !holders_only) text += "\nbelieves: " + believes;
    if (!waiting.empty()) text += "\nwaits: " + waiting;
  }
  return text + broken_line(state, setup);
}

std::string lock_numbers(const State& state, const model::Setup& setup) {
  const model::Facts facts(state.world, setup);
  const auto waits = facts.live_waiters();
  std::string text;
  for (const std::string& lock : locks_of(state, setup, waits)) {
    const auto truth = truth_of(lock, facts, setup);
    const auto believe =
        std::count_if(state.monitors->beliefs.held.begin(), state.monitors->beliefs.held.end(),
                      [&](const auto& one) { return one.first.lock == lock && one.second.depth > 0; });
    const auto wait = std::count_if(waits.begin(), waits.end(),
                                    [&](const model::Facts::Wait& one) { return wants(one, lock, setup); });
    std::string held = "no master";
    if (truth) held = truth->holds.empty() ? "free" : fmt::format("held by {}", truth->holds.size());
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", reports::printable(lock), held);
    if (believe > 0) text += fmt::format("\n{} believe{} to hold it", believe, believe == 1 ? "s" : "");
    if (wait > 0) text += fmt::format("\n{} wait{}", wait, wait == 1 ? "s" : "");
  }
  return text + broken_line(state, setup);
}

}  // namespace lockstep::tools
