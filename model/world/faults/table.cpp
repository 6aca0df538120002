#include "model/world/faults/table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

/// In the order in which `enabled` lists them; a budget counts by place in this list.
constexpr std::array rows{
    &crash_node_fault,      &failover_fault,      &restart_node_fault,     &crash_process_fault,
    &restart_process_fault, &pause_process_fault, &lose_message_fault,     &delay_message_fault,
    &cut_link_fault,        &replica_lag_fault,   &clock_jump_fault,       &interrupt_thread_fault,
    &pause_node_fault,      &stall_thread_fault,  &break_connection_fault, &cut_replica_fault,
    &isolate_node_fault,    &split_votes_fault,
    &move_slots_fault};

/// All faults that are wanted, by a place that their rows name.
template <class Wanted, class Place>
std::vector<FaultId> sorted_by(Wanted wanted, Place place) {
  std::vector<FaultId> faults;
  for (std::size_t f = 0; f < rows.size(); ++f)
    if (wanted(*rows[f])) faults.push_back(sim::make_id<FaultId>(f));
  std::sort(faults.begin(), faults.end(), [&](FaultId a, FaultId b) {
    return place(*rows[a.index()]) < place(*rows[b.index()]);
  });
  return faults;
}

}  // namespace

std::string_view modes_of(const FaultRow& row) {
  if (row.needs_spare) return "cluster";
  if (row.watched == FaultRow::Watched::only) return "sentinel, cluster";
  if (row.watched == FaultRow::Watched::no) return "replicated, independent";
  return row.needs_replica ? "replicated, independent, sentinel, cluster" : "";
}

std::size_t fault_count(const Setup& setup) {
  std::size_t count = rows.size();
  for (const ServerKind* kind : setup.server_kinds()) count += kind->faults.size();
  return count;
}

const FaultRow* world_fault(FaultId fault) {
  return fault.index() < rows.size() ? rows[fault.index()] : nullptr;
}

OwnedFault server_fault(FaultId fault, const Setup& setup) {
  std::size_t number = fault.index() - rows.size();
  for (const ServerKind* kind : setup.server_kinds()) {
    if (number < kind->faults.size()) return {&kind->faults[number], kind};
    number -= kind->faults.size();
  }
  UNREACHABLE("a fault that is not in the table");
}

FaultRow fault_row(FaultId fault, const Setup& setup) {
  const FaultRow* row = world_fault(fault);
  return row != nullptr ? *row : row_of(*server_fault(fault, setup).fault, fault);
}

FaultId fault_id(const FaultRow& row) {
  return sim::make_id<FaultId>(
      static_cast<std::size_t>(std::find(rows.begin(), rows.end(), &row) - rows.begin()));
}

std::optional<FaultId> find_fault(std::string_view key, const Setup& setup) {
  std::size_t number = 0;
  for (const FaultRow* row : rows) {
    if (row->key == key) return sim::make_id<FaultId>(number);
    ++number;
  }
  for (const ServerKind* kind : setup.server_kinds())
    for (const ServerFault& fault : kind->faults) {
      if (fault.key == key) return sim::make_id<FaultId>(number);
      ++number;
    }
  return std::nullopt;
}

std::vector<FaultId> faults_as_told(const Setup& setup) {
  std::vector<FaultId> faults =
      sorted_by([](const FaultRow&) { return true; }, [](const FaultRow& row) { return row.place; });
  for (std::size_t f = rows.size(); f < fault_count(setup); ++f) faults.push_back(sim::make_id<FaultId>(f));
  return faults;
}

const std::vector<FaultId>& faults_with_end() {
  static const std::vector<FaultId> faults =
      sorted_by([](const FaultRow& row) { return row.end.has_value(); },
                [](const FaultRow& row) { return row.end->place; });
  return faults;
}

std::uint16_t budget_for(const Setup& setup, std::string_view key) {
  const auto fault = find_fault(key, setup);
  VERIFY(fault.has_value());
  return setup.faults[*fault];
}

void allow(Setup& setup, std::string_view key, std::uint16_t times) {
  const auto fault = find_fault(key, setup);
  VERIFY(fault.has_value());
  setup.faults.set(*fault, times);
}

bool fixes(const Setup& setup, const FaultRow& fault) {
  return std::any_of(setup.fixed.begin(), setup.fixed.end(),
                     [&](const FixedFault& fixed) { return fixed.fault == fault_id(fault); });
}

std::string faults_help(const Setup& setup) {
  std::string text = "| fault | effect | ends |\n|---|---|---|\n";
  for (const FaultId fault : faults_as_told(setup)) {
    const FaultRow row = fault_row(fault, setup);
    text += fmt::format("| `{}` | {} | {} |\n", row.key, row.about, row.end ? row.end->words : "–");
  }
  return text;
}

}  // namespace lockstep::model
