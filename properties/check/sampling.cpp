#include "properties/check/sampling.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "properties/check/broken_run.h"
#include "properties/check/check_behind.h"
#include "properties/check/coming_round.h"
#include "properties/check/conclusion.h"
#include "properties/check/going_round.h"
#include "properties/check/prefix.h"
#include "properties/check/walking.h"
#include "properties/monitors/all_properties.h"

namespace lockstep::properties {

namespace {

class Sampler {
 public:
  Sampler(const Sampling& what, Shard shard)
      : what_(what),
        undecided_(what.asked),
        sampled_(stopping_at_times(what.setup)),
        walker_(sampled_, what.options, what.made, what.cut_after, what.graphs),
        random_(what.options.seed) {
    part_.shard = shard;
    part_.thought_steps = walker_.thought_steps();
    note_witnesses(walker_.made_witnesses(), 0);
  }

  SampledPart run() && {
    for (number_ = 0; number_ < what_.options.runs && part_.steps < what_.steps_max; ++number_) {
      sim::Random random = random_.split();
      if (!part_.shard.has(number_)) continue;
      if (undecided_ == 0 || stopped()) break;
      once(random);
      if (what_.on_run) what_.on_run(part_);
    }
    part_.seen = walker_.seen();
    part_.steps_known = walker_.steps_known();
    part_.interrupted = says_yes(what_.options.outside.interrupted);
    part_.time_was_up = !part_.interrupted && stopped() && undecided_ != 0;
    return std::move(part_);
  }

 private:
  /// If every millisecond is asked for: faults come at all points of the usual grain.
  static Setup stopping_at_times(Setup setup) {
    if (setup.exact) setup.lattice = model::Lattice{.spacing = setup.grain};
    return setup;
  }
  Checked::Options how() const { return {.watched = what_.options.watched, .watch_instants = false}; }
  static bool says_yes(const std::function<bool()>& asked) { return asked && asked(); }
  bool stopped() const {
    return says_yes(what_.options.outside.interrupted) || says_yes(what_.options.outside.time_is_up);
  }
  bool is_open(Property property) const { return (undecided_ & bit(property)) != 0; }

  void note_witnesses(sim::WitnessMask witnesses, std::uint64_t run) {
    for (unsigned w = 0; w < 64; ++w)
      if ((witnesses >> w & 1) != 0) part_.witnesses.try_emplace(w, run);
  }

  void once(sim::Random random) {
    const Walked run = walker_.walked(number_, random);
    if (run.violations.empty() && run.end == sim::End::stopped && stopped()) return;
    if (!part_.refusal) part_.refusal = walker_.refusal();
    ++part_.runs;
    part_.steps += run.trail.size();
    SampledBy& by = part_.by[std::string(name_of(run.walk))];
    ++by.runs;
    if (comes_to_no_end(run)) ++by.cut;
    if (comes_to_no_end(run) && run.end == sim::End::steps_max) ++part_.cut_at_limit;
    if (run.settled) ++by.settled;
    by.longest = std::max<std::uint64_t>(by.longest, run.trail.size());
    by.actors = std::max(by.actors, run.actors);
    by.one_move_each = by.one_move_each && run.one_move_each;
    note_witnesses(run.witnesses, number_);
    for (const std::string& role : walker_.new_roles_sent()) part_.sent.try_emplace(role, number_);
    if (run.end == sim::End::zeno && is_open(Property::no_zeno))
      broken(Property::no_zeno, small(Property::no_zeno, run.trail));
    judge_ending(run);
    for (const sim::FirstViolation& first : run.violations) judge_violation(run, first);
  }

  void judge_violation(const Walked& run, const sim::FirstViolation& first) {
    const auto property = static_cast<Property>(first.property);
    if (!is_open(property)) return;
    Decisions trail(run.trail.begin(), run.trail.begin() + static_cast<std::ptrdiff_t>(first.step));
    broken(property, small(property, std::move(trail)));
  }

  /// In a system of its own: what is tried here was not sampled.
  Decisions small(Property property, Decisions trail) const {
    if (!what_.options.shrink || !what_.made.empty()) return trail;
    Checked aside(what_.setup, how());
    if (what_.setup.exact) trail = in_parts(what_.setup, trail);
    return shrunk(aside, what_.options, property, trail);
  }

  void broken(Property property, const Decisions& decisions) {
    undecided_ &= ~bit(property);
    RecordedRun run = recorded(walker_.system(), what_.setup, what_.made, property, decisions);
    part_.broken.push_back({property, number_, std::move(run.trail), std::move(run.deviations)});
  }

  /// It met the limit of moves, or goes round without time.
  static bool comes_to_no_end(const Walked& run) {
    return (run.end == sim::End::steps_max || run.end == sim::End::zeno) && !run.finished;
  }

  /// Of those that were cut: what can follow takes many steps to say.
  static bool is_looked_at(std::uint64_t number) { return std::has_single_bit(number + 1); }

  /// A run that ends while programs are left is looked at closely: can they still end?
  void judge_ending(const Walked& run) {
    if (walker_.met_horizon() && !part_.met_horizon) part_.met_horizon = number_;
    if (run.finished) return;
    const bool goes_round = run.end == sim::End::endless;
    bool is_open_end = goes_round && !shows_what_never_comes(run);
    const bool is_asked = is_open(Property::calls_return) && !what_.setup.horizon;
    const bool is_cut = run.end == sim::End::steps_max;
    if (is_asked && (!is_cut || is_looked_at(number_))) {
      const bool is_stuck = shows_who_is_stuck(run);
      if (!is_cut) is_open_end = !is_stuck || is_open_end;
    }
    if (is_open_end || (goes_round && !is_asked)) note_unfinished(run);
  }

  bool shows_who_is_stuck(const Walked& run) {
    constexpr std::size_t looked_at_max = 20'000;
    if (goes_round_for_ever(what_.setup) && run.end != sim::End::at_rest) return false;
    Checked aside(sampled_, how());
    begin_behind(aside, what_.made);
    if (calls_can_return(sampled_, *run.last, looked_at_max) != false) return false;
    broken(Property::calls_return, played_on(aside, small(Property::calls_return, run.trail)));
    return true;
  }

  /// In a run that has gone round once. False: of something it does not show whether it comes.
  bool shows_what_never_comes(const Walked& run) {
    bool shown = true;
    for (const PropertyInfo& one : all_properties(what_.setup)) {
      if (!is_open(one.property) || !asks_for_cycles(one.property, what_.setup)) continue;
      const auto lap = first_lap(one.property, run.trail);
      if (lap) broken(one.property, small(one.property, *lap));
      else shown = false;
    }
    return shown;
  }

  /// What of it breaks the property by going round once; nothing if it does not.
  std::optional<Decisions> first_lap(Property property, const Decisions& trail) const {
    LapWatch watch(sampled_, property, what_.made);
    for (std::size_t i = 0; i < trail.size(); ++i) {
      watch.take(trail[i].move);
      if (watch.why_broken())
        return Decisions(trail.begin(), trail.begin() + static_cast<std::ptrdiff_t>(i + 1));
    }
    return std::nullopt;
  }

  void note_unfinished(const Walked& run) {
    if (!comes_to_no_end(run)) part_.unfinished.push_back({number_, std::string(name_of(run.walk))});
  }

  const Sampling& what_;
  sim::PropertyMask undecided_;
  Setup sampled_;
  Walker walker_;
  sim::Random random_;
  std::uint64_t number_ = 0;
  SampledPart part_;
};

const FirstBroken* first_of(const std::vector<SampledPart>& parts, Property property) {
  const FirstBroken* first = nullptr;
  for (const SampledPart& part : parts)
    for (const FirstBroken& one : part.broken)
      if (one.property == property && (first == nullptr || one.run < first->run)) first = &one;
  return first;
}

}  // namespace

SampledPart sampled(const Sampling& what, Shard shard) { return Sampler(what, shard).run(); }

bool add_parts(const std::vector<SampledPart>& parts, sim::PropertyMask asked, CheckReport& report) {
  constexpr std::uint64_t never = ~std::uint64_t{0};
  std::uint64_t last = 0, without_end = never;
  bool all_broken = true;
  for (PropertyResult& result : report.results) {
    if ((asked & bit(result.property)) == 0) continue;
    const FirstBroken* first = first_of(parts, result.property);
    if (result.property == Property::calls_return && first != nullptr) without_end = first->run;
    all_broken = all_broken && first != nullptr;
    if (first == nullptr) continue;
    last = std::max(last, first->run);
    result.verdict = Verdict::violated;
    result.trail = first->trail;
    result.deviations = first->deviations;
  }
  if (!all_broken) last = never;
  for (const SampledPart& part : parts) {
    if (part.refusal) report.refusal = part.refusal;
    report.runs += part.runs;
    report.steps += part.steps;
    report.cut_at_limit += part.cut_at_limit;
    report.thought_steps = std::max(report.thought_steps, part.thought_steps);
    for (const auto& [walk, by] : part.by) {
      SampledBy& all = report.sampled_by[walk];
      all.runs += by.runs;
      all.cut += by.cut;
      all.settled += by.settled;
      report.cut += by.cut;
      all.longest = std::max(all.longest, by.longest);
      all.actors = std::max(all.actors, by.actors);
      all.one_move_each = all.one_move_each && by.one_move_each;
    }
    add(report.seen, part.seen);
    for (const auto& [run, policy] : part.unfinished)
      if (run < without_end) {
        ++report.sampled_by[policy].cut;
        ++report.cut;
      }
    for (const auto& [witness, run] : part.witnesses)
      if (run <= last) report.witnesses |= sim::WitnessMask{1} << witness;
    for (const auto& [role, run] : part.sent)
      if (run <= last) report.sent.insert(role);
    report.met_horizon = report.met_horizon || (part.met_horizon && *part.met_horizon <= last);
    report.interrupted = report.interrupted || part.interrupted;
    report.time_was_up = report.time_was_up || part.time_was_up;
  }
  return all_broken;
}

SampledPart check_shard(const Setup& setup, const CheckOptions& options, Shard shard) {
  const Prefix prefix = prefix_of(setup);
  SampledPart refused{.shard = shard, .refusal = why_misfit(setup, prefix)};
  if (refused.refusal) return refused;
  Setup reduced = setup;
  reduced.reductions = options.reductions;
  CheckOptions watching = options;
  const CheckReport report = asked_report(reduced, options, prefix.moves.size());
  watching.watched = watched_in(reduced, options.watched);
  return sampled({.setup = reduced,
                  .options = watching,
                  .made = prefix.moves,
                  .asked = asked_in(report),
                  .steps_max = ~std::uint64_t{0},
                  .cut_after = report.cut_after},
                 shard);
}

CheckReport put_together(const Setup& setup, const CheckOptions& options,
                         const std::vector<SampledPart>& parts, const std::string& missing) {
  const Prefix prefix = prefix_of(setup);
  Setup reduced = setup;
  reduced.reductions = options.reductions;
  CheckReport report = asked_report(reduced, options, prefix.moves.size());
  add_parts(parts, asked_in(report), report);
  conclude(reduced, options, report);
  if (missing.empty()) return report;
  for (PropertyResult& result : report.results) {
    if (result.verdict == Verdict::violated) continue;
    result.verdict = Verdict::unknown;
    result.why = missing;
  }
  return report;
}

}  // namespace lockstep::properties
