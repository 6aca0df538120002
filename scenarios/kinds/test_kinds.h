// test_kinds.h: checks scenarios on kinds of locks that live in tests: they are written with plain locks,
// which then are of the other kind.
#pragma once

#include "model/client/complete.h"
#include "model/client/lock_kind.h"
#include "properties/check/check.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {

inline model::Setup with_kind(model::Setup setup, const model::LockKind& kind) {
  setup.kinds = {&kind};
  setup.libraries.clear();
  auto completed = model::complete(std::move(setup));
  EXPECT_TRUE(completed.ok()) << (completed.ok() ? "" : completed.problem().text);
  return *completed;
}

/// What the exhaustive search says of all properties.
struct CheckedKind {
  explicit CheckedKind(const model::Setup& setup,
                       properties::CheckOptions how = {.strategy = properties::Strategy::search})
      : report(properties::check(setup, how)) {
    EXPECT_TRUE(report.complete);
  }

  /// "mutual-exclusion owner-only"
  std::string violated() const {
    std::string names;
    for (const properties::PropertyResult& one : report.results)
      if (one.verdict == properties::Verdict::violated)
        names += (names.empty() ? "" : " ") + std::string(properties::info(one.property).name);
    return names;
  }
  bool proves(Property property) const { return result(property).verdict == properties::Verdict::proved; }
  bool saw(Witness witness) const { return (report.witnesses & properties::bit(witness)) != 0; }
  const properties::PropertyResult& result(Property property) const {
    for (const properties::PropertyResult& one : report.results)
      if (one.property == property) return one;
    UNREACHABLE("all are watched");
    return report.results.front();
  }

  properties::CheckReport report;
};

/// Renaming and forgetting know nothing of a kind, and change no verdict on it.
inline void expect_the_same_without_reductions(const model::Setup& setup) {
  using enum properties::Strategy;
  const std::string violated = CheckedKind(setup).violated();
  EXPECT_EQ(CheckedKind(setup, {.strategy = search, .exact = true}).violated(), violated);
  EXPECT_EQ(CheckedKind(setup, {.strategy = search, .symmetry = false}).violated(), violated);
  model::Setup whole = setup;
  whole.reductions = model::Reductions::none();
  EXPECT_EQ(CheckedKind(whole, {.strategy = search, .symmetry = false}).violated(), violated);
}

}  // namespace lockstep::scenarios
