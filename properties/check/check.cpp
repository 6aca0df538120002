#include "properties/check/check.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "properties/check/boxes.h"
#include "properties/check/broken_run.h"
#include "properties/check/check_behind.h"
#include "properties/check/coming_round.h"
#include "properties/check/conclusion.h"
#include "properties/check/few_preemptions.h"
#include "properties/check/going_round.h"
#include "properties/check/kept.h"
#include "properties/check/prefix.h"
#include "properties/check/reduced.h"
#include "properties/check/sampling.h"
#include "properties/check/searching.h"
#include "properties/monitors/all_properties.h"
#include "sim/search/ranks.h"

namespace lockstep::properties {

namespace {

/// A decision costs more the more threads there are to look at.
std::uint64_t usual_sampled_steps(const Setup& setup) {
  constexpr std::uint64_t most = 1'000'000, thread_steps = 100'000'000;
  return std::min(most, thread_steps / std::max<std::uint64_t>(1, setup.threads.size()));
}

/// One check at work: what is decided so far, and what is not.
class CheckRun {
 public:
  CheckRun(const Setup& setup, const CheckOptions& options, const MadeMoves& made)
      : asked_setup_(reduced(setup, options.reductions)),
        setup_(on_lattice(asked_setup_, made)),
        options_(options),
        made_(made),
        report_(asked_report(setup, options, made.size())) {
    options_.watched = watched_in(setup, options.watched);
    undecided_ = asked_ = asked_in(report_);
  }

  CheckReport run() && {
    const bool wide = setup_.threads.size() > options_.search_threads_max;
    if (only_searches() || (options_.strategy == Strategy::search_then_sample && !wide)) search();
    const bool first = options_.ranks == nullptr || options_.ranks->mine() == 0;
    if (first && !only_searches() && undecided_ != 0 && !stopped() && !report_.refusal) sample();
    report_.interrupted = interrupted();
    report_.time_was_up = !report_.interrupted && stopped() && undecided_ != 0;
    conclude(asked_setup_, options_, report_);
    return std::move(report_);
  }

 private:
  static Setup reduced(Setup setup, const model::Reductions& reductions) {
    setup.reductions = reductions;
    return setup;
  }

  /// Samples know no bound of preemptions.
  bool only_searches() const {
    return options_.strategy == Strategy::search || options_.strategy == Strategy::search_deep ||
           options_.preemptions_max;
  }
  static bool says_yes(const std::function<bool()>& asked) { return asked && asked(); }
  bool interrupted() const { return says_yes(options_.outside.interrupted); }
  bool stopped() const { return interrupted() || says_yes(options_.outside.time_is_up); }
  bool search_is_stopped() const {
    return stopped() || (!only_searches() && says_yes(options_.outside.search_time_is_up));
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
  /// is, or on what interchangeable actors are called, or that it stops wherever it must; or if there are
  /// too many of those actors to tell.
  void search() {
    Checked::Options how{.watched = options_.watched,
                         .watch_names = options_.symmetry,
                         .reduce = may_reduce(),
                         .workers = std::max<std::size_t>(options_.workers, 1)};
    if (options_.ranks != nullptr) how.workers = options_.ranks->count();
    std::shared_ptr<KeptSearch> kept = options_.begin;
    if (kept) begin_as(*kept, how);
    for (;;) {
      Checked system(setup_, how);
      begin(system);
      MetSoFar so_far;
      sim::Outcome<Checked> outcome = explore(system, how.watch_names, kept.get(), so_far);
      if (!system.must_begin_again()) {
        keep(system, outcome, std::move(so_far), how);
        return take(system, outcome);
      }
      const bool went_on = kept != nullptr;
      kept = nullptr;
      if (const auto missed = system.missed_instant()) {
        setup_ = on_finer_lattice(setup_, *missed);
        continue;
      }
      if (system.has_too_many_names() && (how.workers > 1 || went_on)) {
        how.workers = 1;  // one alone, and from the start, may have time enough
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

  bool may_reduce() {
    if (!options_.reduce || options_.graph || options_.preemptions_max) return false;
    report_.reduction_off = not_reduced(setup_, options_.watched);
    return !report_.reduction_off;
  }

  void begin_as(const KeptSearch& kept, Checked::Options& how) {
    how.with_now = report_.with_now = kept.with_now;
    how.watch_names = kept.watch_names;
    how.alike_max = kept.alike_max;
    report_.symmetry_off = kept.symmetry_off;
  }

  void keep(const Checked& system, sim::Outcome<Checked>& outcome, MetSoFar so_far,
            const Checked::Options& how) const {
    if (!outcome.learned || system.refusal()) return;
    options_.outside.keep({.learned = std::move(*std::exchange(outcome.learned, nullptr)),
                           .met = std::move(so_far.met),
                           .with_now = how.with_now,
                           .watch_names = how.watch_names,
                           .alike_max = how.alike_max,
                           .symmetry_off = report_.symmetry_off});
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

  sim::Outcome<Checked> explore(Checked& system, bool symmetry, KeptSearch* kept, MetSoFar& so_far) {
    sim::SearchOptions<Checked> how;
    if (options_.strategy == Strategy::search_deep) how.order = sim::SearchOrder::depth_first;
    how.keep = options_.outside.keep != nullptr;
    if (kept != nullptr) {
      how.begin = &kept->learned;
      so_far = {.goes_on = true, .met = kept->met};
    }
    const bool accounts = how.keep || kept != nullptr;
    how.limits = {.states_max = options_.states_max,
                  .depth_max = options_.depth_max,
                  .memory_bytes_max = options_.memory_bytes_max,
                  .stop = [&] { return search_is_stopped(); },
                  .memory_held = options_.outside.memory_held};
    how.on_progress = [&](const sim::SearchProgress& progress) { tell_progress(progress); };
    how.key = options_.exact ? sim::StateKey::exact : sim::StateKey::digest;
    how.symmetry = symmetry;
    how.zeno = (options_.watched & bit(Property::no_zeno)) != 0;
    how.endings = (options_.watched & bit(Property::calls_return)) != 0 && !setup_.horizon &&
                  !goes_round_for_ever(setup_) && !options_.preemptions_max;
    // When everything that was asked is broken, there is nothing left to decide.
    how.enough = [asked = undecided_](sim::PropertyMask broken, sim::WitnessMask) {
      return (asked & ~broken) == 0;
    };
    sim::Encoder size;
    system.encode_state(system.initial(), size);
    how.state_bytes = 2 * size.bytes().size() + sizeof(Checked::State);
    if (options_.preemptions_max)
      return search_with_few_preemptions(system, std::move(how), *options_.preemptions_max);
    const bool by_ranks = options_.ranks != nullptr && system.options().workers > 1;
    if (by_ranks) return search_by(*options_.ranks, system, std::move(how));
    sim::Digest graph;
    sim::Outcome<Checked> outcome =
        properties::search(system, std::move(how), options_.memo ? Memories::usual : Memories::none,
                           options_.graph ? &graph : nullptr, accounts ? &so_far : nullptr);
    if (options_.graph) graph_ = graph;
    return outcome;
  }

  void take(Checked& system, const sim::Outcome<Checked>& outcome) {
    report_.refusal = system.refusal();
    if (outcome.misfit) report_.refusal = "what was kept of an earlier search does not fit this scenario";
    report_.searched = true;
    report_.deep = options_.strategy == Strategy::search_deep;
    report_.ended = outcome.ended;
    // Without a bound on late messages there is no end to what the network may do.
    const bool unbounded = setup_.network.kind == model::NetworkKind::any && setup_.network.held_max == 0;
    report_.complete = outcome.complete() && !unbounded && !options_.preemptions_max;
    if (options_.preemptions_max && outcome.complete() && !unbounded)
      report_.boxes = {bounds_of(asked_setup_) + preemptions_text(*options_.preemptions_max)};
    if (report_.complete) report_.graph = graph_;
    report_.sent = roles_sent(system, setup_);
    report_.states = outcome.states;
    report_.transitions = outcome.transitions;
    report_.depth = outcome.depth;
    report_.reduced = system.options().reduce;
    report_.lattice = setup_.lattice;
    report_.symmetry = outcome.symmetry && !system.classes().none();
    report_.witnesses |= outcome.witnesses;
    for (const auto& broken : outcome.violations) is_violated(static_cast<Property>(broken.property));
    if (outcome.zeno) is_violated(Property::no_zeno);
    if (outcome.dead_end) is_violated(Property::calls_return);
    report_.met_horizon = system.met_horizon();
    report_.drift = system.drift();
    if (report_.complete && goes_round_for_ever(setup_)) look_at_rounds();
    if (report_.complete && !setup_.horizon) look_for_cycles();
    if (report_.complete) undecided_ = 0;
    tell(system, outcome);
  }

  /// Last, for to make a story small may take what is left of the time.
  void tell(Checked& system, const sim::Outcome<Checked>& outcome) {
    for (const auto& broken : outcome.violations) {
      const auto property = static_cast<Property>(broken.property);
      violated(system, property, made_small(system, property, broken.trail));
    }
    if (outcome.zeno) {
      Decisions trail = outcome.zeno->stem;
      trail.insert(trail.end(), outcome.zeno->cycle.begin(), outcome.zeno->cycle.end());
      violated(system, Property::no_zeno, made_small(system, Property::no_zeno, trail));
    }
    if (outcome.dead_end) {
      const Decisions small = made_small(system, Property::calls_return, *outcome.dead_end);
      violated(system, Property::calls_return, played_on(system, small));
    }
  }

  /// Of a graph in which all actors are told apart. Those who are interchangeable make it larger, so a small
  /// number of states is no limit to it.
  sim::SearchLimits whole_graph_limits() const {
    constexpr std::uint64_t states_least = 200'000;
    return {.states_max = std::max({states_least, options_.states_max, report_.states}),
            .memory_bytes_max = options_.memory_bytes_max,
            .stop = [this] { return search_is_stopped(); },
            .memory_held = options_.outside.memory_held};
  }

  /// Where programs have no end, whether calls return is asked of a graph of its own.
  void look_at_rounds() {
    PropertyResult* result = result_of(Property::calls_return);
    if (result == nullptr || setup_.horizon) return;
    const ComingRound found =
        look_for_stuck_rounds(setup_, report_.with_now, made_, whole_graph_limits());
    report_.rounds_open = found.why_open;
    if (!found.why_open.empty()) return;
    if (!found.stuck) {
      result->verdict = Verdict::proved;
      return;
    }
    Checked aside(setup_, {.watched = options_.watched, .with_now = report_.with_now});
    begin_behind(aside, made_);
    violated(aside, Property::calls_return, played_on(aside, *found.stuck));
  }

  /// What may never come though everybody goes on is asked of a graph of its own.
  void look_for_cycles() {
    sim::PropertyMask asked = 0;
    for (const PropertyResult& result : report_.results)
      if (result.verdict != Verdict::violated && asks_for_cycles(result.property, setup_))
        asked |= bit(result.property);
    if (asked == 0) return;
    const GoingRound round(setup_, asked, report_.with_now, made_, whole_graph_limits());
    report_.cycles_open = round.why_open();
    if (!round.complete()) return;
    Checked aside(setup_, {.watched = options_.watched, .with_now = report_.with_now});
    begin_behind(aside, made_);
    for (PropertyResult& result : report_.results) {
      if ((asked & bit(result.property)) == 0) continue;
      if (const auto run = round.broken(result.property))
        violated(aside, result.property, lap_made_small(result.property, *run));
      else result.verdict = Verdict::proved;
    }
  }

  /// Of runs that break a property the search meets one of the shortest first.
  bool finds_the_shortest() const {
    return options_.strategy != Strategy::search_deep && !options_.preemptions_max && !report_.reduced;
  }

  Decisions made_small(Checked& system, Property property, const Decisions& trail) {
    if (!options_.shrink || !made_.empty()) return trail;  // less might not begin so
    const bool is_shortest = finds_the_shortest();
    if (!asked_setup_.exact) return shrunk(system, options_, property, trail, is_shortest);
    Checked aside(asked_setup_, {.watched = options_.watched, .watch_instants = false});
    return shrunk(aside, options_, property, in_parts(asked_setup_, trail), is_shortest);
  }

  /// Laps are always looked for breadth first.
  Decisions lap_made_small(Property property, const Decisions& trail) const {
    if (!options_.shrink || !made_.empty() || asked_setup_.exact) return trail;
    const Checked aside(asked_setup_, {.watched = options_.watched, .watch_instants = false});
    return shrunk(aside, options_, property, trail, true);
  }

  PropertyResult* is_violated(Property property) {
    undecided_ &= ~bit(property);
    PropertyResult* result = result_of(property);
    if (result != nullptr) result->verdict = Verdict::violated;
    return result;
  }

  void violated(const Checked& system, Property property, const Decisions& decisions) {
    PropertyResult* result = is_violated(property);
    if (result == nullptr) return;
    RecordedRun run = recorded(system, asked_setup_, made_, property, decisions);
    result->trail = std::move(run.trail);
    result->deviations = std::move(run.deviations);
  }

  void sample() {
    const Sampling what{.setup = asked_setup_,
                        .options = options_,
                        .made = made_,
                        .asked = undecided_,
                        .steps_max = options_.sampled_steps_max.value_or(usual_sampled_steps(setup_)),
                        .cut_after = report_.cut_after,
                        .on_run = [this](const SampledPart& part) { tell_sampled(part); }};
    if (add_parts({sampled(what, Shard{})}, undecided_, report_)) undecided_ = 0;
  }

  void tell_sampled(const SampledPart& part) {
    if (!options_.outside.on_progress) return;
    sim::PropertyMask broken = asked_ & ~undecided_;
    for (const FirstBroken& one : part.broken) broken |= bit(one.property);
    const sim::SearchProgress search{
        .states = report_.states, .transitions = report_.transitions, .depth = report_.depth};
    options_.outside.on_progress({search, part.runs, options_.runs, asked_, broken & asked_});
  }

  const Setup asked_setup_;
  Setup setup_;  // what is searched for it (lattice.h)
  CheckOptions options_;
  const MadeMoves& made_;
  CheckReport report_;
  sim::PropertyMask asked_ = 0, undecided_ = 0;
  std::optional<sim::Digest> graph_;  // of the search that was made last
};

}  // namespace

model::Expected expected_of(const Setup& setup, Property property) {
  const auto said = setup.expect.find(name_of(property, setup));
  return said == setup.expect.end() ? model::Expected::holds : said->second;
}

sim::Trail trail_header(const Setup& setup, std::string property, std::string verdict) {
  sim::Trail trail{.scenario = setup.name,
                   .scenario_file = sim::fits_in_trail(setup.file) ? setup.file : "",
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
  CheckReport report;
  report.refusal = why_misfit(setup, prefix);
  return report.refusal ? report : check_behind(setup, options, prefix.moves);
}

CheckReport check_behind(const Setup& setup, const CheckOptions& options, const MadeMoves& made) {
  return options.boxes ? check_in_boxes(setup, options, made) : CheckRun(setup, options, made).run();
}

}  // namespace lockstep::properties
