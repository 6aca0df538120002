#include "tools/graph/other_ways.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/check/check.h"
#include "properties/monitors/all_properties.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"
#include "tools/graph/decided_run.h"

namespace lockstep::tools {

namespace {

using properties::Checked;

std::string broken_text(sim::PropertyMask violated, const model::Setup& setup) {
  std::string names;
  for (const properties::PropertyInfo& one : properties::all_properties(setup))
    if ((violated & properties::bit(one.property)) != 0)
      names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

class WayTrier {
 public:
  WayTrier(const model::Setup& setup, const std::vector<Decided>& run, const std::string& property,
           const OtherWaysLimits& limits)
      : setup_(setup), run_(run), limits_(limits), names_(setup) {
    // Whether calls can still return is a search of its own, which is not worth it here.
    if (property != properties::info(properties::Property::calls_return).name) property_ = property;
  }

  /// What is told up to decision `upto`, and what follows when `move` is taken there.
  properties::Told told(std::size_t upto, const model::Move* move, std::size_t further) const {
    sim::Trail trail = properties::trail_header(setup_, property_, "");
    for (std::size_t i = 0; i < upto; ++i) add(trail, run_[i].taken);
    if (move) add(trail, *move);
    trail.then = {.by_default = move != nullptr, .until = trail.lines.size() + further};
    return properties::tell(setup_, trail);
  }

  reports::PageWay way(std::size_t decision, std::size_t index, std::size_t first_event,
                       sim::PropertyMask before) {
    const Decided& here = run_[decision];
    reports::PageWay way{.move = names_.show(here.moves[index])};
    way.taken = index == here.index;
    if (way.taken || tried_ == limits_.tried_max) return way;
    ++tried_;
    const auto other = told(decision, &here.moves[index], limits_.steps_max);
    for (std::size_t at = first_event; at < other.trace.events.size(); ++at) {
      if (way.story.size() == limits_.lines_max) {
        way.story.push_back(fmt::format("… {} more events", other.trace.events.size() - at));
        break;
      }
      const sim::TraceEvent& event = other.trace.events[at];
      if (event.of) continue;
      way.story.push_back(fmt::format("{}  {}  {}", reports::time_text(event.time_us),
                                      reports::printable(event.who),
                                      reports::event_text(other.trace, event)));
    }
    const std::string broken = broken_text(other.violated & ~before, setup_);
    const char* end = other.at_rest ? "all programs end" : "it goes on";
    way.outcome = broken.empty() ? fmt::format("by default nothing new breaks, and {}", end)
                                 : fmt::format("by default {} breaks", broken);
    way.breaks = !broken.empty();
    return way;
  }

 private:
  void add(sim::Trail& trail, const model::Move& move) const {
    trail.lines.push_back({.step = trail.lines.size() + 1, .choice = {}, .move = names_.show(move)});
  }

  const model::Setup& setup_;
  const std::vector<Decided>& run_;
  const OtherWaysLimits& limits_;
  Checked names_;
  std::string property_;  // what is judged besides the usual
  std::size_t tried_ = 0;
};

}  // namespace

sim::Result<std::vector<reports::PageChoice>> other_ways(const model::Setup& setup, const sim::Trail& trail,
                                                         const std::string& command,
                                                         const OtherWaysLimits& limits) {
  const auto decided = decided_run(setup, trail);
  if (!decided) return decided.problem();
  const std::vector<Decided>& run = *decided;
  WayTrier trier(setup, run, trail.property, limits);
  std::vector<reports::PageChoice> choices;
  const std::size_t begin = run.size() - std::min(run.size(), limits.decisions_max);
  std::string chosen;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (i >= begin) {
      const auto before = trier.told(i, nullptr, 0);
      reports::PageChoice choice{.event = before.trace.events.size(), .decision = i + 1};
      for (std::size_t move = 0; move < run[i].moves.size(); ++move) {
        choice.ways.push_back(trier.way(i, move, choice.event, before.violated));
        choice.ways.back().again = fmt::format("{} --choose {}{}", command, chosen, move);
      }
      choices.push_back(std::move(choice));
    }
    chosen += fmt::format("{},", run[i].index);
  }
  return choices;
}

}  // namespace lockstep::tools
