#include "tools/cli/prefix.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>

#include "properties/check/checked.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"
#include "sim/run/replay.h"
#include "tools/cli/followed.h"

namespace lockstep::tools {

namespace {

struct TrailWord {
  std::string file;
  std::optional<std::uint64_t> count;
};

/// A number behind the last colon is a count, unless a file is called so.
TrailWord taken_apart(const std::string& word) {
  std::error_code ignored;
  const std::size_t colon = word.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(word, ignored)) return {word, {}};
  std::uint64_t count = 0;
  const char* const end = word.data() + word.size();
  const auto read = std::from_chars(word.data() + colon + 1, end, count);
  if (read.ec != std::errc() || read.ptr != end) return {word, {}};
  return {word.substr(0, colon), count};
}

}  // namespace

sim::Result<Prefix> load_prefix(const std::string& word, const std::string& scenario,
                                const std::vector<std::string>& scripts) {
  using System = properties::Checked;
  const TrailWord asked = taken_apart(word);
  auto followed = load_followed({.file = asked.file, .scenario = scenario, .scripts = scripts});
  if (!followed) return followed.problem();
  Prefix prefix{std::move(followed->setup), {}};
  System system(prefix.setup);
  const auto plan = sim::plan_of(system, followed->trail);
  if (!plan) return plan.problem();
  auto replayed = sim::replay(system, *plan);
  const std::string name = reports::printable(asked.file);
  prefix.decisions = std::move(replayed.run.trail);
  const bool enough = asked.count && *asked.count <= prefix.decisions.size();
  if (replayed.divergence && !enough)
    return sim::Problem{
        fmt::format("{}: the run leaves the trail: {}", name, sim::text_of(*replayed.divergence))};
  if (asked.count && !enough)
    return sim::Problem{fmt::format("{}: the run of this trail has {}, not {}", name,
                                    sim::amount(prefix.decisions.size(), "move"), *asked.count)};
  if (asked.count) prefix.decisions.resize(*asked.count);
  if (prefix.decisions.empty()) return sim::Problem{fmt::format("{}: there is no move to begin with", name)};
  return prefix;
}

}  // namespace lockstep::tools
