#include "properties/check/conclusion.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "properties/check/few_preemptions.h"
#include "properties/check/going_round.h"
#include "properties/monitors/all_properties.h"
#include "sim/base/amount.h"

namespace lockstep::properties {

namespace {

/// Properties that a scenario says nothing for are not asked, unless somebody names them: that their
/// premise does not occur is an answer, too.
bool applies(Property property, const Setup& setup, const CheckOptions& options) {
  const bool named =
      options.watched != all_usual || setup.expect.contains(std::string(info(property, setup).name));
  return named || concerns(property, setup);
}

class Conclusion {
 public:
  Conclusion(const Setup& setup, const CheckOptions& options, CheckReport& report)
      : setup_(setup), options_(options), report_(report) {}

  void draw(PropertyResult& result) const {
    if (result.verdict == Verdict::violated) {
      result.why = why_broken(result);
      return;
    }
    result.vacuous = (report_.witnesses & properties::bit(info(result.property, setup_).premise)) == 0;
    result.why.clear();
    for (const auto& why : {open_rounds(result), open_cycles(result)}) {
      if (!why) continue;
      result.why = *why;
      result.verdict = Verdict::unknown;
      result.vacuous = false;
      return;
    }
    result.verdict = Verdict::unknown;
    if (report_.met_horizon && info(result.property, setup_).liveness)
      result.why =
          fmt::format("what happens beyond the horizon of {} ms was not looked at", setup_.horizon->count());
    else if (report_.complete) result.verdict = Verdict::proved;
    else if (report_.runs == 0) result.why = limit_text();
    else if (report_.cut > 0) result.why = (report_.searched ? limit_text() + "; " : "") + cut_text();
    else if (samples_are_all_that_was_asked(result.property)) result.verdict = Verdict::passed;
    else
      result.why =
          fmt::format("{}; no violation in {}", limit_text(), sim::amount(report_.runs, "sampled run"));
    result.vacuous = result.vacuous && result.verdict != Verdict::unknown;
  }

 private:
  /// Of programs without an end: what of them is not decided by all states having been met.
  std::optional<std::string> open_rounds(const PropertyResult& result) const {
    if (!goes_round_for_ever(setup_)) return std::nullopt;
    const bool of_calls = result.property == Property::calls_return;
    if (!of_calls || result.verdict == Verdict::proved || report_.met_horizon) return std::nullopt;
    if (!report_.complete || report_.rounds_open.empty())
      return "whether each round has an end was not looked at";
    return "whether each round has an end is asked with all actors told apart, and then " +
           cut_short(report_.rounds_open);
  }

  /// What may never come in a run that goes on for ever is decided by cycles of the whole graph alone.
  std::optional<std::string> open_cycles(const PropertyResult& result) const {
    if (!asks_for_cycles(result.property, setup_) || result.verdict == Verdict::proved) return std::nullopt;
    if (report_.complete && !report_.met_horizon && !setup_.horizon)
      return fmt::format("whether {} is asked with all actors told apart, and then {}",
                         result.property == Property::no_starvation ? "a call may wait for ever"
                                                                    : "it may never be true",
                         cut_short(report_.cycles_open));
    if (report_.runs == 0 || report_.met_horizon) return std::nullopt;
    if (result.property == Property::no_starvation && goes_round_for_ever(setup_))
      return fmt::format("whether a call may wait for ever is asked of whole graphs; no such run in {}",
                         sim::amount(report_.runs, "sampled run"));
    // Of runs behind the first one that gets stuck it was not noted that they come to no end.
    if (is_broken(Property::calls_return)) return "runs that come to no end do not show whether it comes";
    return std::nullopt;
  }

  std::string cut_short(const std::string& why) const {
    return report_.interrupted ? "it was interrupted" : why;
  }

  bool is_broken(Property property) const {
    return std::any_of(report_.results.begin(), report_.results.end(), [&](const PropertyResult& one) {
      return one.property == property && one.verdict == Verdict::violated;
    });
  }

  /// What shows itself late, or only in runs that come to no end, is what the others do not show.
  std::string cut_text() const {
    const std::string which =
        report_.cut == report_.runs
            ? "every sampled run"
            : fmt::format("{} of {}", report_.cut, sim::amount(report_.runs, "sampled run"));
    if (report_.cut > report_.cut_at_limit) return which + " came to no end";
    const RunLength& after = report_.cut_after;
    std::string text = fmt::format("{} {} cut off after {}", which,
                                   report_.cut == report_.runs || report_.cut == 1 ? "was" : "were",
                                   sim::amount(after.drawn, "move"));
    if (after.settling != 0)
      text += fmt::format(" and {} more without faults", after.settling);
    return text;
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
        return fmt::format("there are more than {}{}", sim::amount(options_.states_max, "state"),
                           growth_text());
      case sim::SearchEnd::depth:
        return fmt::format("there is more beyond {}", sim::amount(options_.depth_max, "move"));
      case sim::SearchEnd::memory:
        return fmt::format("the search needs more memory than {}",
                           sim::amount_of_bytes(options_.memory_bytes_max));
      case sim::SearchEnd::stopped:
        return options_.ranks == nullptr || time_is_up() ? "the time was up"
                                                         : "another process of the search was interrupted";
      case sim::SearchEnd::complete:
        if (options_.preemptions_max)
          return fmt::format("only runs with {} were searched", preemptions_bound(*options_.preemptions_max));
        return "without held_max there is no end to what the network may do";
      case sim::SearchEnd::decided:
        break;
    }
    return "the network may delay any number of messages (set held_max)";
  }

  bool time_is_up() const {
    const auto says_yes = [](const std::function<bool()>& asked) { return asked && asked(); };
    return says_yes(options_.outside.time_is_up) || says_yes(options_.outside.search_time_is_up);
  }

  /// What makes new states in every round of a program without an end.
  std::string growth_text() const {
    if (!goes_round_for_ever(setup_)) return "";
    for (const model::LockObject& object : setup_.objects)
      if (setup_.kinds[object.kind]->promises.tokens)
        return fmt::format(", and no end to them: the token of {} grows in each round", object.name);
    if (report_.with_now) return ", and no end to them: a step reads what time it is";
    if (!report_.drift) return "";
    return fmt::format(", and no end in sight: the times in {} drift against the clock, by {} s "
                       "so far",
                       report_.drift->where, report_.drift->ahead / std::chrono::seconds{1});
  }

  const Setup& setup_;
  const CheckOptions& options_;
  const CheckReport& report_;
};

}  // namespace

CheckReport asked_report(const Setup& setup, const CheckOptions& options, std::size_t made) {
  CheckReport report;
  const sim::PropertyMask watched = watched_in(setup, options.watched);
  for (const PropertyInfo& one : all_properties(setup))
    if ((watched & bit(one.property)) != 0 && applies(one.property, setup, options))
      report.results.push_back({.property = one.property, .why = "nothing was run"});
  report.bounds = bounds_of(setup);
  if (options.preemptions_max && !options.boxes) {
    report.preemptions_max = options.preemptions_max;
    report.bounds += preemptions_text(*options.preemptions_max);
  }
  report.within = within_of(setup);
  if (goes_round_for_ever(setup) && (watched & bit(Property::nothing_left_behind)) != 0)
    report.within.push_back(
        "nothing-left-behind is asked when all programs are over: one that goes round for ever is only if an "
        "exception or a crash ends it");
  if (made > 0)
    report.within.push_back(
        fmt::format("only what may follow {} that were given", sim::amount(made, "move")));
  if (!setup.predicates.empty() && options.symmetry) report.symmetry_off = "a property of the scenario";
  report.cut_after = {.drawn = options.steps_max.value_or(usual_steps_max(setup)),
                      .settling = options.settling_max.value_or(usual_steps_max(setup))};
  return report;
}

sim::PropertyMask asked_in(const CheckReport& report) {
  sim::PropertyMask asked = 0;
  for (const PropertyResult& result : report.results) asked |= bit(result.property);
  return asked;
}

void conclude(const Setup& setup, const CheckOptions& options, CheckReport& report) {
  for (PropertyResult& result : report.results) Conclusion(setup, options, report).draw(result);
  for (std::size_t f = 0; f < setup.fixed.size() && f < fixed_faults_seen_max; ++f)
    if ((report.witnesses & fixed_fault_bit(f)) == 0)
      report.within.push_back(fmt::format("the fixed fault `{}` never happened", setup.fixed[f].text));
  if (setup.fixed.size() > fixed_faults_seen_max)
    report.within.push_back(fmt::format("whether fixed faults behind the first {} happened was not noted",
                                        fixed_faults_seen_max));
}

}  // namespace lockstep::properties
