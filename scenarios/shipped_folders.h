// shipped_folders.h: the scenarios that come with the program, folder by folder, for tests of all of them.
//
// A [matrix] stands for all that it makes.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "scenarios/exploring.h"

namespace lockstep::scenarios {

inline std::vector<std::string> shipped_folders() {
  std::set<std::string> folders;
  for (const EmbeddedFile& file : embedded_scenarios())
    folders.emplace(file.name.substr(0, file.name.find('/')));
  return {folders.begin(), folders.end()};
}

/// For INSTANTIATE_TEST_SUITE_P.
inline std::string test_name_of(std::string folder) {
  std::replace(folder.begin(), folder.end(), '-', '_');
  return folder;
}

inline std::vector<model::Setup> setups_in(const std::string& folder) {
  std::vector<model::Setup> setups;
  for (const EmbeddedFile& file : embedded_scenarios()) {
    if (!file.name.starts_with(folder + "/")) continue;
    const auto instances = scenario_instances(file.text, file.name, shipped_scripts());
    EXPECT_TRUE(instances.ok()) << file.name;
    if (!instances.ok()) continue;
    for (const std::string& instance : *instances) {
      auto setup = read_scenario(file.text, file.name, shipped_scripts(), test_vocabulary(), instance);
      EXPECT_TRUE(setup.ok()) << file.name << instance;
      if (setup.ok()) setups.push_back(*std::move(setup));
    }
  }
  return setups;
}

}  // namespace lockstep::scenarios
