// Fixed faults that can do nothing: who they are for is down then, what they end never begins, or what they
// wait for never comes; limits without their fault. Only what is certain for every run.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/client/lock_kind.h"
#include "model/program/interpreter.h"
#include "model/world/faults/table.h"
#include "scenarios/format/lint.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

namespace {

using model::Aim;
using model::FaultEvent;
using model::FixedFault;
using model::Intent;
using model::Setup;
using model::Step;
using model::StepKind;

class FixedFaultLint {
 public:
  explicit FixedFaultLint(const Setup& setup) : setup_(setup) {}

  /// Why it can do nothing; empty if it may do something.
  std::string why(const FixedFault& fault) const {
    if (fault.at && setup_.horizon && *fault.at > *setup_.horizon) return "time ends before";
    for (const auto& event : {fault.message, fault.event})
      if (event && !may_occur(*event)) return "what it waits for never comes" + other_names(*event);
    if (fault.aim == Aim::message) return "";
    if (const auto name = name_if_down(fault)) return *name + " is down then";
    if (fault.ends) return may_be_begun(fault) ? "" : "what it ends begins later";
    return model::world_fault(fault.fault) != nullptr ? why_of_world(fault) : why_of_server(fault);
  }

 private:
  bool is(const FixedFault& fault, std::string_view key) const {
    return model::fault_row(fault.fault, setup_).key == key;
  }
  bool may_be_paid_for(std::string_view key) const { return model::budget_for(setup_, key) > 0; }
  template <class Such>
  bool any_fixed(Such such) const {
    return std::any_of(setup_.fixed.begin(), setup_.fixed.end(), such);
  }
  template <class Such>
  bool any_step(Such such) const {
    return std::any_of(setup_.threads.begin(), setup_.threads.end(), [&](const model::ThreadSetup& thread) {
      return std::any_of(thread.program.begin(), thread.program.end(),
                         [&](const Step& step) { return such(thread, step); });
    });
  }
  /// It comes at the latest then, or nobody knows when it comes.
  static bool may_come_by(const FixedFault& fault, const FixedFault& then) {
    return !fault.at || !then.at || *fault.at <= *then.at;
  }

  struct Victim {
    Aim aim;
    std::uint16_t number;
    std::string_view crash, restart;
    std::string name;
  };
  Victim victim_of(const FixedFault& fault) const {
    if (fault.aim == Aim::node)
      return {Aim::node, fault.target, "crash-node", "restart-node", setup_.nodes[fault.target].name};
    const std::uint16_t process =
        fault.aim == Aim::thread ? setup_.threads[fault.target].process.value : fault.target;
    return {Aim::process, process, "crash-process", "restart-process", setup_.processes[process].name};
  }
  bool befalls(const FixedFault& fault, const Victim& victim, std::string_view key) const {
    return fault.aim == victim.aim && fault.target == victim.number && is(fault, key);
  }

  /// A crash at an earlier time, and nothing that could have brought it back since.
  std::optional<std::string> name_if_down(const FixedFault& fault) const {
    const Victim victim = victim_of(fault);
    const bool whatever_runs = is(fault, victim.restart) || is(fault, "clock-jump") || fault.aim == Aim::link;
    if (!fault.at || whatever_runs || may_be_paid_for(victim.restart)) return std::nullopt;
    const bool down = any_fixed([&](const FixedFault& crash) {
      if (!befalls(crash, victim, victim.crash) || !crash.at || *crash.at >= *fault.at) return false;
      return !any_fixed([&](const FixedFault& restart) {
        return befalls(restart, victim, victim.restart) &&
               (!restart.at || (*restart.at >= *crash.at && *restart.at <= *fault.at));
      });
    });
    return down ? std::optional(victim.name) : std::nullopt;
  }

  bool may_be_begun(const FixedFault& end) const {
    return may_be_paid_for(model::fault_row(end.fault, setup_).key) || any_fixed([&](const FixedFault& one) {
             return !one.ends && one.fault == end.fault && one.aim == end.aim && one.target == end.target &&
                    one.node == end.node && may_come_by(one, end);
           });
  }

  std::string why_of_world(const FixedFault& fault) const {
    const Victim victim = victim_of(fault);
    if (is(fault, victim.restart)) {
      const bool crashes =
          may_be_paid_for(victim.crash) ||
          any_fixed([&](const FixedFault& one) {
            return befalls(one, victim, victim.crash) && may_come_by(one, fault);
          }) ||
          (victim.aim == Aim::process && any_step([&](const model::ThreadSetup& thread, const Step& step) {
             return thread.process.value == victim.number && step.kind == StepKind::crash;
           }));
      return crashes ? "" : fmt::format("{} does not crash before", victim.name);
    }
    if (is(fault, "interrupt-thread") && !waits(fault.target))
      return fmt::format("{} waits for no lock", setup_.threads[fault.target].name);
    const bool of_replica = is(fault, "replica-lag") || is(fault, "cut-replica") || is(fault, "failover");
    return of_replica && is_always_master(fault) ? fmt::format("{} is no replica", victim.name) : "";
  }

  std::string why_of_server(const FixedFault& fault) const {
    const model::ServerFault& owned = *model::server_fault(fault.fault, setup_).fault;
    if (!model::matters(owned, setup_)) return "nobody could notice (`script-cache` is false)";
    const std::string& name = setup_.nodes[fault.target].name;
    const bool has_crash =
        may_be_paid_for("crash-node") || any_fixed([&](const FixedFault& one) {
          const bool same_time = !one.at || !fault.at || *one.at == *fault.at;
          return one.befalls_node(sim::NodeId{fault.target}) && is(one, "crash-node") && same_time;
        });
    if (owned.of_crash && !has_crash) return fmt::format("no crash of {} falls on that instant", name);
    if (owned.of_masters && !is_master_at_first(fault) && !may_fail_over())
      return fmt::format("{} is no master", name);
    return fault.key.empty() ? "" : why_of_key(fault.key);
  }

  std::string why_of_key(const std::string& key) const {
    std::vector<std::string> names;
    for (const model::LockObject& object : setup_.objects) {
      if (key.find(object.name) != key.npos && !object.name.empty()) return "";
      names.push_back(object.name);
    }
    const bool said = any_step([&](const model::ThreadSetup&, const Step& step) {
      return std::find(step.words.begin(), step.words.end(), key) != step.words.end();
    });
    if (said) return "";
    const std::string hint = did_you_mean(key, names);
    return fmt::format("no program names the key `{}`{}{}", key, hint.empty() ? "" : "; ", hint);
  }

  bool may_fail_over() const {
    return setup_.is_watched() || may_be_paid_for("failover") ||
           any_fixed([&](const FixedFault& one) { return is(one, "failover"); });
  }
  bool is_master_at_first(const FixedFault& fault) const {
    const sim::NodeId node{fault.target};
    return model::first_master(setup_, setup_.group_of(node)) == node;
  }
  bool is_always_master(const FixedFault& fault) const {
    const bool others = any_fixed([&](const FixedFault& one) {
      return is(one, "failover") && !(one == fault) && may_come_by(one, fault);
    });
    return is_master_at_first(fault) && !others && !may_be_paid_for("failover") &&
           !setup_.is_watched();
  }
  bool waits(std::uint16_t number) const {
    return any_step([&](const model::ThreadSetup& thread, const Step& step) {
      return &thread == &setup_.threads[number] && model::is_acquire(step.kind);
    });
  }

  /// Some thread that the event may be of does what makes it.
  bool may_occur(const FaultEvent& event) const {
    if (event.kind == FaultEvent::Kind::effects) {
      const auto replicates = [&](const model::NodeSetup& node) { return setup_.replicates(node.group); };
      return std::any_of(setup_.nodes.begin(), setup_.nodes.end(), replicates);
    }
    return any_step([&](const model::ThreadSetup& thread, const Step& step) {
      const auto objects = meant(thread, step, event);
      return std::any_of(objects.begin(), objects.end(),
                         [&](std::uint16_t object) { return may_make(step, object, event); });
    });
  }
  /// What is called so of the lock that a step is about, and of its members, if the event may be of the step.
  std::vector<std::uint16_t> meant(const model::ThreadSetup& thread, const Step& step,
                                   const FaultEvent& event) const {
    const bool fits = (!event.process || thread.process == *event.process) &&
                      (!event.thread || &thread == &setup_.threads[event.thread->index()]);
    if (!fits || !model::intent_of(step.kind)) return {};
    std::vector<std::uint16_t> objects = setup_.objects[step.object].members;
    const auto& locks = setup_.objects[step.object].locks;
    objects.insert(objects.end(), locks.begin(), locks.end());
    objects.push_back(step.object);
    std::erase_if(objects, [&](std::uint16_t one) { return setup_.objects[one].name != event.lock; });
    return objects;
  }
  /// How the requests that it seems to mean are called.
  std::string other_names(const FaultEvent& event) const {
    if (event.kind != FaultEvent::Kind::request && event.kind != FaultEvent::Kind::reply) return "";
    std::set<std::string> names;
    any_step([&](const model::ThreadSetup& thread, const Step& step) {
      for (const std::uint16_t object : meant(thread, step, event))
        for (const model::Role& role : model::kind_of(setup_, object).roles)
          if (says_the_same(role.intent, event.role) && may_lead_to(step, object, role.intent))
            names.emplace(role.name);
      return false;
    });
    if (names.empty()) return "";
    return fmt::format("; the request of {} is called `{}`", event.lock, fmt::join(names, "` or `"));
  }
  /// Some kind of lock calls requests with that intent so.
  bool says_the_same(Intent intent, std::string_view name) const {
    return std::any_of(setup_.kinds.begin(), setup_.kinds.end(), [&](const model::LockKind* kind) {
      return std::any_of(kind->roles.begin(), kind->roles.end(), [&](const model::Role& role) {
        return role.intent == intent && role.name == name;
      });
    });
  }
  bool may_make(const Step& step, std::uint16_t object, const FaultEvent& event) const {
    const bool gives_back = step.kind == StepKind::unlock || step.kind == StepKind::force_unlock;
    switch (event.kind) {
      case FaultEvent::Kind::request:
      case FaultEvent::Kind::reply:
        return sends(step, object, event.role);
      case FaultEvent::Kind::releases:
        return gives_back;
      default:
        return model::is_acquire(step.kind);
    }
  }
  bool sends(const Step& step, std::uint16_t object, std::string_view role) const {
    const auto& roles = model::kind_of(setup_, object).roles;
    return std::any_of(roles.begin(), roles.end(), [&](const model::Role& one) {
      return one.name == role && may_lead_to(step, object, one.intent);
    });
  }
  /// An acquire may be renewed, given up, or taken back.
  bool may_lead_to(const Step& step, std::uint16_t object, Intent intent) const {
    if (intent == *model::intent_of(step.kind)) return true;
    if (!model::is_acquire(step.kind)) return false;
    const bool of_whole = object != step.object;
    return (intent == Intent::renew && !step.lease) || intent == Intent::give_up ||
           (intent == Intent::extend && of_whole) ||
           (intent == Intent::release && (of_whole || step.async || setup_.waits_for_replicas()));
  }

  const Setup& setup_;
};

}  // namespace

std::vector<std::string> fixed_fault_warnings(const Setup& setup) {
  const FixedFaultLint lint(setup);
  std::vector<std::string> found;
  for (const FixedFault& fault : setup.fixed)
    if (const std::string why = lint.why(fault); !why.empty())
      found.push_back(fmt::format("the fixed fault `{}` can do nothing: {}", fault.text, why));
  return found;
}

std::vector<std::string> limit_warnings(const Setup& setup) {
  std::vector<std::string> found;
  const auto may_come = [&](std::string_view key) {
    return model::budget_for(setup, key) > 0 ||
           std::any_of(setup.fixed.begin(), setup.fixed.end(), [&](const FixedFault& one) {
             return model::fault_row(one.fault, setup).key == key;
           });
  };
  const auto idle = [&](std::string_view limit, std::string_view fault) {
    if (!may_come(fault))
      found.push_back(fmt::format("`{}` is about `{}`, which never happens: give it a budget, or fix one",
                                  limit, fault));
  };
  const model::FaultLimits usual;
  for (const model::FaultId fault : model::faults_as_told(setup)) {
    const model::FaultRow& row = model::fault_row(fault, setup);
    if (row.end && row.end->at_latest != nullptr &&
        setup.limits.*row.end->at_latest != usual.*row.end->at_latest)
      idle(row.end->limit_key, row.key);
  }
  if (setup.limits.connection_timeout != usual.connection_timeout) idle("connection-timeout", "cut-link");
  if (setup.limits.failover_needs_dead_master) idle("failover-needs-dead-master", "failover");
  if (!setup.limits.clock_jumps.empty() && model::budget_for(setup, "clock-jump") == 0)
    found.emplace_back("`clock-jumps` is about `clock-jump`, which has no budget");
  return found;
}

}  // namespace lockstep::scenarios
