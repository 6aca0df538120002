// exploring.h: from the text of a scenario to a search or a run, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "properties/check/searching.h"
#include "scenarios/embedded.h"
#include "scenarios/format/reader.h"
#include "scenarios/format/test_library.h"
#include "sim/search/search.h"

namespace lockstep::scenarios {

using properties::Checked;
using properties::Property;
using properties::Witness;
using Decisions = sim::Decisions<Checked>;

/// The sets that come with the program.
inline const ScriptLibrary& shipped_scripts() {
  static const ScriptLibrary library = *built_in_scripts({});
  return library;
}

/// Reads a scenario that must be right; `format = 1` may be left out.
inline model::Setup setup_of(std::string text) {
  if (text.find("format") == std::string::npos) text = "format = 1\n" + text;
  const auto setup = read_scenario(text, "test.toml", shipped_scripts(), test_vocabulary());
  EXPECT_TRUE(setup.ok()) << (setup.ok() ? "" : setup.problem().text) << "\n" << text;
  return setup.ok() ? *setup : model::Setup{};
}

inline model::Setup shipped_setup(std::string_view name) {
  const EmbeddedFile* file = find_embedded_scenario(name);
  EXPECT_NE(file, nullptr) << name;
  return file == nullptr ? model::Setup{} : setup_of(std::string(file->text));
}

struct Searching {
  bool symmetry = true;
  sim::StateKey key = sim::StateKey::digest;
  std::uint64_t states_max = 400'000;
  sim::PropertyMask enough = 0;  // ends once one of these is broken
  sim::PropertyMask watched = properties::all_usual;
  properties::Memories memory = properties::Memories::usual;
  std::size_t workers = 1;
  bool reduce = false;    // by partial-order reduction
  bool with_now = false;  // what time it is belongs to a state
};

inline sim::Outcome<Checked> search(const model::Setup& setup, const Searching& how = {}) {
  Checked system(setup, {.watched = how.watched,
                         .with_now = how.with_now,
                         .reduce = how.reduce,
                         .workers = how.workers});
  sim::SearchOptions<Checked> options;
  options.symmetry = how.symmetry;
  options.key = how.key;
  options.limits.states_max = how.states_max;
  if (how.enough != 0)
    options.enough = [&how](sim::PropertyMask broken, sim::WitnessMask) {
      return (broken & how.enough) != 0;
    };
  auto outcome = properties::search(system, std::move(options), how.memory);
  EXPECT_FALSE(system.needs_now()) << "the counts do not mean what they say";
  return outcome;
}

/// The names of what a mask holds, for messages.
inline std::string names_of(sim::PropertyMask mask) {
  std::string names;
  for (const properties::PropertyInfo& one : properties::catalog)
    if ((mask & properties::bit(one.property)) != 0)
      names += (names.empty() ? "" : " ") + std::string(one.name);
  return names;
}

}  // namespace lockstep::scenarios
