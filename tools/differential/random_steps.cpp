#include "tools/differential/random_steps.h"

#include <array>
#include <optional>

#include "tools/differential/promise.h"

namespace lockstep::differential {

using sim::Duration;

namespace {

/// How long until the deadline of one of the model's keys; nothing if no key drawn has one near enough.
std::optional<Duration> some_deadline(Dice& dice, const redis::testing::TestClient& model) {
  constexpr Duration far(1'000'000'000'000);
  std::vector<Duration> deadlines;
  for (const auto& [key, entry] : model.node.db.entries()) {
    if (entry.remaining && !entry.dead() && *entry.remaining < far) deadlines.push_back(*entry.remaining);
  }
  if (deadlines.empty()) return std::nullopt;
  return deadlines[dice.below(deadlines.size())];
}

Duration between(Dice& dice, std::int64_t least, std::int64_t most) {
  return Duration(least +
                  static_cast<std::int64_t>(dice.below(static_cast<std::uint64_t>(most - least + 1))));
}

}  // namespace

std::span<const Family> families() {
  using namespace redis::testing;
  static const std::array table{
      Family{"keys", key_commands()},
      Family{"expiry", expiry_commands()},
      Family{"strings", string_commands()},
      Family{"hashes", hash_commands()},
      Family{"lists", list_commands()},
      Family{"sets", set_commands()},
      Family{"sorted-sets", sorted_set_commands()},
  };
  return table;
}

Duration random_time(Dice& dice, const redis::testing::TestClient& model) {
  const std::uint64_t kind = dice.below(8);
  if (kind == 0) return between(dice, -3'000, -1);
  if (kind == 1) return between(dice, 1'000, 200'000'000);
  const auto deadline = kind < 6 ? some_deadline(dice, model) : std::nullopt;
  return deadline ? *deadline + between(dice, -1, 1) : between(dice, 1, 1'500);
}

Step random_step(Dice& dice, const redis::testing::TestClient& model, std::span<const Family> chosen) {
  Step step;
  if (dice.below(5) == 0) step.passes = random_time(dice, model);
  do {
    step.command = chosen.empty()
                       ? redis::testing::random_command(dice)
                       : redis::testing::random_command(dice, chosen[dice.below(chosen.size())].lines);
  } while (!is_settled(model.node, step.from, step.command));
  return step;
}

}  // namespace lockstep::differential
