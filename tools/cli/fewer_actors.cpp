#include "tools/cli/fewer_actors.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <optional>
#include <sstream>

#include "model/world/move.h"
#include "properties/check/prefix.h"
#include "properties/check/shrinking.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/reader.h"
#include "sim/run/lenient.h"
#include "sim/run/replay.h"
#include "tools/cli/load.h"
#include "tools/cli/pinned.h"

namespace lockstep::tools {

namespace {

using properties::Checked;

/// One that may be left out: a process, or one of its threads.
struct Leavable {
  std::string process;
  std::optional<std::size_t> thread;
  std::string told() const {
    return thread ? fmt::format("thread {} of {}", *thread + 1, process) : process;
  }
};

std::optional<toml::table> document_of(const std::string& text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

/// Whole processes first, and of each the last thread first, so that places of the others stay.
std::vector<Leavable> leavable(const std::string& text) {
  std::vector<Leavable> processes, threads;
  const auto document = document_of(text);
  const toml::table* all = document ? (*document)["process"].as_table() : nullptr;
  if (all == nullptr) return {};
  for (const auto& [name, process] : *all) {
    processes.push_back({std::string(name.str()), {}});
    const toml::array* programs = process.is_table() ? (*process.as_table())["threads"].as_array() : nullptr;
    for (std::size_t i = programs ? programs->size() : 0; programs && programs->size() > 1 && i > 0; --i)
      threads.push_back({std::string(name.str()), i - 1});
  }
  processes.insert(processes.end(), threads.begin(), threads.end());
  return processes;
}

/// The text without that one; nothing if it is there no more, or would be the last.
std::optional<std::string> without(const std::string& text, const Leavable& one) {
  auto document = document_of(text);
  toml::table* all = document ? (*document)["process"].as_table() : nullptr;
  toml::table* process = all ? (*all)[one.process].as_table() : nullptr;
  if (process == nullptr) return std::nullopt;
  if (!one.thread) {
    if (all->size() < 2) return std::nullopt;
    all->erase(one.process);
  } else {
    toml::array* programs = (*process)["threads"].as_array();
    if (programs == nullptr || programs->size() < 2 || *one.thread >= programs->size()) return std::nullopt;
    programs->erase(programs->begin() + static_cast<std::ptrdiff_t>(*one.thread));
  }
  std::ostringstream out;
  out << *document << "\n";
  return out.str();
}

class ActorShrinker {
 public:
  ActorShrinker(std::string file, std::string property, std::size_t runs_max)
      : file_(std::move(file)), property_(std::move(property)), runs_max_(runs_max) {}

  sim::Result<FewerActors> shrink(const model::Setup& setup, const properties::MadeMoves& run) {
    FewerActors done;
    done.moves_before = run.size();
    done.threads_before = setup.threads.size();
    const Checked names(setup);
    for (const auto& decision : run) moves_.push_back(names.show(decision.move));
    text_ = scenarios::normalised(setup);
    auto whole = read(text_);
    if (!whole) return whole.problem();
    if (!breaks(*whole))
      return sim::Problem{"there is nothing to shrink: written out in full, the scenario does not show it"};
    for (const Leavable& one : leavable(text_)) {
      const auto smaller = without(text_, one);
      if (!smaller || runs_used_ >= runs_max_) continue;
      const auto read_again = read(*smaller);
      if (!read_again || !breaks(*read_again)) continue;
      text_ = *smaller;
      done.left_out.push_back(one.told());
    }
    return finished(std::move(done));
  }

 private:
  sim::Result<model::Setup> read(const std::string& text) const {
    const auto library = script_library();
    if (!library) return library.problem();
    return scenarios::read_scenario(text, file_, beside(*library, file_), vocabulary());
  }

  /// Follows the moves of those who are left; keeps the run if it breaks the property.
  bool breaks(const model::Setup& setup) {
    const auto property = properties::find_property(property_, setup);
    if (!property) return false;
    ++runs_used_;
    Checked system(setup);
    std::vector<model::Move> moves;
    for (const std::string& text : moves_)
      if (const auto move = model::parse_move(text, setup)) moves.push_back(*move);
    sim::Lenient<Checked> loosely(std::move(moves));
    const auto run = sim::run(system, system.initial(), loosely,
                              {.steps_max = 2 * moves_.size() + 1'000, .stop_at = bit(*property)});
    if ((run.violated & bit(*property)) == 0) return false;
    moves_.clear();
    for (const auto& decision : run.trail) moves_.push_back(system.show(decision.move));
    return true;
  }

  sim::Result<FewerActors> finished(FewerActors done) {
    auto setup = read(text_);
    if (!setup) return setup.problem();
    sim::Trail trail = properties::trail_header(*setup, property_, "violated");
    for (const std::string& move : moves_)
      trail.lines.push_back({.step = trail.lines.size() + 1, .choice = {}, .move = move});
    const std::size_t left = runs_max_ - std::min(runs_max_, runs_used_);
    auto shrunk = properties::shrink_trail_by(*setup, trail, properties::ShrinkBy::faults, left);
    if (!shrunk) return shrunk.problem();
    done.scenario = scenarios::normalised(*setup);
    done.trail = std::move(shrunk->deviations);
    done.moves = shrunk->full.lines.size();
    done.threads = setup->threads.size();
    done.runs_used = runs_used_ + shrunk->runs_used;
    done.minimal = shrunk->minimal;
    return done;
  }

  static sim::PropertyMask bit(properties::Property property) { return properties::bit(property); }

  std::string file_, property_, text_;
  std::vector<std::string> moves_;  // of the run that is kept
  std::size_t runs_max_, runs_used_ = 0;
};

}  // namespace

sim::Result<FewerActors> fewer_actors(const Following& what, const std::string& file, std::size_t runs_max) {
  const auto followed = load_followed(what);
  if (!followed) return followed.problem();
  const std::string& property = followed->trail.property;
  const auto known = properties::find_property(property, followed->setup);
  using properties::Property;
  if (!known || *known == Property::no_zeno || *known == Property::calls_return ||
      *known == Property::no_starvation)
    return sim::Problem{
        fmt::format("the trail names no property that --by actors can look for (`property = {}`)", property)};
  Checked system(followed->setup);
  const auto plan = sim::plan_of(system, followed->trail);
  if (!plan) return plan.problem();
  const auto replayed = sim::replay(system, *plan);
  if (replayed.divergence) return sim::Problem{sim::text_of(*replayed.divergence)};
  auto setup = written_from(followed->setup, what, file);
  if (!setup) return setup.problem();
  setup->name += "/fewer";
  setup->expect = {{property, model::Expected::violated}};
  setup->sometimes.clear();
  setup->answers.clear();
  return ActorShrinker(file, property, runs_max).shrink(*setup, replayed.run.trail);
}

}  // namespace lockstep::tools
