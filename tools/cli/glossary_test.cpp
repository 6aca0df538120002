#include "tools/cli/glossary.h"

#include <gtest/gtest.h>

#include "scenarios/format/step_parser.h"
#include "tools/cli/load.h"

namespace lockstep::tools {
namespace {

TEST(Glossary, EveryWitnessIsExplained) {
  for (const std::string& word : vocabulary().witnesses) EXPECT_NE(about_witness(word), "") << word;
}

TEST(Glossary, EveryStepIsExplained) {
  for (int kind = 0; kind < static_cast<int>(model::StepKind::again); ++kind) {
    const auto word = scenarios::word_of(static_cast<model::StepKind>(kind));
    EXPECT_NE(about_step(word), "") << word;
  }
}

TEST(Glossary, TheRoleOfEveryScriptIsExplained) {
  const auto library = script_library();
  ASSERT_TRUE(library.ok());
  ASSERT_FALSE(library->scripts.empty());
  for (const lua::Script& script : library->scripts) EXPECT_NE(about_role(script.role), "") << script.role;
}

TEST(Glossary, AWordOfNoKindHasNoExplanation) { EXPECT_EQ(about_step("frobnicate"), ""); }

}  // namespace
}  // namespace lockstep::tools
