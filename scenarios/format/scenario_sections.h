// scenario_sections.h: how a scenario file is read, section by section; used by reader.cpp only.
//
// Every section fills its part of the Setup and reports mistakes to the TomlReading. Sections that refer to
// others are read after them: [process] before [faults] (its `fixed` names processes) and [expect] (its
// `answers` name locks).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "scenarios/format/reader.h"
#include "scenarios/format/step_parser.h"
#include "scenarios/format/toml_reading.h"

namespace lockstep::scenarios {

/// Words of the file format and the values they stand for, shared by the reader and the printer.
struct BudgetWord {
  const char* word;
  std::uint16_t model::FaultBudget::*member;
};
extern const std::vector<BudgetWord> budget_words;

struct FixedWord {
  const char* word;
  bool of_process;  // aims at a process, else at a node
  model::FixedFault::Kind kind;
};
extern const std::vector<FixedWord> fixed_words;

extern const std::vector<std::string> expected_words;     // in the order of model::Expected
extern const std::vector<std::string> persistence_words;  // in the order of redis::Persistence
extern const std::vector<std::string> expiry_words;       // in the order of redis::Expiry

void read_time(TomlReading& reading, const toml::table& table, model::Setup& setup);
void read_redis(TomlReading& reading, const toml::table& table, model::Setup& setup);
void read_redisson(TomlReading& reading, const toml::table& table, model::Setup& setup);
void read_processes(TomlReading& reading, const toml::table& table, model::Setup& setup);
void read_faults(TomlReading& reading, const toml::table& table, model::Setup& setup);
void read_expect(TomlReading& reading, const toml::table& table, const ScenarioVocabulary& vocabulary,
                 model::Setup& setup);

}  // namespace lockstep::scenarios
