// table.h: the table of faults: what an adversary can do. One fault is one row, in the file of its subject.
//
// To add one, write its row and name it in table.cpp; scenarios, help, lists, bounds, trails, traces, time
// and footprints know it from there. Those of a kind of server (model/server/server.h) follow behind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/world/verbs.h"

namespace lockstep::model {

/// The beginning of a fault, or its end.
struct FaultAct {
  VerbRow verb;
  /// In a scenario's `fixed`; empty: it cannot be fixed.
  std::string_view fixed;
  /// Whether what is to be befallen is there: a fixed fault that finds nothing changes nothing. Absent: of
  /// messages, which are found by themselves, and of kinds of servers (befalls_server).
  bool (*befalls)(const World& world, const Setup& setup, const Subject& on) = nullptr;
};

struct FaultEnd {
  FaultAct act;
  std::string_view words;            // in the help
  Duration FaultLimits::*at_latest;  // null: no limit
  std::string_view limit_key;        // of that limit in a scenario
  std::uint8_t place = 0;            // among the endings that `enabled` lists
};

struct FaultRow {
  std::string_view key;    // of its budget in a scenario
  std::string_view about;  // what it does, for lists and help
  FaultAct begin;
  std::optional<FaultEnd> end;
  std::uint8_t place = 0;      // in scenarios and documents; `enabled` goes by the order of the table
  bool at_any_time = true;     // not only when something else happens: time stops for it at each grain
  bool needs_replica = false;  // in a scenario: a topology with replicas
  bool needs_spare = false;    // … with a master of a cluster that has no slots
  /// Whether it is for deployments in which nodes judge each other, and replace a master by themselves.
  enum class Watched : std::uint8_t { any, only, no } watched = Watched::any;
};

/// The modes of [redis] in which the fault may occur; empty: in all.
std::string_view modes_of(const FaultRow& row);

std::size_t fault_count(const Setup& setup);
FaultRow fault_row(FaultId fault, const Setup& setup);
/// The number of one of the rows below, and back: nullptr for a fault that a kind of server owns.
FaultId fault_id(const FaultRow& row);
const FaultRow* world_fault(FaultId fault);

/// A fault that a kind of server owns.
struct OwnedFault {
  const ServerFault* fault = nullptr;
  const ServerKind* kind = nullptr;
};
OwnedFault server_fault(FaultId fault, const Setup& setup);
/// What a row wants of it besides.
FaultRow row_of(const ServerFault& fault, FaultId number);
/// Whether one that is fixed finds what it is to befall, which nobody could notice does not.
bool befalls_server(const World& world, const Setup& setup, FaultId fault, const Subject& on);
/// Whether anybody could notice it.
bool matters(const ServerFault& fault, const Setup& setup);

std::optional<FaultId> find_fault(std::string_view key, const Setup& setup);
/// In the order of scenarios and documents.
std::vector<FaultId> faults_as_told(const Setup& setup);
/// In the order in which `enabled` lists their ends; those that have one, which no server's has.
const std::vector<FaultId>& faults_with_end();

/// The budget of the fault with this key, which must be one.
std::uint16_t budget_for(const Setup& setup, std::string_view key);
void allow(Setup& setup, std::string_view key, std::uint16_t times = 1);

/// The rows of `lockstep help faults`.
std::string faults_help(const Setup& setup);

// The rows, by the file that holds them.
extern const FaultRow crash_process_fault, restart_process_fault, pause_process_fault, interrupt_thread_fault;
extern const FaultRow stall_thread_fault;
extern const FaultRow crash_node_fault, restart_node_fault, pause_node_fault;
extern const FaultRow failover_fault, replica_lag_fault, cut_replica_fault;
extern const FaultRow isolate_node_fault, split_votes_fault, move_slots_fault;
extern const FaultRow lose_message_fault, delay_message_fault;
extern const FaultRow cut_link_fault, break_connection_fault, clock_jump_fault;

// What faults do that programs and fixed faults do as well, or that several of them share.
template <class Observed>
void observe(StepReport& report, Observed observed) {
  tell(report, observed);
  report.seen.push_back(std::move(observed));
}
/// The master of this replica has, or had when it crashed, writes that the replica has not seen.
bool misses_writes(const World& world, const Setup& setup, NodeId replica);
/// The connections of a link break: what is under way on it is lost.
void break_link(World& world, LinkId link, std::string_view why, StepReport& report);
void break_links_of_node(World& world, NodeId node, StepReport& report);
/// The scenario fixes such a fault, or its end.
bool fixes(const Setup& setup, const FaultRow& fault);
/// A cut may outlast the time-out of the connections over it.
bool cuts_may_time_out(const Setup& setup);

}  // namespace lockstep::model
