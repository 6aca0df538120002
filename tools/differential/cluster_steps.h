// cluster_steps.h: random sequences for a node of a cluster (real_cluster.h).
//
// Commands, clients in transactions and scripts, with keys in slots of all kinds, most of a sequence in one
// slot; before some of them ASKING, READONLY or READWRITE. The clock is never set back: for that the dead
// keys would have to be served first (both_sides.h).
#pragma once

#include <string>
#include <vector>

#include "tools/differential/random_scripts.h"

namespace lockstep::differential {

class ClusterSteps {
 public:
  Step next(Dice& dice, const redis::testing::TestClient& model);

 private:
  Step some_step(Dice& dice, const redis::testing::TestClient& model);
  void choose_names(Dice& dice);
  void rename_keys(std::string& word) const;

  std::vector<std::string> names_;  // of the keys "k1" to "k6"
  ScriptSteps scripts_;
};

}  // namespace lockstep::differential
