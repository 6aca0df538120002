// scenario_sections.h: how a scenario file is read, section by section; used by reader.cpp only.
//
// Every section fills its part of the Setup and reports mistakes to the TomlReading. Sections that refer to
// others are read after them: [process] before [faults] (its `fixed` names processes) and [expect] (its
// `answers` name locks).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "scenarios/format/reader.h"
#include "scenarios/format/step_parser.h"
#include "scenarios/format/toml_reading.h"

namespace lockstep::scenarios {

/// Words of the file format and the values they stand for, shared by the reader and the printer.

extern const std::vector<std::string> expected_words;     // in the order of model::Expected
extern const std::vector<std::string> predicate_words;    // in the order of model::PredicateKind
extern const std::vector<std::string> mode_words;         // begins in the order of model::Topology
extern const std::vector<std::string> persistence_words;  // in the order of model::Persistence
extern const std::vector<std::string> fsync_words;        // in the order of model::Fsync
extern const std::vector<std::string> expiry_words;       // in the order of model::Expiry

void read_time(TomlReading& reading, const toml::table& table, model::Setup& setup);
void read_redis(TomlReading& reading, const toml::table& table, model::Setup& setup);
/// [zookeeper] and its like: the servers, where locks lie on others than Redis. False: they are Redis.
bool read_other_servers(TomlReading& reading, const toml::table& document, model::Setup& setup);
/// Each lock is of a kind that lies on these servers.
void check_servers(TomlReading& reading, const toml::table& processes, const model::Setup& setup);
/// The section of what is not Redis; empty: it is.
std::string print_other_servers(const model::Setup& setup);
/// Faults that take what a disk holds want one (the table is that of the faults).
void check_outages(TomlReading& reading, const toml::table& faults, const model::Setup& setup);
/// `scripts` and [redisson].
void read_clients(TomlReading& reading, const toml::table& document, const ScriptLibrary& library,
                  model::Setup& setup);
/// The same in [process.NAME], once the processes are known.
void read_own_clients(TomlReading& reading, const toml::table& document, const ScriptLibrary& library,
                      model::Setup& setup);
/// A time of at least 1ms.
void positive(TomlReading& reading, const toml::table& table, std::string_view key, sim::Duration& member);
/// Where the steps of each thread stand, and the scripts of each process that has its own.
struct ProgramPlaces {
  std::vector<std::vector<Place>> steps;
  std::vector<std::optional<Place>> scripts;
};
ProgramPlaces read_processes(TomlReading& reading, const toml::table& table, model::Setup& setup);
/// [resource.NAME], once the processes are known.
void read_resources(TomlReading& reading, const toml::table& table, model::Setup& setup);
void read_faults(TomlReading& reading, const toml::table& table, model::Setup& setup);
void read_expect(TomlReading& reading, const toml::table& table, const ScenarioVocabulary& vocabulary,
                 model::Setup& setup);

/// [[property]].
void read_predicates(TomlReading& reading, const toml::table& document, const ScenarioVocabulary& vocabulary,
                     model::Setup& setup);

/// One text of `fixed` in [faults].
std::optional<model::FixedFault> read_fixed_fault(TomlReading& reading, const model::Setup& setup,
                                                  const toml::value<std::string>& text);

/// Why the fault cannot happen in this topology.
std::optional<std::string> unfit(model::FaultId fault, const model::Setup& setup);

}  // namespace lockstep::scenarios
