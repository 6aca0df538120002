#include "tools/differential/cluster_steps.h"

#include "tools/differential/client_steps.h"
#include "tools/differential/real_cluster.h"

namespace lockstep::differential {

using redis::testing::TestClient;

Step ClusterSteps::next(Dice& dice, const TestClient& model) {
  if (names_.empty()) choose_names(dice);
  if (dice.below(6) == 0) {
    constexpr const char* words[] = {"ASKING", "ASKING", "READONLY", "READWRITE"};
    return {{},
            {words[dice.below(std::size(words))]},
            sim::make_id<model::ConnectionId>(dice.below(clients_count))};
  }
  Step step;
  do {
    step = some_step(dice, model);
    for (std::string& word : step.command) rename_keys(word);
  } while (!step.command.empty() && !is_promised(model.node, step.from, step.command));
  if (step.passes < sim::Duration::zero()) step.passes = {};
  return step;
}

Step ClusterSteps::some_step(Dice& dice, const TestClient& model) {
  const auto kind = dice.below(10);
  if (kind < 5) return random_step(dice, model, {});
  return kind < 8 ? random_client_step(dice, model) : scripts_.next(dice, model);
}

void ClusterSteps::choose_names(Dice& dice) {
  const auto tags = slot_tags.all();
  const std::string_view usual = tags[dice.below(tags.size())];
  for (int i = 1; i <= 6; ++i) {
    const std::string_view tag = dice.below(7) == 0 ? tags[dice.below(tags.size())] : usual;
    names_.push_back("{" + std::string(tag) + "}" + std::to_string(i));
  }
}

/// Wherever they stand, alone or within a script.
void ClusterSteps::rename_keys(std::string& word) const {
  for (std::size_t at = word.find('k'); at != std::string::npos; at = word.find('k', at)) {
    const bool key = at + 1 < word.size() && word[at + 1] >= '1' && word[at + 1] <= '6';
    if (!key) {
      ++at;
      continue;
    }
    const std::string& name = names_[static_cast<std::size_t>(word[at + 1] - '1')];
    word.replace(at, 2, name);
    at += name.size();
  }
}

}  // namespace lockstep::differential
