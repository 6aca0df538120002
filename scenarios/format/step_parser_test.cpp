#include "scenarios/format/step_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::scenarios {
namespace {

using model::Step;
using model::StepKind;
using sim::Duration;
using testing::ElementsAre;

struct Program {
  Names names;
  std::vector<ParsedStep> steps;

  explicit Program(std::vector<std::string> texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto found = parse_steps(texts[i], i, names, steps);
      EXPECT_FALSE(found.has_value()) << texts[i] << ": " << (found ? found->what : "");
    }
    set_refusal_jumps(names, steps);
  }
  std::vector<std::string> printed() const {
    std::vector<std::string> out;
    for (const ParsedStep& each : steps) out.push_back(each.step.text);
    return out;
  }
  std::uint32_t jump(std::size_t index) const { return steps.at(index).step.jump; }
};

TEST(Steps, EveryStepIsReadAndPrintedInItsCanonicalForm) {
  const Program program({"start 0..1s", "lock  a   lease=2m", "lock-interruptibly a",
                         "trylock a lease=5s wait=10ms via=h1", "unlock plain:a via=h1", "force-unlock a",
                         "think 5..10ms", "work 1000ms", "signal go", "await go", "lock plain:k:1",
                         "lock n#fresh", "lock fenced:f  token lease=1s via=h", "crash"});
  EXPECT_THAT(program.printed(), ElementsAre("start 0..1s", "lock a lease=120s", "lock-interruptibly a",
                                             "trylock a wait=10ms lease=5s via=h1", "unlock a via=h1",
                                             "force-unlock a", "think 5ms..10ms", "work 1s", "signal go",
                                             "await go", "lock plain:k:1", "lock n#fresh",
                                             "lock fenced:f lease=1s token via=h", "crash"));
  EXPECT_EQ(program.names.objects.size(), 5U);  // a, a via=h1, k:1, n#fresh, f via=h
  EXPECT_EQ(program.steps[3].step.wait, Duration(10));
  EXPECT_EQ(program.steps[3].step.lease, Duration(5000));
}

TEST(Steps, ValuesOfAGroupAreNamedBehindIt) {
  const Program program({"lock  faster-multi:orders/a+b lease=1s", "unlock faster-multi:'my orders'/a",
                         "lock faster-multi:orders/b+a"});
  EXPECT_THAT(program.printed(),
              ElementsAre("lock faster-multi:orders/a+b lease=1s", "unlock faster-multi:'my orders'/a",
                          "lock faster-multi:orders/b+a"));
  ASSERT_EQ(program.names.objects.size(), 3U) << "another order is another object of the lock";
  EXPECT_EQ(program.names.objects[0].key, "orders");
  EXPECT_THAT(program.names.objects[0].values, ElementsAre("a", "b"));
  EXPECT_EQ(program.names.objects[1].key, "my orders");
  for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
           {"lock faster-multi:orders", "a faster-multi lock wants a group and values of it"},
           {"lock faster-multi:/a", "a faster-multi lock wants a group and values of it"},
           {"lock faster-multi:orders/", "here the name of a value is missing"},
           {"lock faster-multi:orders/a+", "here the name of a value is missing"},
           {"lock faster-multi:orders/a+a", "`a` is named twice"},
           {"lock faster-multi:orders/a:b", "`a:b` is no name for a value"},
           {"lock faster-multi:orders/a#fresh", "`a#fresh` is no name for a value"}}) {
    Names names;
    std::vector<ParsedStep> steps;
    const auto found = parse_steps(text, 0, names, steps);
    EXPECT_EQ(found ? found->what : "no problem", what) << text;
  }
}

TEST(Steps, ALoopIsFlattenedWithJumpsToItsBodyAndBehindItsEnd) {
  const Program program({"repeat 3 { lock a; repeat 2 { work 1s; }; unlock a }", "work 2s"});
  EXPECT_THAT(program.printed(),
              ElementsAre("repeat 3 {", "lock a", "repeat 2 {", "work 1s", "}", "unlock a", "}", "work 2s"));
  EXPECT_EQ(program.steps[0].step.count, 3U);
  EXPECT_EQ(program.jump(0), 7U);
  EXPECT_EQ(program.jump(6), 1U);
  EXPECT_EQ(program.jump(2), 5U);
  EXPECT_EQ(program.jump(4), 3U);
}

TEST(Steps, ARefusedTrylockGoesOnBehindItsUnlock) {
  const Program program({"trylock a", "work 1s", "unlock a", "work 2s"});
  EXPECT_EQ(program.jump(0), 3U);
}

TEST(Steps, NestedAcquiresOfTheSameLockAreCounted) {
  const Program program({"trylock a", "lock b", "trylock a", "unlock a", "unlock b", "unlock a", "work 1s"});
  EXPECT_EQ(program.jump(0), 6U);
  EXPECT_EQ(program.jump(2), 4U);
}

TEST(Steps, AnotherObjectOfTheSameLockMatchesButAnotherLockDoesNot) {
  EXPECT_EQ(Program({"trylock a via=x", "unlock b", "unlock a via=y", "work 1s"}).jump(0), 3U);
  EXPECT_EQ(Program({"trylock a", "unlock a#fresh", "force-unlock a", "work 1s"}).jump(0), 1U);
}

TEST(Steps, ExpectationsBehindATrylockRunBeforeTheJumpAndThoseOfItsUnlockAreSkipped) {
  const Program guarded(
      {"trylock a", "expect false", "expect false", "work 1s", "unlock a", "expect true", "work 2s"});
  EXPECT_EQ(guarded.jump(0), 6U);
  const Program unguarded({"trylock a", "expect true", "work 1s"});
  EXPECT_EQ(unguarded.jump(0), 2U);
  EXPECT_EQ(Program({"trylock a"}).jump(0), 1U);
}

TEST(Steps, ARefusalStaysInsideItsLoop) {
  const Program whole({"repeat 2 { trylock a; work 1s; unlock a }"});
  EXPECT_EQ(whole.jump(1), 4U);  // the closing brace
  const Program open({"repeat 2 { trylock a; work 1s }", "unlock a"});
  EXPECT_EQ(open.jump(1), 2U);
  const Program around({"trylock a", "repeat 2 { lock a; unlock a; unlock a }", "unlock a", "work 1s"});
  EXPECT_EQ(around.jump(0), 7U);
}

TEST(Steps, PlacesAreByteOffsetsIntoTheText) {
  Names names;
  std::vector<ParsedStep> steps;
  ASSERT_FALSE(parse_steps("repeat 3 { lock a;  work 1s }", 0, names, steps).has_value());
  EXPECT_EQ(steps[2].offset, 20U);
  EXPECT_EQ(steps[2].length, 7U);
}

TEST(Steps, DeepNestingAndManyNamesAreRefusedWithASentence) {
  std::string deep, many;
  for (int i = 0; i < 100; ++i) deep += "repeat 2 { ";
  for (int i = 0; i < 2000; ++i) many += "lock a" + std::to_string(i) + "; ";
  Names names;
  std::vector<ParsedStep> steps;
  EXPECT_EQ(parse_steps(deep, 0, names, steps)->what, "`repeat` is nested more than 16 deep");
  EXPECT_EQ(parse_steps(many, 0, names, steps)->what, "more than 1000 lock objects");
}

TEST(Steps, QuestionsCommandsAndWritesAreReadAndPrintedInTheirCanonicalForm) {
  const Program program({"is-held  a via=h", "is-locked spin:a", "redis  DEL a   b",
                         "redis SET 'a {b}; c' ''", "redis on=R1 PEXPIRE a:b 5", "write ledger"});
  EXPECT_THAT(program.printed(),
              ElementsAre("is-held a via=h", "is-locked spin:a", "redis DEL a b", "redis SET 'a {b}; c' ''",
                          "redis on=R1 PEXPIRE a:b 5", "write ledger"));
  EXPECT_THAT(program.steps[3].step.words, ElementsAre("SET", "a {b}; c", ""));
}

TEST(Steps, ACommandEndsAtTheEndOfItsBlock) {
  const Program program({"repeat 2 { redis DEL a }", "redis GET a; expect false"});
  EXPECT_THAT(program.printed(),
              ElementsAre("repeat 2 {", "redis DEL a", "}", "redis GET a", "expect false"));
}

TEST(Steps, ATryLeadsToItsFinallyAndThatToItsEnd) {
  const Program program(
      {"lock a", "try { work 1s; try { work 2s } finally { work 3s } } finally { unlock a }"});
  EXPECT_THAT(program.printed(),
              ElementsAre("lock a", "try {", "work 1s", "try {", "work 2s", "} finally {", "work 3s", "}",
                          "} finally {", "unlock a", "}"));
  EXPECT_EQ(program.jump(1), 8U);
  EXPECT_EQ(program.jump(8), 10U);
  EXPECT_EQ(program.jump(3), 5U);
  EXPECT_EQ(program.jump(5), 7U);
}

TEST(Steps, ARefusedTrylockSkipsATryWhoseFinallyHasItsUnlock) {
  const Program whole(
      {"trylock a", "try { lock a; unlock a; work 1s } finally { unlock a; expect true; work 1s }",
       "work 2s"});
  EXPECT_EQ(whole.jump(0), 10U);
  EXPECT_EQ(whole.steps[10].step.text, "work 2s");
  const Program inside({"try { trylock a; work 1s; unlock a } finally { work 2s }"});
  EXPECT_EQ(inside.steps[inside.jump(1)].step.text, "} finally {");
  const Program unmatched({"try { trylock a; work 1s } finally { unlock a }"});
  EXPECT_EQ(unmatched.jump(1), 2U);
}

TEST(Steps, QuestionsAreNoAcquires) {
  const Program program({"trylock a", "is-held a", "is-locked a", "unlock a", "work 1s"});
  EXPECT_EQ(program.jump(0), 4U);
}

}  // namespace
}  // namespace lockstep::scenarios
