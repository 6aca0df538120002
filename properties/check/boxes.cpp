#include "properties/check/boxes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "properties/check/broken_run.h"
#include "properties/check/check_behind.h"
#include "properties/check/conclusion.h"
#include "properties/check/few_preemptions.h"
#include "properties/check/narrowed.h"
#include "properties/monitors/all_properties.h"
#include "properties/monitors/monitors.h"
#include "sim/base/amount.h"
#include "sim/run/plan.h"

namespace lockstep::properties {

namespace {

class Boxes {
 public:
  Boxes(const Setup& setup, const CheckOptions& options, const MadeMoves& made)
      : setup_(setup), options_(options), made_(made), report_(asked_report(setup, options, made.size())) {
    options_.boxes = false;
    if (options_.strategy == Strategy::search_then_sample) options_.strategy = Strategy::search;
    for (const std::uint16_t count : setup.faults.counts) most_ = std::max(most_, count);
  }

  CheckReport run() && {
    std::uint16_t faults = 0;
    while (faults < most_ && ask({.faults = faults}) && !is_over()) ++faults;
    const bool whole = !is_over() && faults == most_ && ask({.faults = most_});
    if (!whole && !is_over()) with_few_preemptions(faults);
    if (!whole && !is_over()) up_to_some_leases(faults);
    conclude(setup_, options_, report_);
    name_boxes();
    return std::move(report_);
  }

 private:
  struct Box {
    std::uint16_t faults = 0;  // of each kind, at most
    std::uint64_t leases = 0;  // up to so many; 0: without an end
    std::optional<std::uint64_t> preemptions;  // at most; absent: any number
  };

  /// The larger the box, the fewer the preemptions with which it can be exhausted.
  void with_few_preemptions(std::uint16_t faults) {
    constexpr std::uint64_t preemptions_usual = 2;
    std::uint64_t most = options_.preemptions_max.value_or(preemptions_usual) + 1;
    for (; faults <= most_ && most > 0; ++faults) {
      std::uint64_t done = 0;
      const auto next = [&] { return Box{.faults = faults, .leases = 0, .preemptions = done}; };
      while (done < most && !is_over() && ask(next())) ++done;
      most = done;
      if (faults == most_) return;
    }
  }

  /// The larger the box, the fewer the leases to which it can be exhausted.
  void up_to_some_leases(std::uint16_t faults) {
    constexpr std::uint64_t leases_max = 1'000;
    std::uint64_t most = leases_max;
    for (; faults <= most_ && most > 0; ++faults) {
      std::uint64_t done = 0;
      const auto next = [&] { return Box{.faults = faults, .leases = done + 1, .preemptions = {}}; };
      while (done < most && !is_over() && ask(next())) ++done;
      most = done;
      if (faults == most_) return;
    }
  }

  /// Nothing is left to ask, or nobody wants to know any more.
  bool is_over() const {
    const auto is_violated = [](const PropertyResult& one) { return one.verdict == Verdict::violated; };
    return stopped_ || report_.refusal || report_.interrupted ||
           std::all_of(report_.results.begin(), report_.results.end(), is_violated);
  }

  Setup setup_of(const Box& box) const {
    model::FaultBudget most;
    for (std::size_t f = 0; f < setup_.faults.counts.size(); ++f) {
      const auto fault = sim::make_id<model::FaultId>(f);
      const auto used = std::count_if(made_.begin(), made_.end(), [&](const auto& one) {
        return one.move.is_fault() && one.move.verb.fault == fault;
      });
      const std::uint64_t allowed = setup_.faults[fault];
      most.set(fault, static_cast<std::uint16_t>(
                          std::min(allowed, box.faults + static_cast<std::uint64_t>(used))));
    }
    Setup inner = narrowed(setup_, most);
    if (box.leases == 0) return inner;
    const Duration end = longest_lease(setup_) * static_cast<std::int64_t>(box.leases);
    inner.horizon = setup_.horizon ? std::min(*setup_.horizon, end) : end;
    return inner;
  }

  /// Whether it was exhausted.
  bool ask(const Box& box) {
    const bool whole = box.faults == most_ && box.leases == 0 && !box.preemptions;
    const Setup inner = whole ? setup_ : setup_of(box);
    CheckOptions options = options_;
    options.preemptions_max = box.preemptions;
    const CheckReport found = check_behind(inner, options, made_);
    report_.refusal = found.refusal;
    report_.searched = true;
    report_.witnesses |= found.witnesses;
    report_.sent.insert(found.sent.begin(), found.sent.end());
    report_.interrupted = found.interrupted;
    stopped_ = found.interrupted || found.time_was_up || found.ended == sim::SearchEnd::stopped;
    report_.time_was_up = report_.time_was_up || found.time_was_up;
    for (const PropertyResult& one : found.results)
      if (one.verdict == Verdict::violated) take(one);
    const bool exhausted = box.preemptions ? !found.boxes.empty() : found.complete;
    if (box.preemptions ? false : exhausted || box.leases == 0) take_counts(found);
    if (whole && exhausted) take_whole(found);
    if (exhausted && !found.refusal)
      exhausted_.push_back({box, holding_in(found), bounds_of(inner) + leases_text(box.leases) +
                                                        (box.preemptions ? preemptions_text(*box.preemptions)
                                                                         : std::string())});
    return exhausted;
  }

  /// With few preemptions nothing is proved; what is asked of each run by itself holds in all that there are.
  sim::PropertyMask holding_in(const CheckReport& found) const {
    sim::PropertyMask holding = 0;
    for (const PropertyResult& one : found.results) {
      const bool of_each_run = one.property != Property::calls_return && !info(one.property, setup_).liveness;
      const bool met_all = !found.boxes.empty() && one.verdict == Verdict::unknown && of_each_run;
      if (one.verdict == Verdict::proved || met_all) holding |= bit(one.property);
    }
    return holding;
  }

  static std::string leases_text(std::uint64_t leases) {
    return leases == 0 ? "" : fmt::format(" ({})", sim::amount(leases, "lease"));
  }

  void take_counts(const CheckReport& found) {
    report_.states = found.states;
    report_.transitions = found.transitions;
    report_.depth = found.depth;
    report_.symmetry = found.symmetry;
    report_.symmetry_off = found.symmetry_off;
    report_.reduced = found.reduced;
    report_.reduction_off = found.reduction_off;
    report_.with_now = found.with_now;
    report_.deep = found.deep;
    if (!found.complete || report_.ended == sim::SearchEnd::complete) report_.ended = found.ended;
  }

  void take_whole(const CheckReport& found) {
    report_.complete = true;
    report_.ended = found.ended;
    report_.met_horizon = found.met_horizon;
    for (const PropertyResult& one : found.results)
      for (PropertyResult& mine : report_.results)
        if (mine.property == one.property && mine.verdict != Verdict::violated) mine = one;
  }

  /// A run of a box that breaks a property, as one of the whole question. One that is none, because the world
  /// offers faults elsewhere there, is left for the box in which it is one.
  void take(const PropertyResult& found) {
    for (PropertyResult& mine : report_.results) {
      if (mine.property != found.property || mine.verdict == Verdict::violated) continue;
      if (auto run = of_whole(found)) {
        mine.verdict = Verdict::violated;
        mine.trail = std::move(run->trail);
        mine.deviations = std::move(run->deviations);
      }
    }
  }

  std::optional<RecordedRun> of_whole(const PropertyResult& found) const {
    const auto decisions = as_run_of(setup_, options_.watched, *found.trail);
    if (!decisions) return std::nullopt;
    const Checked system(setup_, {.watched = options_.watched, .watch_instants = false});
    RecordedRun run = recorded(system, setup_, {}, found.property, *decisions);
    const Told told = tell(setup_, run.deviations);
    if (told.divergence || (told.violated & bit(found.property)) == 0) return std::nullopt;
    return run;
  }

  struct Exhausted {
    Box box;
    sim::PropertyMask proved = 0;
    std::string bounds;
  };

  static bool is_in(const Box& one, const Box& other) {
    if (one.faults > other.faults) return false;
    const bool few = one.preemptions && (!other.preemptions || *one.preemptions <= *other.preemptions);
    if (other.preemptions && !few) return false;
    return other.leases == 0 || (one.leases != 0 && one.leases <= other.leases);
  }

  /// The bounds of those that lie in no other in which the same was proved.
  std::vector<std::string> largest(sim::PropertyMask proved) const {
    std::vector<std::string> bounds;
    for (const Exhausted& one : exhausted_) {
      const auto counts = [&](const Exhausted& other) { return (proved & ~other.proved) == 0; };
      const auto larger = [&](const Exhausted& other) {
        return &other != &one && counts(other) && is_in(one.box, other.box);
      };
      if (counts(one) && std::none_of(exhausted_.begin(), exhausted_.end(), larger))
        bounds.push_back(one.bounds);
    }
    return bounds;
  }

  void name_boxes() {
    report_.boxes = largest(0);
    if (report_.complete) return;
    for (PropertyResult& result : report_.results) {
      const std::vector<std::string> boxes = largest(bit(result.property));
      if (result.verdict == Verdict::unknown && !boxes.empty())
        result.why += fmt::format("; it holds within {}", fmt::join(boxes, ", and within "));
    }
  }

  const Setup& setup_;
  CheckOptions options_;
  const MadeMoves& made_;
  CheckReport report_;
  std::uint16_t most_ = 0;
  bool stopped_ = false;
  std::vector<Exhausted> exhausted_;
};

}  // namespace

CheckReport check_in_boxes(const Setup& setup, const CheckOptions& options, const MadeMoves& made) {
  return Boxes(setup, options, made).run();
}

}  // namespace lockstep::properties
