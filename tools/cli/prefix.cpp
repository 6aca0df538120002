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
#include "tools/cli/load.h"

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

/// The moves that these numbers stand for, each in the list of its state.
sim::Result<Prefix> load_choices(const std::string& words, const std::string& scenario,
                                 const std::vector<std::string>& scripts) {
  auto setup = load_scenario(scenario, scripts);
  if (!setup) return setup.problem();
  Prefix prefix{*std::move(setup), {}};
  properties::Checked system(prefix.setup);
  properties::Checked::State state = system.initial();
  std::vector<model::Move> moves;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find('.', at), words.size());
    const std::string word = words.substr(at, end - at);
    at = end + 1;
    const std::size_t number = prefix.decisions.size() + 1;
    std::uint32_t index = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), index);
    if (word.empty() || read.ec != std::errc() || read.ptr != word.data() + word.size())
      return sim::Problem{
          fmt::format("--choices wants numbers with dots between, such as 0.0.3; choice {} is `{}`", number,
                      reports::cut(reports::printable(word), 60))};
    system.enabled(state, moves);
    if (moves.empty())
      return sim::Problem{fmt::format("--choices: nothing more can happen before choice {}", number)};
    if (index >= moves.size())
      return sim::Problem{fmt::format("--choices: choice {} is {}, and the moves there are 0 to {}", number,
                                      index, moves.size() - 1)};
    prefix.decisions.push_back({moves[index], index, static_cast<std::uint32_t>(moves.size())});
    system.apply(state, moves[index]);
  }
  return prefix;
}

}  // namespace

std::string BeginsWith::complaint() const {
  if (from.empty() || choices.empty()) return "";
  return "--from and --choices both say what runs begin with; name one";
}

std::string BeginsWith::words() const {
  if (!from.empty()) return " --from " + reports::shell_word(from);
  return choices.empty() ? "" : " --choices " + reports::shell_word(choices);
}

sim::Result<Prefix> load_beginning(const BeginsWith& begins, const std::string& scenario,
                                   const std::vector<std::string>& scripts) {
  if (begins.choices.empty()) return load_prefix(begins.from, scenario, scripts);
  return load_choices(begins.choices, scenario, scripts);
}

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
