// bounds.cpp: what a verdict covers, in words. Everything that the question leaves out must be said here:
// where values of an interval were tried, how long faults last, what clocks do.
#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "model/client/complete.h"
#include "model/world/faults/table.h"
#include "properties/check/check.h"
#include "properties/monitors/monitors.h"
#include "sim/base/amount.h"

namespace lockstep::properties {

namespace {

using model::StepKind;

std::string length(Duration span) {
  const std::int64_t ms = span.count();
  return ms % 1000 == 0 && ms != 0 ? fmt::format("{} s", ms / 1000) : fmt::format("{} ms", ms);
}

std::string budget_text(const Setup& setup) {
  std::string text;
  for (const model::FaultId fault : model::faults_as_told(setup))
    if (const std::uint16_t count = setup.faults[fault]; count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "at most " : ", ", count,
                          model::fault_row(fault, setup).key);
  return text.empty() ? "no faults" : text;
}

/// The intervals that programs name, each once: "work 0..1 s".
std::vector<std::string> intervals_of(const Setup& setup) {
  std::vector<std::string> found;
  for (const model::ThreadSetup& thread : setup.threads)
    for (const model::Step& step : thread.program) {
      const bool takes_time =
          step.kind == StepKind::start || step.kind == StepKind::think || step.kind == StepKind::work;
      if (!takes_time || step.span.fixed()) continue;
      if (std::find(found.begin(), found.end(), step.text) == found.end()) found.push_back(step.text);
    }
  return found;
}

/// By their names: the two halves of a read/write lock are one, and a lock that is made of others is those.
std::size_t locks_of(const Setup& setup) {
  std::set<std::string_view> names;
  for (const model::LockObject& object : setup.objects)
    if (setup.kinds[object.kind]->is_lock()) names.insert(object.name);
  return names.size();
}

bool has_fixed(const Setup& setup, std::string_view key) {
  const auto fault = model::find_fault(key, setup);
  return fault && std::any_of(setup.fixed.begin(), setup.fixed.end(),
                              [&](const model::FixedFault& fixed) { return fixed.fault == *fault; });
}

bool may_befall(const Setup& setup, std::string_view key) {
  return model::budget_for(setup, key) > 0 || has_fixed(setup, key);
}

/// Something may happen earlier or later than the next deadline.
bool grain_matters(const Setup& setup) {
  return !setup.faults.none() || !setup.fixed.empty() || !intervals_of(setup).empty() ||
         setup.network.kind != model::NetworkKind::no_delay;
}

std::string jumps_text(const Setup& setup) {
  std::vector<Duration> jumps;
  if (model::budget_for(setup, "clock-jump") > 0) jumps = setup.limits.clock_jumps;
  const auto jump_fault = model::find_fault("clock-jump", setup);
  for (const model::FixedFault& fixed : setup.fixed)
    if (jump_fault && fixed.fault == *jump_fault && std::count(jumps.begin(), jumps.end(), fixed.by) == 0)
      jumps.push_back(fixed.by);
  std::string text;
  for (const Duration jump : jumps)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", jump.count() > 0 ? "+" : "", length(jump));
  return text;
}

Duration largest_grant_bound(const Setup& setup) {
  Duration bound{};
  for (std::uint16_t object = 0; object < setup.objects.size(); ++object)
    if (setup.kinds[setup.objects[object].kind]->is_lock())
      bound = std::max(bound, grant_bound(setup, object));
  return bound;
}

}  // namespace

std::string bounds_of(const Setup& setup) {
  std::string text = sim::amount(setup.processes.size(), "process");
  if (setup.threads.size() != setup.processes.size())
    text += ", " + sim::amount(setup.threads.size(), "thread");
  if (const std::size_t locks = locks_of(setup); locks > 0) text += ", " + sim::amount(locks, "lock");
  const auto outside = std::count_if(setup.nodes.begin(), setup.nodes.end(),
                                     [](const model::NodeSetup& node) { return node.kind->outside; });
  const auto resources = static_cast<std::size_t>(outside);
  const auto judges = static_cast<std::size_t>(
      std::count_if(setup.nodes.begin(), setup.nodes.end(),
                    [](const model::NodeSetup& node) { return node.role == model::ServerRole::sentinel; }));
  text += ", " + sim::amount(setup.nodes.size() - resources - judges, "node");
  if (judges > 0) text += ", " + sim::amount(judges, "Sentinel");
  if (resources > 0) text += ", " + sim::amount(resources, "resource");
  switch (setup.network.kind) {
    case model::NetworkKind::no_delay:
      text += ", no delay";
      break;
    case model::NetworkKind::interval:
      text += fmt::format(", messages take {}..{} ms", setup.network.delay.lo.count(),
                          setup.network.delay.hi.count());
      break;
    case model::NetworkKind::any:
      text += ", at most " + sim::amount(setup.network.held_max, "message") + " late";
      break;
  }
  text += ", " + budget_text(setup);
  if (goes_round_for_ever(setup)) text += ", for any number of rounds";
  if (!setup.fixed.empty()) text += ", " + sim::amount(setup.fixed.size(), "fixed fault");
  if (setup.horizon) text += ", up to " + length(*setup.horizon);
  return text;
}

std::vector<std::string> within_of(const Setup& setup) {
  std::vector<std::string> within;
  if (setup.exact && grain_matters(setup)) within.push_back("every millisecond");
  else if (grain_matters(setup)) within.push_back("grain " + length(setup.grain));
  for (const std::string& interval : intervals_of(setup))
    if (setup.exact) within.push_back(fmt::format("{} at each of its milliseconds", interval));
    else within.push_back(fmt::format("{} at its ends, at the grain and at ties", interval));
  const model::FaultLimits& limits = setup.limits;
  if (may_befall(setup, "pause-process")) within.push_back("pauses of at most " + length(limits.pause_max));
  if (may_befall(setup, "cut-link")) {
    within.push_back("cuts of at most " + length(limits.cut_max));
    if (model::cuts_may_time_out(setup))
      within.push_back("connections over a cut time out after " + length(limits.connection_timeout));
  }
  if (may_befall(setup, "pause-node"))
    within.push_back("pauses of nodes of at most " + length(limits.node_pause_max));
  if (may_befall(setup, "stall-thread")) within.push_back("stalls of at most " + length(limits.stall_max));
  if (may_befall(setup, "cut-replica"))
    within.push_back("cuts of replicas of at most " + length(limits.replica_cut_max));
  if (may_befall(setup, "replica-lag")) within.push_back("lags of at most " + length(limits.lag_max));
  if (may_befall(setup, "clock-jump")) within.push_back("clocks jump by " + jumps_text(setup));
  if (may_befall(setup, "move-slots"))
    within.push_back("moves of slots of at most " + length(limits.move_max));
  if (may_befall(setup, "isolate-node"))
    within.push_back("nodes cut off from others for at most " + length(limits.isolate_max));
  if (setup.is_watched() && grain_matters(setup)) {
    const model::Interval &election = setup.watching.election, &convert = setup.watching.conversion;
    const std::string unheard = length(setup.watching.down_after);
    within.push_back(fmt::format("a master that is not heard for {} is replaced {} to {} later", unheard,
                                 length(election.lo), length(election.hi)));
    within.push_back(fmt::format("an old master becomes a replica {} to {} after it is heard again",
                                 length(convert.lo), length(convert.hi)));
  }
  if (may_befall(setup, "failover") || (setup.is_watched() && grain_matters(setup)))
    within.push_back(fmt::format("a new master is learned within {} to {}", length(limits.learn.lo),
                                 length(limits.learn.hi)));
  within.push_back("a free lock is to be granted within " + length(largest_grant_bound(setup)));
  if (has_queues(setup))
    within.push_back(fmt::format("who waits in a queue is to be overtaken by at most {}",
                                 sim::amount(setup.overtaking_bound, "later arrival")));
  if (setup.poll_bound)
    within.push_back("nobody is to ask in vain more than " + sim::amount(*setup.poll_bound, "time") +
                     " while nothing changes");
  return within;
}

std::uint64_t usual_steps_max(const Setup& setup) {
  constexpr std::uint64_t for_each_step = 200, least = 20'000, most = 1'000'000;
  std::uint64_t steps = 0;
  for (const model::ThreadSetup& thread : setup.threads) {
    std::vector<std::uint64_t> rounds{1};
    for (const model::Step& step : thread.program) {
      if (step.kind == model::StepKind::repeat)
        rounds.push_back(std::min(most, rounds.back() * std::max<std::uint64_t>(1, step.count)));
      else if (step.kind == model::StepKind::again) rounds.pop_back();
      else steps += rounds.back();
    }
  }
  return std::clamp(steps * for_each_step, least, most);
}

bool goes_round_for_ever(const Setup& setup) {
  return std::any_of(setup.threads.begin(), setup.threads.end(),
                     [](const model::ThreadSetup& thread) { return model::goes_round_for_ever(thread); });
}

}  // namespace lockstep::properties
