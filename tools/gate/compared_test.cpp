// What a gate says of two verdicts, row by row of the table in compared.h.
#include "tools/gate/compared.h"

#include <gtest/gtest.h>

namespace lockstep::tools {
namespace {

using reports::Weight;
using Verdicts = std::optional<OneVerdict>;

Judgement of(const std::string& base, const std::string& head, AskedProperty asked = {}) {
  const auto one = [](const std::string& word) {
    return word.empty() ? Verdicts() : Verdicts(OneVerdict{.verdict = word});
  };
  return compare_verdicts(one(base), one(head), asked);
}

void expect(const Judgement& it, const std::string& outcome, Weight weight) {
  EXPECT_EQ(it.outcome, outcome);
  EXPECT_EQ(it.weight, weight) << outcome;
}

TEST(Compared, WhatHeldAndIsViolatedRegressed) {
  for (const char* held : {"proved", "passed"}) expect(of(held, "violated"), "regressed", Weight::failed);
  expect(of("seen", "unseen"), "regressed", Weight::failed);
}

TEST(Compared, UnknownIsNeverGreen) {
  expect(of("proved", "unknown"), "regressed", Weight::unknown);
  expect(of("unknown", "unknown"), "unknown", Weight::unknown);
  expect(of("violated", "unknown"), "unknown", Weight::unknown);
  expect(of("unknown", "violated"), "regressed", Weight::failed);
  expect(of("", "unknown"), "new", Weight::unknown);
  expect(of("proved", "passed"), "regressed", Weight::unknown);
}

TEST(Compared, WhatIsAsBeforeIsTheSame) {
  expect(of("proved", "proved"), "same", Weight::fine);
  expect(of("violated", "violated"), "same", Weight::fine);
  expect(of("unseen", "unseen"), "same", Weight::vacuous);
}

TEST(Compared, WhatHoldsNowIsFixed) {
  expect(of("violated", "proved"), "fixed", Weight::fine);
  expect(of("unknown", "proved"), "fixed", Weight::fine);
  expect(of("unseen", "seen"), "fixed", Weight::fine);
}

TEST(Compared, ANamedPropertyMustNotBecomeVacuous) {
  const OneVerdict proved{.verdict = "proved"}, vacuous{.verdict = "proved", .vacuous = true};
  expect(compare_verdicts(proved, vacuous, {.named = true}), "regressed", Weight::failed);
  expect(compare_verdicts(proved, vacuous, {.named = false}), "same", Weight::fine);
  expect(compare_verdicts(vacuous, vacuous, {.named = true}), "same", Weight::vacuous);
}

TEST(Compared, WithoutABaseTheScenarioDecides) {
  expect(of("", "violated", {.meets = false}), "regressed", Weight::failed);
  expect(of("", "violated", {.meets = true}), "new", Weight::fine);
  expect(of("", "proved"), "new", Weight::fine);
  expect(of("proved", ""), "gone", Weight::fine);
}

TEST(Compared, AnAcceptanceEndsWithItsDay) {
  const OneVerdict violated{.verdict = "violated"};
  const Acceptance until{"s", "p", "documented", "2027-06-30"};
  for (const char* before : {"proved", "violated"}) {
    const Judgement plain = of(before, "violated");
    expect(with_acceptance(plain, violated, until, "2027-06-30"), "accepted", Weight::fine);
    expect(with_acceptance(plain, violated, until, "2027-07-01"), "regressed", Weight::failed);
  }
  expect(with_acceptance(of("proved", "unknown"), {.verdict = "unknown"}, until, "2027-01-01"), "regressed",
         Weight::unknown);
}

}  // namespace
}  // namespace lockstep::tools
