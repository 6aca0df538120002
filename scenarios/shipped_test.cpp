// Every scenario that comes with the program is legal, says what it is, and keeps its meaning when
// normalised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/client/process.h"
#include "scenarios/embedded.h"
#include "scenarios/exploring.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/print_json.h"
#include "scenarios/format/reader.h"

namespace lockstep::scenarios {
namespace {

model::Setup shipped(std::string_view name) {
  const std::string_view file_name = name.substr(0, name.find('['));
  const EmbeddedFile* file = find_embedded_scenario(file_name);
  EXPECT_NE(file, nullptr) << name;
  if (file == nullptr) return {};
  const auto setup = read_scenario(file->text, file->name, shipped_scripts(), test_vocabulary(),
                                   name.substr(file_name.size()));
  EXPECT_TRUE(setup.ok()) << (setup.ok() ? "" : setup.problem().text);
  return setup.ok() ? *setup : model::Setup{};
}

/// A [matrix] stands for all that it makes.
std::vector<std::string> all_shipped() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_scenarios()) {
    const auto instances = scenario_instances(file.text, file.name, shipped_scripts());
    EXPECT_TRUE(instances.ok()) << file.name;
    if (!instances.ok()) continue;
    const std::string name(file.name.substr(0, file.name.rfind(".toml")));
    for (const std::string& instance : *instances) names.push_back(name + instance);
  }
  return names;
}

TEST(ShippedScenarios, EachReadsWithoutErrorAndIsNamedAfterItsPath) {
  ASSERT_GE(embedded_scenarios().size(), 21U);
  for (const std::string& name : all_shipped()) {
    const model::Setup setup = shipped(name);
    EXPECT_EQ(setup.name, name);
    EXPECT_FALSE(setup.about.empty()) << name;
    EXPECT_FALSE(setup.expect.empty()) << name;
  }
}

TEST(ShippedScenarios, TheNormalisedTextOfEachReadsAsAnEqualSetup) {
  for (const std::string& name : all_shipped()) {
    const model::Setup setup = shipped(name);
    const std::string text = normalised(setup);
    const auto again = read_scenario(text, name, shipped_scripts(), test_vocabulary());
    ASSERT_TRUE(again.ok()) << again.problem().text << "\n" << text;
    EXPECT_TRUE(*again == setup) << text;
    EXPECT_EQ(normalised(*again), text);
  }
}

TEST(ShippedScenarios, TheJsonOfEachReadsAsAnEqualSetup) {
  for (const std::string& name : all_shipped()) {
    const model::Setup setup = shipped(name);
    const std::string text = normalised_json(setup);
    const auto again = read_scenario(text, name, shipped_scripts(), test_vocabulary());
    ASSERT_TRUE(again.ok()) << again.problem().text << "\n" << text;
    EXPECT_TRUE(*again == setup) << text;
  }
}

TEST(ShippedScenarios, DigestsAreAllDifferent) {
  std::vector<std::string> digests;
  for (const std::string& name : all_shipped()) digests.push_back(shipped(name).digest);
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::adjacent_find(digests.begin(), digests.end()), digests.end());
}

TEST(ShippedScenarios, TheyAreFoundWithAndWithoutTheirEnding) {
  EXPECT_EQ(find_embedded_scenario("plain/two-clients"), find_embedded_scenario("plain/two-clients.toml"));
  EXPECT_NE(find_embedded_scenario("plain/two-clients"), nullptr);
  EXPECT_EQ(find_embedded_scenario("plain/two"), nullptr);
}

TEST(ShippedScenarios, AThousandThreadsOfOneProcessExpectExactlyOneToAcquire) {
  const model::Setup setup = shipped("java/1000-threads");
  EXPECT_EQ(setup.processes.size(), 1U);
  ASSERT_EQ(setup.threads.size(), 1000U);
  EXPECT_EQ(setup.threads.back().name, "A1000");
  EXPECT_EQ(setup.threads.back().java_id, 1000);
  ASSERT_EQ(setup.answers.size(), 3U);
  EXPECT_EQ(setup.answers[0], (model::AnswerCount{.call = model::StepKind::try_lock,
                                                  .name = "mock-key",
                                                  .answer = model::Answer::yes,
                                                  .exactly = 1}));
  EXPECT_EQ(setup.answers[1].exactly, 999U);
}

TEST(ShippedScenarios, TheMonitorScenarioHasTheHoldersOfTheLog) {
  const model::Setup setup = shipped("monitor/two-threads");
  ASSERT_EQ(setup.threads.size(), 2U);
  EXPECT_EQ(model::holder_name(setup, sim::make_id<sim::ThreadId>(0), 0, 0),
            "58c62432-bb74-4d14-8a00-9908cc8b828f:1");
  EXPECT_EQ(model::holder_name(setup, sim::make_id<sim::ThreadId>(1), 0, 0),
            "58c62432-bb74-4d14-8a00-9908cc8b828f:26");
  EXPECT_EQ(setup.objects.size(), 4U);  // each getLock() call is an object of its own
}

TEST(ShippedScenarios, ThreeEqualClientsAreInterchangeable) {
  const model::Setup setup = shipped("plain/three-clients");
  ASSERT_EQ(setup.processes.size(), 3U);
  for (const model::ProcessSetup& process : setup.processes) EXPECT_EQ(process.alike, 0) << process.name;
}

}  // namespace
}  // namespace lockstep::scenarios
