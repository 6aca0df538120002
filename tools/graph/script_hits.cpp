#include "tools/graph/script_hits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "properties/check/check.h"
#include "properties/check/prefix.h"
#include "properties/monitors/all_properties.h"
#include "reports/findings/findings.h"
#include "reports/text/text.h"
#include "sim/search/search.h"
#include "tools/graph/script_layout.h"

namespace lockstep::tools {

namespace {

using properties::Checked;

/// How often the body of a branch was entered from its condition.
std::uint64_t entered(const HitCounter::Hits& hits, const LaidOutBranch& branch) {
  std::uint64_t count = 0;
  for (const auto& [way, times] : hits.ways) {
    const auto [from, to] = way;
    const bool decides = from >= branch.first && from <= branch.last;
    if (decides && to >= branch.body_first && to <= branch.body_last) count += times;
  }
  return count;
}

reports::CountedScript counted_lines(const lua::Script& script, const HitCounter::Hits* hits) {
  static const HitCounter::Hits none;
  const HitCounter::Hits& known = hits ? *hits : none;
  const ScriptLayout layout = layout_of(script);
  reports::CountedScript counted{script.role, script.file, script.sha1, known.runs, {}};
  for (std::size_t i = 0; i < layout.lines.size(); ++i) {
    const auto found = known.lines.find(static_cast<int>(i) + 1);
    const std::uint64_t times = found == known.lines.end() ? 0 : found->second;
    const LaidOutLine& line = layout.lines[i];
    counted.lines.push_back({line.text, line.indent, line.is_code || times > 0, times, {}, ""});
  }
  for (const LaidOutBranch& branch : layout.branches) {
    reports::CountedLine& line = counted.lines[static_cast<std::size_t>(branch.first) - 1];
    if (branch.body_last < branch.body_first) continue;  // either way the same comes next
    const std::uint64_t taken = entered(known, branch);
    line.branch = {taken, line.hits - std::min(taken, line.hits)};
  }
  return counted;
}

}  // namespace

ScriptLayout layout_of(const lua::Script& script) {
  const auto shebang = lua::read_shebang(script.text);
  const auto* known = std::get_if<lua::Shebang>(&shebang);
  return lay_out(known ? std::string_view(script.text).substr(known->length) : script.text);
}

/// Scripts that ran first; of two processes with the same script, one.
reports::CountedScripts counted_scripts(const model::Setup& setup, const HitCounter& counter, bool unrun) {
  reports::CountedScripts counted;
  std::set<std::string> known;
  for (const bool ran : {true, false})
    for (const lua::ScriptSet* set : setup.script_sets())
      for (const auto& [role, script] : set->roles) {
        const HitCounter::Hits* hits = counter.find(script.sha1);
        if ((hits != nullptr) != ran || !known.insert(script.sha1).second) continue;
        if (ran || unrun) counted.scripts.push_back(counted_lines(script, hits));
      }
  return counted;
}

namespace {

void mark_violation(reports::CountedScripts& counted, const sim::Trace& trace) {
  const auto broken = std::find_if(trace.events.begin(), trace.events.end(),
                                   [](const auto& event) { return event.kind == sim::TraceKind::prop; });
  if (broken == trace.events.end()) return;
  const auto write = reports::violating_write(trace, broken->name, {});
  for (reports::CountedScript& script : counted.scripts) {
    const auto line = static_cast<std::size_t>(std::max<std::int64_t>(write.line, 0));
    if (script.role == write.role && line >= 1 && line <= script.lines.size())
      script.lines[line - 1].broken = broken->name;
  }
}

/// One search; `with_now` as the question needs it.
sim::Outcome<Checked> search_counting(const model::Setup& setup, std::uint64_t states_max,
                                                bool with_now, lua::Overseer* overseer, bool& needs_now) {
  // What compares images of steps runs scripts, too; so the count is taken without it, and what it would have
  // found is known by then.
  const bool counts = overseer != nullptr;
  Checked system(setup, {.with_now = with_now, .watch_instants = !counts, .overseer = overseer});
  properties::begin_behind(system, properties::prefix_of(setup).moves);
  sim::SearchOptions<Checked> how;
  how.limits = {.states_max = std::min(states_max, sim::SearchLimits{}.states_max),
                .stop = [&] { return !counts && system.needs_now(); }};
  how.symmetry = false;
  how.zeno = false;
  auto outcome = sim::explore(system, how);
  needs_now = system.needs_now();
  return outcome;
}

}  // namespace

std::string HitCounter::laid_out(std::string_view body) { return lay_out(body).code; }

void HitCounter::begin(std::string_view sha1, Kind kind) {
  current_ = kind == Kind::script ? &by_sha1_[std::string(sha1)] : nullptr;
  last_ = 0;
  portions_ = 0;
  if (current_) ++current_->runs;
}

bool HitCounter::goes_on() { return ++portions_ < script_portions_max; }

void HitCounter::at_line(int line) {
  if (!current_) return;
  ++current_->lines[line];
  ++current_->ways[{last_, line}];
  last_ = line;
}

const HitCounter::Hits* HitCounter::find(const std::string& sha1) const {
  const auto found = by_sha1_.find(sha1);
  return found == by_sha1_.end() ? nullptr : &found->second;
}

sim::Result<CountedRun> count_run(const model::Setup& setup, const sim::Trail& trail,
                                  const CountOptions& how) {
  HitCounter counter;
  auto told = properties::tell(setup, trail, {.to = how.decisions_max, .overseer = &counter});
  if (told.divergence && !how.lenient)
    return sim::Problem{fmt::format("the run leaves the trail: {}", *told.divergence)};
  auto counted = counted_scripts(setup, counter, how.unrun);
  const bool cut = how.decisions_max && told.steps >= *how.decisions_max && !told.at_rest;
  counted.title = setup.name + (cut ? fmt::format("\nthe first {} decisions of a run", told.steps)
                                    : fmt::format("\none run of {} decisions", told.steps));
  if (told.divergence) counted.title += fmt::format("\nleaves the trail: {}", *told.divergence);
  mark_violation(counted, told.trace);
  return CountedRun{std::move(counted), told.steps, std::move(told.trace)};
}

CountedSearch count_search(const model::Setup& setup, std::uint64_t states_max, const CountOptions& how) {
  bool with_now = false;
  (void)search_counting(setup, states_max, false, nullptr, with_now);
  HitCounter counter;
  bool ignored = false;
  const auto outcome = search_counting(setup, states_max, with_now, &counter, ignored);
  CountedSearch done{counted_scripts(setup, counter, how.unrun), outcome.states, outcome.transitions,
                     outcome.complete()};
  done.counted.title =
      fmt::format("{}\n{} transitions between {} states{}", setup.name, reports::grouped(outcome.transitions),
                  reports::grouped(outcome.states), done.complete ? "" : ", search cut at the limit");
  if (outcome.violations.empty()) return done;
  HitCounter lays_out;  // so that the trace names lines of the layout
  const auto& first = outcome.violations.front();
  sim::Trail trail = properties::trail_header(
      setup, properties::name_of(static_cast<properties::Property>(first.property), setup), "");
  const Checked names(setup);
  properties::MadeMoves whole = properties::prefix_of(setup).moves;
  whole.insert(whole.end(), first.trail.begin(), first.trail.end());
  for (const auto& decision : whole)
    trail.lines.push_back({.step = trail.lines.size() + 1, .choice = {}, .move = names.show(decision.move)});
  mark_violation(done.counted, properties::tell(setup, trail, {.overseer = &lays_out}).trace);
  return done;
}

reports::CountedScript counted_script(const lua::Script& script, const HitCounter& counter) {
  return counted_lines(script, counter.find(script.sha1));
}

sim::Result<CountedPair> count_pair(const model::Setup& a, const model::Setup& b, const sim::Trail* trail,
                                    std::uint64_t states_max) {
  CountedPair both;
  std::uint64_t decisions_of_first = 0;
  std::vector<reports::CountedScripts> sides;
  for (const model::Setup* setup : {&a, &b}) {
    if (trail != nullptr) {
      CountOptions how{.unrun = true, .lenient = setup == &b};
      if (setup == &b) how.decisions_max = 10 * decisions_of_first + 1'000;  // it may go on for ever
      auto run = count_run(*setup, *trail, how);
      if (!run) return run.problem();
      decisions_of_first = run->decisions;
      sides.push_back(std::move(run->counted));
    } else {
      CountedSearch search = count_search(*setup, states_max, {.unrun = true});
      both.complete &= search.complete;
      sides.push_back(std::move(search.counted));
    }
  }
  both.scripts = reports::paired(sides[0], sides[1]);
  return both;
}

}  // namespace lockstep::tools
