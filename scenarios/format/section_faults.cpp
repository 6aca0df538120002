// [faults]: budgets, limits, and faults that happen in every run.
#include <fmt/format.h>

#include <algorithm>

#include "model/world/faults/table.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::FaultId;
using model::FaultRow;
using model::FixedFault;
using model::Setup;

namespace {

constexpr std::int64_t budget_max = 1'000;

/// Something may begin what this fixed fault ends.
bool is_begun(const FixedFault& end, const Setup& setup) {
  return setup.faults[end.fault] > 0 ||
         std::any_of(setup.fixed.begin(), setup.fixed.end(), [&](const FixedFault& one) {
           return !one.ends && one.fault == end.fault && one.aim == end.aim && one.target == end.target &&
                  one.node == end.node;
         });
}

void read_fixed(TomlReading& reading, const toml::table& table, Setup& setup) {
  std::vector<std::pair<FixedFault, const toml::value<std::string>*>> ends;
  for (const auto* text : reading.texts(table, "fixed")) {
    const std::optional<FixedFault> fault = read_fixed_fault(reading, setup, *text);
    if (!fault) continue;
    if (const auto problem = unfit(fault->fault, setup)) reading.fail(reading.place_of(*text), *problem);
    setup.fixed.push_back(*fault);
    if (fault->ends) ends.emplace_back(*fault, text);
  }
  for (const auto& [end, text] : ends)
    if (!is_begun(end, setup))
      reading.fail(
          reading.place_of(*text),
          fmt::format("`{}` can never happen: no fixed fault and no budget begins what it ends", end.text));
}

void read_jumps(TomlReading& reading, const toml::table& table, Setup& setup) {
  for (const auto* text : reading.texts(table, "clock-jumps")) {
    const sim::Result<sim::Duration> jump = parse_offset(text->get());
    if (!jump.ok()) reading.fail(reading.place_of(*text), jump.problem().text);
    else setup.limits.clock_jumps.push_back(*jump);
  }
  auto& jumps = setup.limits.clock_jumps;
  std::sort(jumps.begin(), jumps.end());
  jumps.erase(std::unique(jumps.begin(), jumps.end()), jumps.end());
}

}  // namespace

std::optional<std::string> unfit(FaultId fault, const Setup& setup) {
  const FaultRow& row = model::fault_row(fault, setup);
  bool replicated = false;
  for (std::size_t g = 0; g < setup.group_count(); ++g)
    replicated = replicated || setup.replicates(sim::make_id<model::GroupId>(g));
  const bool has_spare = std::any_of(
      setup.nodes.begin(), setup.nodes.end(),
      [](const model::NodeSetup& node) { return node.role == model::ServerRole::spare; });
  if (row.needs_spare && !has_spare)
    return fmt::format("`{}` wants where to: `mode = \"cluster\"` and `spares = 1` in [redis]", row.key);
  if (row.watched == FaultRow::Watched::only && !setup.is_watched())
    return fmt::format("`{}` is for `mode = \"sentinel\"` and `\"cluster\"` in [redis], where nodes judge "
                       "each other",
                       row.key);
  if (row.watched == FaultRow::Watched::no && setup.is_watched())
    return fmt::format("in this mode nodes elect a new master by themselves: crash, pause or isolate one, "
                       "instead of `{}`", row.key);
  if (!row.needs_replica || replicated) return std::nullopt;
  return fmt::format("`{}` needs a replica: `mode = \"replicated\"` in [redis]", row.key);
}

void read_faults(TomlReading& reading, const toml::table& table, Setup& setup) {
  const std::vector<FaultId> faults = model::faults_as_told(setup);
  std::vector<std::string> known;
  for (const FaultId fault : faults) known.emplace_back(model::fault_row(fault, setup).key);
  for (const FaultId fault : faults)
    if (const auto& end = model::fault_row(fault, setup).end; end && end->at_latest != nullptr)
      known.emplace_back(end->limit_key);
  for (const char* other :
       {"connection-timeout", "learn", "failover-needs-dead-master", "clock-jumps", "fixed"})
    known.emplace_back(other);
  reading.only(table, "[faults]", known);
  for (const FaultId fault : faults) {
    const FaultRow& row = model::fault_row(fault, setup);
    const auto budget = reading.integer(table, row.key, 0, budget_max);
    setup.faults.set(fault, static_cast<std::uint16_t>(budget.value_or(0)));
    if (!row.end || row.end->at_latest == nullptr) continue;
    sim::Duration& limit = setup.limits.*row.end->at_latest;
    limit = reading.duration(table, row.end->limit_key).value_or(limit);
  }
  setup.limits.connection_timeout =
      reading.duration(table, "connection-timeout").value_or(setup.limits.connection_timeout);
  setup.limits.learn = reading.interval(table, "learn").value_or(setup.limits.learn);
  setup.limits.failover_needs_dead_master =
      reading.boolean(table, "failover-needs-dead-master").value_or(false);
  if (const toml::node* said = table.get("failover-needs-dead-master"); said != nullptr && setup.is_watched())
    reading.fail(reading.place_of(*said),
                 "`failover-needs-dead-master` is about `failover`, which this mode has not");
  read_jumps(reading, table, setup);
  // Names of processes are known only when [process] is faultless, and its own mistake is the one to report
  // then.
  if (!setup.processes.empty()) read_fixed(reading, table, setup);
}

}  // namespace lockstep::scenarios
