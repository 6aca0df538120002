#include "properties/check/walking.h"

#include <algorithm>
#include <bit>

#include "model/client/own_scripts.h"
#include "sim/base/verify.h"
#include "sim/run/determinism.h"

namespace lockstep::properties {

namespace {

/// Tells the coverage of each move that is about to be taken.
class Covering final : public sim::Policy<Checked> {
 public:
  Covering(sim::Policy<Checked>& inner, Coverage& coverage) : inner_(inner), coverage_(coverage) {}
  std::optional<std::size_t> pick(const Checked& system, const Checked::State& state,
                                  std::span<const model::Move> moves) override {
    const auto picked = inner_.pick(system, state, moves);
    if (picked) coverage_.before(state.world, moves[*picked]);
    return picked;
  }
  model::Move taken(const model::Move& listed) override { return inner_.taken(listed); }

 private:
  sim::Policy<Checked>& inner_;
  Coverage& coverage_;
};

/// A command of that name, in letters of any case. In which run it is met first must not matter.
bool says_time(const lua::Script& script) {
  std::string text = script.text;
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text.find("'time'") != text.npos || text.find("\"time\"") != text.npos;
}

bool says_time(const Setup& setup) {
  for (const lua::ScriptSet* set : setup.script_sets())
    for (const auto& [role, script] : set->roles)
      if (says_time(script)) return true;
  const auto own = model::scripts_of_schemes(setup);
  return std::any_of(own.begin(), own.end(), [](const auto& one) { return says_time(*one.script); });
}

Duration time_passed(const Decisions& trail) {
  Duration passed{};
  for (const auto& decision : trail)
    if (decision.move.passes_time()) passed += Duration(decision.move.by);
  return passed;
}

/// The first runs, fewer and fewer, and then one of many.
bool is_made_twice(std::uint64_t number) {
  constexpr std::uint64_t one_of = 1024;
  return std::has_single_bit(number + 1) || number % one_of == one_of - 1;
}

/// A run is a function of its decisions, and those of what is drawn; if not, the program is wrong.
void stop_at(const std::optional<sim::Problem>& difference) {
  if (difference)
    UNREACHABLE((difference->text + "\nThat a run is a function of its decisions").c_str());
}

}  // namespace

void WorthWalking::note(std::uint64_t steps, std::uint64_t contents) {
  constexpr std::uint64_t window = 2'048;
  steps_ += steps;
  contents_ += contents;
  if (steps_ < window) return;
  const std::uint64_t share = 1'000 * contents_ / steps_;
  const bool is_dear = share > 600 && share * 10 > last_ * 9;
  last_ = is_dear ? never : share;
  steps_ = contents_ = 0;
  if (!is_dear) return;
  pause_left_ = pause_;
  pause_ *= 2;
}

Walker::Walker(const Setup& setup, const CheckOptions& options, const MadeMoves& made,
               RunLength cut_after, Graphs graphs)
    : setup_(setup),
      options_(options),
      cut_after_(cut_after),
      with_now_(goes_round_for_ever(setup) && says_time(setup)),
      system_(setup, watching()) {
  if (options.ways != nullptr || options.strategy == Strategy::guided)
    coverage_.emplace(setup, options.ways, made);
  made_witnesses_ = begin_behind(system_, made);
  Checked aside(setup, how());
  begin_behind(aside, made);
  expected_ = expectancy_of(aside);
  if (graphs == Graphs::used && WalkedGraph::fits(setup)) begin_graph(with_now_);
}

/// `with_now`: what time it is belongs to a state.
void Walker::begin_graph(bool with_now) {
  Checked::Options options = watching();
  options.with_now = with_now;
  graph_.reset();
  graph_system_ = std::make_unique<Checked>(setup_, options);
  graph_system_->begin_at(system_.initial());
  graph_ = std::make_unique<WalkedGraph>(
      *graph_system_,
      WalkedGraph::Options{.coverage = coverage_ ? &*coverage_ : nullptr, .ways = options_.ways});
}

sim::RunLimits Walker::limits() const {
  // Whether a state comes back is dear to say where there are many threads, whose usual runs are long.
  // One that settles comes back or ends.
  const std::size_t unwatched = std::min<std::size_t>(
      cut_after_.drawn, std::max<std::size_t>(sim::RunLimits{}.unwatched, cut_after_.drawn / 10));
  const auto stop = [this] {
    const auto says_yes = [](const std::function<bool()>& asked) { return asked && asked(); };
    return says_yes(options_.outside.interrupted) || says_yes(options_.outside.time_is_up) ||
           (graph_ && graph_->is_misled());
  };
  return {.steps_max = cut_after_.drawn + cut_after_.settling,
          .stop_at = 0,
          .unwatched = unwatched,
          .stop = stop};
}

Walked Walker::walked(std::uint64_t number, sim::Random random) {
  // Those that draw instants meet other states than those that do not.
  WorthWalking& worth = worth_walking_[number / walks_in_turn % 4 != 3 ? 0 : 1];
  std::optional<Walked> walked;
  if (graph_ && worth.is_tried()) walked = over_graph(number, random, worth);
  if (!walked) {
    walked = over_states(number, random, true);
    worth.note_pause(walked->trail.size());
  }
  if (is_made_twice(number) && walked->end != sim::End::stopped) {
    const Walked again = over_states(number, random, false);
    if (again.end != sim::End::stopped) stop_unless_alike(*walked, again);  // time may have been up meanwhile
  }
  follow_if_new(*walked);
  return std::move(*walked);
}

void Walker::stop_unless_alike(Walked& one, const Walked& again) {
  stop_at(sim::check_alike(system_, one.trail, again.trail));
  stop_at(sim::check_determinism(system_, system_, one.trail));
  VERIFY(one.end == again.end && one.finished == again.finished && one.last == again.last);
  VERIFY(one.witnesses == again.witnesses && one.violations == again.violations);
  one.made_twice = true;
}

std::optional<Walked> Walker::over_graph(std::uint64_t number, sim::Random random, WorthWalking& worth) {
  Drawing<WalkedGraph> drawing(walk_of(options_.strategy, number), number, random, expected_,
                               worth_following_);
  sim::Observer<WalkedGraph> observer;
  if (coverage_) {
    coverage_->begin_run();
    observer = [this](const auto& step) { coverage_->meet(graph_->last_met(), step.decision.move); };
  }
  const std::uint64_t anew_before = graph_->taken_anew(), contents_before = graph_->contents_met();
  Settling<WalkedGraph> settling(drawing.policy(), cut_after_.drawn);
  auto run = sim::run<WalkedGraph>(*graph_, graph_->initial(), settling, limits(), observer);
  if (graph_->is_misled()) {
    // It was not so, and nothing of it was met.
    if (coverage_) coverage_->take_back();
    // A run that goes round ends where it is back, which what time it is has a part in for one of both only.
    if (goes_round_for_ever(setup_)) graph_.reset();
    else begin_graph(true);
    return std::nullopt;
  }
  steps_known_ += run.trail.size() - (graph_->taken_anew() - anew_before);
  worth.note(run.trail.size(), graph_->contents_met() - contents_before);
  return as_walked(std::move(run), drawing, settling, number);
}

Walked Walker::over_states(std::uint64_t number, sim::Random random, bool covers) {
  Drawing<Checked> drawing(walk_of(options_.strategy, number), number, random, expected_, worth_following_);
  Settling<Checked> settling(drawing.policy(), cut_after_.drawn);
  sim::Policy<Checked>& policy = settling;
  if (!coverage_ || !covers)
    return as_walked(sim::run(system_, system_.initial(), policy, limits()), drawing, settling, number);
  coverage_->begin_run();
  Covering covering(policy, *coverage_);
  auto run = sim::run<Checked>(system_, system_.initial(), covering, limits(),
                               [&](const auto& step) { coverage_->after(step.decision.move); });
  return as_walked(std::move(run), drawing, settling, number);
}

template <class S>
Walked Walker::as_walked(sim::Run<S> run, const Drawing<S>& drawing, const Settling<S>& settling,
                         std::uint64_t number) {
  Walked walked{.walk = walk_of(options_.strategy, number),
                .trail = std::move(run.trail),
                .end = settling.rests() ? sim::End::at_rest : run.end,
                .witnesses = run.witnesses,
                .violations = std::move(run.violations),
                .chains = drawing.counting().chains(),
                .one_move_each = drawing.counting().one_move_each(),
                .settled = settling.settles(),
                .last = std::nullopt};
  if constexpr (std::is_same_v<S, Checked>) {
    walked.finished = system_.finished(run.last);
    if (!walked.finished) walked.last = std::move(run.last);
  } else {
    walked.finished = graph_->finished(run.last);
    if (!walked.finished) walked.last = graph_->whole(run.last, time_passed(walked.trail));
  }
  return walked;
}

void Walker::follow_if_new(const Walked& walked) {
  if (options_.strategy != Strategy::guided || !coverage_->is_news()) return;
  std::vector<model::Move>& kept = worth_following_.emplace_back();
  for (const auto& decision : walked.trail) kept.push_back(decision.move);
}

std::optional<std::string> Walker::refusal() const {
  if (graph_system_ && graph_system_->refusal()) return graph_system_->refusal();
  return system_.refusal();
}

bool Walker::met_horizon() const {
  return system_.met_horizon() || (graph_system_ && graph_system_->met_horizon());
}

std::set<std::string> Walker::new_roles_sent() {
  if (graph_system_) system_.learn_from(*graph_system_);
  if (system_.sent() == sent_) return {};
  sent_ = system_.sent();
  return roles_sent(system_, setup_);
}

}  // namespace lockstep::properties
