#include "properties/check/check.h"

#include <bit>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "properties/check/check_behind.h"
#include "properties/check/prefix.h"
#include "properties/check/searching.h"
#include "properties/monitors/all_properties.h"
#include "sim/base/amount.h"
#include "sim/run/intervals.h"
#include "sim/run/pct.h"
#include "sim/run/replay.h"
#include "sim/run/shrink.h"
#include "sim/run/uniform.h"
#include "sim/run/weighted.h"

namespace lockstep::properties {

namespace {

using Decisions = std::vector<sim::Decision<Checked::Move>>;

/// A decision costs more the more threads there are to look at.
std::uint64_t usual_sampled_steps(const Setup& setup) {
  constexpr std::uint64_t most = 1'000'000, thread_steps = 100'000'000;
  return std::min(most, thread_steps / std::max<std::uint64_t>(1, setup.threads.size()));
}

/// One check at work: what is decided so far, and what is not.
class CheckRun {
 public:
  CheckRun(const Setup& setup, const CheckOptions& options, const MadeMoves& made)
      : setup_(setup), options_(options), made_(made), named_by_caller_(options.watched != all_usual) {
    setup_.reductions = options.reductions;
    options_.watched = watched_in(setup, options.watched);
    for (const PropertyInfo& one : all_properties(setup)) {
      if ((options_.watched & bit(one.property)) == 0 || !applies(one.property)) continue;
      report_.results.push_back({.property = one.property, .why = "nothing was run"});
      asked_ |= bit(one.property);
    }
    undecided_ = asked_;
    report_.bounds = bounds_of(setup);
    report_.within = within_of(setup);
    if (!made.empty())
      report_.within.push_back(
          fmt::format("only what may follow {} that were given", sim::amount(made.size(), "move")));
    if (!setup.predicates.empty() && options.symmetry) report_.symmetry_off = "a property of the scenario";
    report_.cut_after = options.steps_max.value_or(usual_steps_max(setup));
  }

  CheckReport run() && {
    const bool wide = setup_.threads.size() > options_.search_threads_max;
    const bool may_search =
        options_.strategy == Strategy::search || (options_.strategy == Strategy::search_then_sample && !wide);
    if (may_search) search();
    if (options_.strategy != Strategy::search && undecided_ != 0 && !stopped()) sample();
    report_.interrupted = interrupted();
    report_.time_was_up = !report_.interrupted && stopped() && undecided_ != 0;
    for (PropertyResult& result : report_.results) conclude(result);
    for (std::size_t f = 0; f < setup_.fixed.size() && f < fixed_faults_seen_max; ++f)
      if ((report_.witnesses & fixed_fault_bit(f)) == 0)
        report_.within.push_back(fmt::format("the fixed fault `{}` never happened", setup_.fixed[f].text));
    if (setup_.fixed.size() > fixed_faults_seen_max)
      report_.within.push_back(fmt::format("whether fixed faults behind the first {} happened was not noted",
                                           fixed_faults_seen_max));
    return std::move(report_);
  }

 private:
  /// Properties that a scenario says nothing for are not asked, unless somebody names them: that their
  /// premise does not occur is an answer, too.
  bool applies(Property property) const {
    const bool named = named_by_caller_ || setup_.expect.contains(std::string(info(property, setup_).name));
    return named || concerns(property, setup_);
  }

  static bool says_yes(const std::function<bool()>& asked) { return asked && asked(); }
  bool interrupted() const { return says_yes(options_.outside.interrupted); }
  bool stopped() const { return interrupted() || says_yes(options_.outside.time_is_up); }
  bool search_is_stopped() const {
    return stopped() || (options_.strategy == Strategy::search_then_sample &&
                         says_yes(options_.outside.search_time_is_up));
  }

  void tell_progress(const sim::SearchProgress& search) {
    if (!options_.outside.on_progress) return;
    sim::PropertyMask broken = search.violated;
    for (const PropertyResult& result : report_.results)
      if (result.verdict == Verdict::violated) broken |= bit(result.property);
    options_.outside.on_progress(
        {search, report_.runs, report_.searched ? options_.runs : 0, asked_, broken & asked_});
  }

  PropertyResult* result_of(Property property) {
    for (PropertyResult& result : report_.results)
      if (result.property == property) return &result;
    return nullptr;
  }

  /// Begins again if the search turns out to rest on what is not so: that nothing depends on what time it
  /// is, or on what interchangeable actors are called; or if there are too many of those to tell.
  void search() {
    Checked::Options how{.watched = options_.watched,
                         .watch_names = options_.symmetry,
                         .workers = std::max<std::size_t>(options_.workers, 1)};
    for (;;) {
      Checked system(setup_, how);
      begin(system);
      const sim::Outcome<Checked> outcome = explore(system, how.watch_names);
      if (!system.must_begin_again()) return take(system, outcome);
      if (system.has_too_many_names() && how.workers > 1) {
        how.workers = 1;  // one alone may have time enough
        continue;
      }
      how.with_now = report_.with_now = how.with_now || system.needs_now();
      if (const auto culprit = system.looks_into_names()) report_.symmetry_off = culprit;
      if (const auto many = system.has_too_many_names()) {
        how.alike_max = half_of_largest(system.classes());
        if (how.alike_max < 2) report_.symmetry_off = "nobody asked often enough whether " + *many;
      }
      how.watch_names = how.watch_names && !report_.symmetry_off;
    }
  }

  /// Where the moves that were made lead to.
  void begin(Checked& system) { report_.witnesses |= begin_behind(system, made_); }

  static std::size_t half_of_largest(const sim::ActorClasses& classes) {
    std::size_t largest = 0;
    const auto consider = [&](const std::vector<sim::ActorClass>& all) {
      for (const sim::ActorClass& members : all) largest = std::max(largest, members.size());
    };
    consider(classes.outer);
    for (const auto& groups : classes.inner) consider(groups);
    return largest > 2 ? (largest + 1) / 2 : largest / 2;
  }

  sim::Outcome<Checked> explore(Checked& system, bool symmetry) {
    sim::SearchOptions<Checked> how;
    how.limits = {.states_max = options_.states_max,
                  .depth_max = options_.depth_max,
                  .memory_bytes_max = options_.memory_bytes_max,
                  .stop = [&] { return search_is_stopped(); },
                  .memory_held = options_.outside.memory_held};
    how.on_progress = [&](const sim::SearchProgress& progress) { tell_progress(progress); };
    how.key = options_.exact ? sim::StateKey::exact : sim::StateKey::digest;
    how.symmetry = symmetry;
    how.zeno = (options_.watched & bit(Property::no_zeno)) != 0;
    how.endings = (options_.watched & bit(Property::calls_return)) != 0 && !setup_.horizon;
    // When everything that was asked is broken, there is nothing left to decide.
    how.enough = [asked = undecided_](sim::PropertyMask broken, sim::WitnessMask) {
      return (asked & ~broken) == 0;
    };
    sim::Encoder size;
    system.encode_state(system.initial(), size);
    how.state_bytes = 2 * size.bytes().size() + sizeof(Checked::State);
    sim::Digest graph;
    sim::Outcome<Checked> outcome =
        properties::search(system, std::move(how), Memory::used, options_.graph ? &graph : nullptr);
    if (options_.graph) graph_ = graph;
    return outcome;
  }

  void take(Checked& system, const sim::Outcome<Checked>& outcome) {
    report_.refusal = system.refusal();
    report_.searched = true;
    report_.ended = outcome.ended;
    // Without a bound on late messages there is no end to what the network may do.
    const bool unbounded = setup_.network.kind == model::NetworkKind::any && setup_.network.held_max == 0;
    report_.complete = outcome.complete() && !unbounded;
    if (report_.complete) report_.graph = graph_;
    note_sent(system);
    report_.states = outcome.states;
    report_.transitions = outcome.transitions;
    report_.depth = outcome.depth;
    report_.symmetry = outcome.symmetry && !system.classes().none();
    report_.witnesses |= outcome.witnesses;
    for (const auto& broken : outcome.violations) {
      const auto property = static_cast<Property>(broken.property);
      violated(system, property, shrunk(system, property, broken.trail));
    }
    if (outcome.zeno) {
      Decisions trail = outcome.zeno->stem;
      trail.insert(trail.end(), outcome.zeno->cycle.begin(), outcome.zeno->cycle.end());
      violated(system, Property::no_zeno, trail);
    }
    if (outcome.dead_end) violated(system, Property::calls_return, played_on(system, *outcome.dead_end));
    report_.met_horizon = system.met_horizon();
    if (report_.complete) undecided_ = 0;
  }

  /// The run to a dead end, and on by default until everybody waits for good: there one sees for what.
  Decisions played_on(Checked& system, Decisions trail) {
    Checked::State state = system.initial();
    for (const auto& decision : trail) system.apply(state, decision.move);
    sim::DefaultSchedule<Checked> policy;
    const auto on = sim::run(system, std::move(state), policy, {.stop_at = 0, .unwatched = 0});
    trail.insert(trail.end(), on.trail.begin(), on.trail.end());
    return trail;
  }

  Decisions shrunk(Checked& system, Property property, const Decisions& trail) {
    if (!options_.shrink || !made_.empty()) return trail;  // less might not begin so
    const auto result =
        sim::shrink(system, trail, bit(property), {.stop = options_.outside.interrupted},
                    options_.shrink_runs);
    return result ? result->run.trail : trail;
  }

  void violated(const Checked& system, Property property, const Decisions& decisions) {
    undecided_ &= ~bit(property);
    PropertyResult* result = result_of(property);
    if (result == nullptr) return;
    result->verdict = Verdict::violated;
    result->trail = trail_header(setup_, name_of(property, setup_), "violated");
    result->deviations = result->trail;
    Decisions whole = made_;
    whole.insert(whole.end(), decisions.begin(), decisions.end());
    sim::record_all<Checked>(system, whole, *result->trail);
    sim::record_deviations<Checked>(system, whole, *result->deviations);
  }

  void sample() {
    Checked system(setup_, {.watched = options_.watched, .watch_instants = false});
    begin(system);
    sim::Random seeds(options_.seed);
    const std::uint64_t steps_max = options_.sampled_steps_max.value_or(usual_sampled_steps(setup_));
    while (report_.runs < options_.runs && report_.steps < steps_max && undecided_ != 0) {
      if (stopped()) return;
      sample_once(system, seeds.split());
      tell_progress({.states = report_.states, .transitions = report_.transitions, .depth = report_.depth});
    }
    note_sent(system);
  }

  void note_sent(const Checked& system) {
    for (std::size_t kind = 0; kind < setup_.kinds.size(); ++kind)
      for (std::size_t role = 0; role < setup_.kinds[kind]->roles.size(); ++role) {
        if ((system.sent()[kind] >> role & 1) == 0) continue;
        for (const lua::ScriptSet* set : setup_.script_sets())
          if (const lua::Script* script = model::script_for(setup_.kinds[kind]->roles[role], *set))
            report_.sent.insert(script->role);
      }
  }

  void sample_once(Checked& system, sim::Random random) {
    sim::Uniform<Checked> uniform(random);
    sim::Weighted<Checked> weighted(random);
    sim::Pct<Checked> pct(random, {});
    sim::Policy<Checked>* policy = &weighted;
    if (options_.strategy == Strategy::pct) policy = &pct;
    else if (report_.runs % 2 == 1) policy = &uniform;
    // Three runs of four draw instants from intervals; the others take their ends, the grain and ties.
    sim::InIntervals<Checked> drawn(random.split(), *policy);
    if (report_.runs / 2 % 4 != 3) policy = &drawn;
    // Whether a state comes back is dear to say where there are many threads, whose usual runs are long.
    const std::size_t unwatched = std::max<std::size_t>(sim::RunLimits{}.unwatched, report_.cut_after / 10);
    const sim::RunLimits limits{.steps_max = report_.cut_after,
                                .stop_at = undecided_,
                                .unwatched = unwatched,
                                .stop = [&] { return stopped(); }};
    const auto run = sim::run(system, system.initial(), *policy, limits);
    if (run.violations.empty() && run.end == sim::End::stopped && stopped()) return;
    if (system.refusal()) report_.refusal = system.refusal();
    ++report_.runs;
    report_.steps += run.trail.size();
    report_.witnesses |= run.witnesses;
    if (run.end == sim::End::zeno && (undecided_ & bit(Property::no_zeno)) != 0)
      violated(system, Property::no_zeno, run.trail);
    judge_ending(system, run);
    for (const sim::FirstViolation& broken : run.violations) {
      const auto property = static_cast<Property>(broken.property);
      if ((undecided_ & bit(property)) != 0) violated(system, property, shrunk(system, property, run.trail));
    }
  }

  /// A run that ends while programs are left is looked at closely: can they still end?
  void judge_ending(Checked& system, const sim::Run<Checked>& run) {
    constexpr std::size_t looked_at_max = 20'000;
    if (run.end == sim::End::violated || run.end == sim::End::zeno || system.finished(run.last)) return;
    report_.met_horizon = report_.met_horizon || system.met_horizon();
    if (run.end == sim::End::steps_max) {
      ++report_.cut;
      return;
    }
    if ((undecided_ & bit(Property::calls_return)) == 0 || setup_.horizon) return;
    const auto ends = sim::can_end(system, run.last, looked_at_max);
    if (ends == false) violated(system, Property::calls_return, played_on(system, run.trail));
    else ++report_.cut;
  }

  void conclude(PropertyResult& result) {
    if (result.verdict == Verdict::violated) {
      result.why = why_broken(result);
      return;
    }
    result.vacuous = (report_.witnesses & properties::bit(info(result.property, setup_).premise)) == 0;
    result.why.clear();
    result.verdict = Verdict::unknown;
    if (report_.met_horizon && info(result.property, setup_).liveness)
      result.why = fmt::format("what happens beyond the horizon of {} ms was not looked at",
                               setup_.horizon->count());
    else if (report_.complete) result.verdict = Verdict::proved;
    else if (report_.runs == 0) result.why = limit_text();
    else if (report_.cut == report_.runs)
      result.why =
          fmt::format("{}every sampled run was cut off after {}", report_.searched ? limit_text() + "; " : "",
                      sim::amount(report_.cut_after, "move"));
    else if (samples_are_all_that_was_asked(result.property)) result.verdict = Verdict::passed;
    else
      result.why =
          fmt::format("{}; no violation in {}", limit_text(), sim::amount(report_.runs, "sampled run"));
  }

  /// A limit does not turn into a success by itself.
  bool samples_are_all_that_was_asked(Property property) const {
    if (report_.interrupted) return false;
    if (expected_of(setup_, property) == model::Expected::passed) return true;
    return !report_.searched && !report_.time_was_up;
  }

  std::string why_broken(const PropertyResult& result) const {
    const Told told = tell(setup_, *result.trail);
    for (const sim::TraceEvent& event : told.trace.events)
      if (event.kind == sim::TraceKind::prop && event.name == info(result.property, setup_).name)
        return event.why;
    return "";
  }

  std::string limit_text() const {
    if (report_.interrupted) return "interrupted";
    if (report_.time_was_up && !report_.searched) return "the time was up";
    if (!report_.searched) return "nothing was run";
    switch (report_.ended) {
      case sim::SearchEnd::states:
        return fmt::format("there are more than {}", sim::amount(options_.states_max, "state"));
      case sim::SearchEnd::depth:
        return fmt::format("there is more beyond {}", sim::amount(options_.depth_max, "move"));
      case sim::SearchEnd::memory:
        return fmt::format("the search needs more memory than {}",
                           sim::amount_of_bytes(options_.memory_bytes_max));
      case sim::SearchEnd::stopped:
        return "the time was up";
      case sim::SearchEnd::complete:
        return "without held_max there is no end to what the network may do";
      case sim::SearchEnd::decided:
        break;
    }
    return "the network may delay any number of messages (set held_max)";
  }

  Setup setup_;
  CheckOptions options_;
  const MadeMoves& made_;
  bool named_by_caller_;  // what is watched
  CheckReport report_;
  sim::PropertyMask asked_ = 0, undecided_ = 0;
  std::optional<sim::Digest> graph_;  // of the search that was made last
};

}  // namespace

std::uint64_t usual_steps_max(const Setup& setup) {
  constexpr std::uint64_t for_each_step = 200, least = 20'000;
  std::uint64_t steps = 0;
  for (const model::ThreadSetup& thread : setup.threads) {
    std::vector<std::uint64_t> rounds{1};
    for (const model::Step& step : thread.program) {
      if (step.kind == model::StepKind::repeat) rounds.push_back(rounds.back() * step.count);
      else if (step.kind == model::StepKind::again) rounds.pop_back();
      else steps += rounds.back();
    }
  }
  return std::max(least, steps * for_each_step);
}

model::Expected expected_of(const Setup& setup, Property property) {
  const auto said = setup.expect.find(name_of(property, setup));
  return said == setup.expect.end() ? model::Expected::holds : said->second;
}

sim::Trail trail_header(const Setup& setup, std::string property, std::string verdict) {
  sim::Trail trail{.scenario = setup.name,
                   .scenario_digest = setup.digest,
                   .scripts = setup.scripts.name,
                   .property = std::move(property),
                   .verdict = std::move(verdict),
                   .lines = {},
                   .then = {}};
  const auto add = [&](const std::string& whose, const lua::ScriptSet& set) {
    for (const auto& [role, script] : set.roles)
      trail.used.push_back({whose + role, script.sha1, sim::fits_in_trail(script.file) ? script.file : ""});
  };
  add("", setup.scripts);
  for (const model::ProcessSetup& process : setup.processes)
    if (process.own && process.own->scripts.name != setup.scripts.name &&
        process.name.find(' ') == std::string::npos)
      add(process.name + ":", process.own->scripts);
  std::sort(trail.used.begin(), trail.used.end(),
            [](const auto& one, const auto& other) { return one.role < other.role; });
  return trail;
}

CheckReport check(const Setup& setup, const CheckOptions& options) {
  const Prefix prefix = prefix_of(setup);
  if (!prefix.misfit) return check_behind(setup, options, prefix.moves);
  CheckReport report;
  report.refusal = fmt::format("its prefix does not fit: `{}`: {}", setup.prefix[prefix.misfit->line],
                               prefix.misfit->why);
  return report;
}

CheckReport check_behind(const Setup& setup, const CheckOptions& options, const MadeMoves& made) {
  return CheckRun(setup, options, made).run();
}

}  // namespace lockstep::properties
