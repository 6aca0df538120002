#include "properties/check/lattice.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "model/client/lock_kind.h"
#include "model/client/request.h"
#include "model/world/faults/table.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

namespace {

using model::Step;
using model::StepKind;
using sim::Duration;

constexpr std::uint64_t many = 1'000;  // more chosen instants than that fill every lattice

/// Times that lengths of time are multiples of.
class Common {
 public:
  void add(Duration length) { of_ = std::gcd(of_, std::abs(length.count())); }
  void add(const model::Interval& interval) {
    add(interval.lo);
    add(interval.hi);
  }
  Duration divisor() const { return Duration{of_}; }

 private:
  std::int64_t of_ = 0;
};

bool takes_time(const Step& step) {
  return step.kind == StepKind::start || step.kind == StepKind::think || step.kind == StepKind::work;
}

bool is_acquire(const Step& step) { return model::intent_of(step.kind) == model::Intent::acquire; }
bool may_wait(const Step& step) {
  return is_acquire(step) && (step.kind != StepKind::try_lock || step.wait.value_or(Duration{}) > Duration{});
}

/// How often programs do what, all together.
struct Programs {
  std::uint64_t intervals = 0, acquires = 0, waits = 0;
  bool end = true;
};

Programs counted(const Setup& setup) {
  Programs all;
  for (const model::ThreadSetup& thread : setup.threads) {
    std::vector<std::uint64_t> times{1};
    for (const Step& step : thread.program) {
      if (step.kind == StepKind::repeat) {
        all.end = all.end && step.count != 0;
        times.push_back(std::min(many, times.back() * step.count));
      } else if (step.kind == StepKind::again) {
        times.pop_back();
      }
      if (takes_time(step) && !step.span.fixed()) all.intervals += times.back();
      if (is_acquire(step)) all.acquires += times.back();
      if (may_wait(step)) all.waits += times.back();
    }
  }
  return all;
}

/// Whether all lengths of time that occur are among those that `add_lengths` knows.
bool lengths_are_known(const Setup& setup) {
  constexpr std::string_view known[] = {"plain", "fair", "read", "write", "fenced", "non-reentrant"};
  for (const model::LockObject& object : setup.objects) {
    const model::LockKind& kind = *setup.kinds[object.kind];
    if (kind.is_made_of_others() || kind.on != nullptr) return false;
    if (kind.is_lock() && std::find(std::begin(known), std::end(known), kind.name) == std::end(known))
      return false;
  }
  for (const model::NodeSetup& node : setup.nodes)
    if (node.clock_drift_ppm != 0) return false;
  for (const redisson::Settings* client : setup.clients())
    if (client->retry_jitter) return false;
  return setup.network.kind == model::NetworkKind::no_delay && !setup.is_watched() && setup.prefix.empty() &&
         setup.predicates.empty() && setup.persistence == model::Persistence::none && setup.save.empty();
}

void add_lengths_of_clients(const Setup& setup, Common& common) {
  for (const redisson::Settings* client : setup.clients()) {
    common.add(client->watchdog);
    common.add(client->watchdog / 3);
    for (const Duration length :
         {client->response_timeout, client->subscription_timeout, client->retry_interval,
          client->sync_timeout, client->fair_wait, client->confirmation_timeout, client->connection_wait})
      common.add(length);
  }
}

void add_lengths_of_faults(const Setup& setup, Common& common) {
  const model::FaultLimits& limits = setup.limits;
  for (const Duration length :
       {limits.pause_max, limits.stall_max, limits.node_pause_max, limits.cut_max, limits.replica_cut_max,
        limits.lag_max, limits.move_max, limits.isolate_max, limits.connection_timeout})
    common.add(length);
  for (const Duration jump : limits.clock_jumps) common.add(jump);
  common.add(limits.learn);
  for (const model::FixedFault& fixed : setup.fixed) {
    common.add(fixed.at.value_or(Duration{}));
    common.add(fixed.by);
  }
}

void add_lengths(const Setup& setup, Common& common) {
  for (const model::ThreadSetup& thread : setup.threads)
    for (const Step& step : thread.program) {
      common.add(step.span);
      common.add(step.wait.value_or(Duration{}));
      common.add(step.lease.value_or(Duration{}));
    }
  add_lengths_of_clients(setup, common);
  if (!setup.faults.none() || !setup.fixed.empty()) add_lengths_of_faults(setup, common);
  for (const model::NodeSetup& node : setup.nodes) common.add(node.clock_offset);
  for (const model::ProcessSetup& process : setup.processes) common.add(process.clock_offset);
  common.add(setup.horizon.value_or(Duration{}));
  common.add(setup.loading);
  common.add(setup.min_replicas > 0 ? setup.min_replicas_max_lag : Duration{});
  for (std::uint16_t object = 0; object < setup.objects.size(); ++object)
    if (setup.kinds[setup.objects[object].kind]->is_lock()) common.add(grant_bound(setup, object));
}

/// n: a fault begins and ends; a failover is learned by each process, and old masters hear of it.
std::uint64_t chosen_instants(const Setup& setup, const Programs& programs) {
  const auto failover = model::find_fault("failover", setup);
  const std::uint64_t learners = setup.processes.size() + setup.nodes.size();
  std::uint64_t chosen = programs.intervals;
  const auto add = [&](model::FaultId fault, std::uint64_t times) {
    chosen += 2 * times + (fault == failover && !setup.limits.learn.fixed() ? learners * times : 0);
  };
  for (std::size_t f = 0; f < setup.faults.counts.size(); ++f)
    add(sim::make_id<model::FaultId>(f), setup.faults.counts[f]);
  for (const model::FixedFault& fixed : setup.fixed)
    if (!fixed.ends) add(fixed.fault, 1);
  return chosen;
}

/// A client may have been told how long a key lives (a TTL), and be held back before it waits so long; then
/// its deadline is a sum of three instants: when it goes on, when the key dies, and, taken away, when it was
/// told. If one fault is all that is chosen, the last two are known lengths apart.
bool lengths_may_rest(const Setup& setup, const Programs& programs, std::uint64_t chosen) {
  constexpr std::uint64_t of_one_fault = 2;
  constexpr std::string_view holds_nothing[] = {"crash-process", "restart-process", "interrupt-thread",
                                                "evict-key",     "flush-scripts",   "clock-jump"};
  if (programs.waits == 0 || chosen <= of_one_fault) return false;
  const auto holds = [&](model::FaultId fault) {
    const std::string_view key = model::fault_row(fault, setup).key;
    return std::find(std::begin(holds_nothing), std::end(holds_nothing), key) == std::end(holds_nothing);
  };
  for (std::size_t f = 0; f < setup.faults.counts.size(); ++f)
    if (setup.faults.counts[f] > 0 && holds(sim::make_id<model::FaultId>(f))) return true;
  return std::any_of(setup.fixed.begin(), setup.fixed.end(),
                     [&](const model::FixedFault& fixed) { return holds(fixed.fault); });
}

/// Windows that fill everything are no lattice.
bool is_sparse(const model::Lattice& lattice) {
  return lattice.below + lattice.above + lattice.slack + lattice.slack + Duration{1} < lattice.spacing;
}

/// The distance from a multiple of `spacing`, before or behind it.
std::int64_t beside(std::int64_t value, std::int64_t spacing) {
  const std::int64_t rest = ((value % spacing) + spacing) % spacing;
  return rest <= spacing / 2 ? rest : rest - spacing;
}

bool is_told_late(const model::Reply& reply, const model::Lattice& lattice) {
  if (const std::int64_t* value = reply.integer())
    return *value > 1 && std::abs(beside(*value, lattice.spacing.count())) > lattice.slack.count();
  const auto is_late = [&](const model::Reply& one) { return is_told_late(one, lattice); };
  return reply.array() != nullptr && std::any_of(reply.array()->begin(), reply.array()->end(), is_late);
}

}  // namespace

std::optional<model::Lattice> lattice_of(const Setup& setup) {
  const Programs programs = counted(setup);
  if (!programs.end || !lengths_are_known(setup)) return std::nullopt;
  const std::uint64_t chosen = chosen_instants(setup, programs);
  if (chosen >= many || programs.waits >= many) return std::nullopt;
  if (lengths_may_rest(setup, programs, chosen)) return std::nullopt;
  Common common;
  add_lengths(setup, common);
  const auto n = static_cast<std::int64_t>(chosen);
  const auto acquires = static_cast<std::int64_t>(programs.acquires);
  const auto w =
      std::min(static_cast<std::int64_t>(programs.waits), std::max<std::int64_t>(acquires - 1, 0));
  const model::Lattice lattice{.spacing = common.divisor(),
                               .below = Duration{n * w},
                               .above = Duration{n * (w + 1)},
                               .slack = Duration{w + 1}};  // a key goes a millisecond behind its time
  if (lattice.spacing == Duration::zero() || !is_sparse(lattice)) return std::nullopt;
  return lattice;
}

namespace {

Setup on_every_millisecond(Setup setup) {
  setup.lattice.reset();
  setup.exact = false;
  setup.grain = Duration{1};
  return setup;
}

}  // namespace

Setup on_lattice(Setup setup, std::span<const sim::Decision<model::Move>> made) {
  if (!setup.exact) return setup;
  if (made.empty()) setup.lattice = lattice_of(setup);
  return setup.lattice ? setup : on_every_millisecond(std::move(setup));
}

Setup on_finer_lattice(Setup setup, Duration deadline) {
  if (deadline == sim::never) return on_every_millisecond(std::move(setup));
  model::Lattice& lattice = *setup.lattice;
  // The deadline is a chosen instant, which lies in a window, and a length that was not known.
  std::int64_t finest = 1;
  for (Duration at = -lattice.below; at <= lattice.above; ++at)
    finest = std::max(finest, std::gcd(lattice.spacing.count(), (deadline - at).count()));
  lattice.spacing = Duration{finest};
  return is_sparse(lattice) ? setup : on_every_millisecond(std::move(setup));
}

void LatticeWatch::before(const model::World& world, const model::Move& move) {
  if (missed_ || !move.passes_time()) return;
  const Duration then = world.now.since_start + Duration{move.by};
  if (!setup_.lattice->admits(then)) missed_ = then;
  else if (is_told_late(world)) missed_ = sim::never;
}

bool LatticeWatch::is_told_late(const model::World& world) const {
  for (const auto& link : world.links)
    for (const model::Flight& flight : link->flights) {
      if (flight.request && !model::instants_of(*flight.request, setup_).empty()) return true;
      if (flight.reply && properties::is_told_late(*flight.reply, *setup_.lattice)) return true;
      if (flight.blocked && properties::is_told_late(flight.blocked->reply, *setup_.lattice)) return true;
    }
  return false;
}

}  // namespace lockstep::properties
