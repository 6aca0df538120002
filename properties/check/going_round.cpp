#include "properties/check/going_round.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "properties/check/check_behind.h"
#include "properties/check/searching.h"
#include "properties/monitors/all_properties.h"
#include "properties/monitors/on_request.h"
#include "sim/base/amount.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"
#include "sim/search/parents.h"

namespace lockstep::properties {

namespace {

/// A question for the call of each thread, and behind them one for each predicate.
constexpr std::size_t threads_max = 48;
static_assert(threads_max + predicates_max <= 64);

std::size_t threads_asked(const Setup& setup) { return std::min(setup.threads.size(), threads_max); }

bool is_eventual(Property property, const Setup& setup) {
  return is_own(property) && setup.predicates[static_cast<std::size_t>(property) - catalog.size()].kind ==
                                 model::PredicateKind::eventually;
}

sim::QuestionMask questions_of(Property property, const Setup& setup) {
  if (is_own(property))
    return sim::QuestionMask{1} << (threads_max + static_cast<std::size_t>(property) - catalog.size());
  return (sim::QuestionMask{1} << threads_asked(setup)) - 1;
}

/// What is open in a state: calls that have not returned, and predicates that were never true.
sim::QuestionMask open_in(const Checked::State& state, const Setup& setup) {
  sim::QuestionMask open = 0;
  for (std::size_t t = 0; t < threads_asked(setup); ++t) {
    const model::ThreadSetup& its = setup.threads[t];
    const auto& thread = state.world.processes[its.process.index()]->threads[its.place];
    if (std::holds_alternative<model::InCall>(thread.cursor.activity)) open |= sim::QuestionMask{1} << t;
  }
  for (std::size_t i = 0; i < setup.predicates.size(); ++i) {
    const Property property = own_property(i);
    if (is_eventual(property, setup) &&
        (state.monitors->on_request.get<OnRequest>().met & bit(property)) == 0)
      open |= questions_of(property, setup);
  }
  return open;
}

/// Who takes a step, as somebody who is to be treated fairly: a number that only he has.
std::uint64_t actor_of(const model::Move& move) {
  using namespace model;
  const auto link = [](const LinkId& id) { return id.process.value << 16 | id.node.value; };
  const std::uint64_t on = std::visit(
      sim::overloaded{
          [&](const std::monostate&) { return static_cast<std::uint32_t>(move.verb.act); },
          [&](ThreadId id) { return std::uint32_t{id.value}; },
          [&](ProcessId id) { return std::uint32_t{id.value}; },
          [&](NodeId id) { return std::uint32_t{id.value}; },
          [&](const LinkId& id) { return std::uint32_t(link(id)); },
          [&](const Carried& id) { return std::uint32_t(link(id.link)); },
          [&](const StreamId& id) { return std::uint32_t(id.from.value << 16 | id.to.value); },
          [&](const TimerId& id) { return std::uint32_t{id.process.value}; },
          [&](const PartOfNode& id) { return std::uint32_t{id.node.value}; },
          [&](const FixedId& id) { return std::uint32_t{id.number}; },
          [&](const FixedMessage& id) { return std::uint32_t{id.fault.number}; },
          [&](const Follower& id) { return std::uint32_t(id.process.value << 16 | id.group.value); },
      },
      move.on);
  const auto* carried = std::get_if<Carried>(&move.on);
  const std::uint64_t lane = carried != nullptr ? static_cast<std::uint64_t>(carried->lane) + 1 : 0;
  return (std::uint64_t{move.on.index()} << 8 | lane) << 32 | on;
}

sim::Digest digest_of(const Checked& system, const Checked::State& state) {
  return system.digest(system.normal(state));
}

}  // namespace

bool asks_for_cycles(Property property, const Setup& setup) {
  return property == Property::no_starvation || is_eventual(property, setup);
}

struct GoingRound::Graph {
  sim::FairGraph fair;
  sim::Parents parents;
  std::vector<sim::Digest> digests;
  std::map<std::uint64_t, std::uint16_t> actors;
  std::uint32_t from = ~std::uint32_t{0};
  std::size_t place = 0;  // of the next step from there

  void add(const sim::Edge<Checked>& edge, const Checked& system) {
    place = edge.from == from ? place + 1 : 0;
    from = edge.from;
    const model::Move& move = edge.move;
    const auto actor =
        actors.try_emplace(actor_of(move), static_cast<std::uint16_t>(actors.size())).first->second;
    fair.add(edge.from, {edge.to, actor, move.is_fault(), move.passes_time()},
             edge.fresh ? open_in(edge.state, system.setup()) : 0);
    if (!edge.fresh) return;
    parents.add(edge.from, place);
    digests.push_back(digest_of(system, edge.state));
  }
};

GoingRound::GoingRound(const Setup& setup, sim::PropertyMask properties, bool with_now, const MadeMoves& made,
                       const sim::SearchLimits& limits)
    : setup_(setup),
      system_(
          std::make_unique<Checked>(setup, Checked::Options{.watched = properties, .with_now = with_now})) {
  why_open_ = "there are more than " + sim::amount(threads_max, "thread");
  if (setup.threads.size() > threads_max) return;
  begin_behind(*system_, made);
  const Checked::State start = system_->initial();
  graph_ = std::make_unique<Graph>(Graph{.fair = sim::FairGraph(open_in(start, setup))});
  graph_->parents.add(0, 0);
  graph_->digests.push_back(digest_of(*system_, start));
  sim::SearchOptions<Checked> how;
  how.limits = limits;
  how.symmetry = how.zeno = how.endings = false;
  how.on_edge = [this](const sim::Edge<Checked>& edge) { graph_->add(edge, *system_); };
  why_open_ = why_not_whole(search(*system_, std::move(how)).ended, limits);
  if (system_->must_stop()) why_open_ = "steps read what time it is";
}

GoingRound::~GoingRound() = default;

std::optional<Decisions> GoingRound::broken(Property property) const {
  VERIFY(complete());
  return broken_so_far(property);
}

std::optional<Decisions> GoingRound::broken_so_far(Property property) const {
  if (!graph_ || system_->must_stop()) return std::nullopt;
  std::optional<std::vector<sim::FairGraph::Taken>> first;
  for (sim::QuestionMask left = questions_of(property, setup_); left != 0; left &= left - 1) {
    auto lap = graph_->fair.lap(static_cast<unsigned>(std::countr_zero(left)));
    if (lap && (!first || lap->front().from < first->front().from)) first = std::move(lap);
  }
  if (!first) return std::nullopt;
  return run_of(*first);
}

Decisions GoingRound::run_of(const std::vector<sim::FairGraph::Taken>& lap) const {
  Decisions run = graph_->parents.trail_to(*system_, lap.front().from);
  Checked::State at = system_->initial();
  for (const auto& decision : run) system_->apply(at, decision.move);
  for (const sim::FairGraph::Taken& step : lap)
    run.push_back(step_to(at, graph_->digests[graph_->fair.target(step)], step.place));
  return run;
}

/// States of one number have the same moves in the same order, but for what these are called; should an order
/// go by names, the move is looked for.
sim::Decision<model::Move> GoingRound::step_to(Checked::State& at, const sim::Digest& next,
                                               std::size_t likely) const {
  std::vector<model::Move> moves;
  system_->enabled(at, moves);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::size_t place = (likely + i) % moves.size();
    if (moves[place].is_fault()) continue;
    Checked::State child = at;
    system_->apply(child, moves[place]);
    if (digest_of(*system_, child) != next) continue;
    at = std::move(child);
    return sim::detail::decision(moves, place);
  }
  UNREACHABLE("a recorded step is found again");
}

LapWatch::LapWatch(const Setup& setup, Property property, const MadeMoves& made)
    : setup_(setup),
      property_(property),
      system_(std::make_unique<Checked>(setup, Checked::Options{.watched = bit(property)})) {
  begin_behind(*system_, made);
  at_ = system_->initial();
}

LapWatch::~LapWatch() = default;

void LapWatch::take(const model::Move& move) {
  Stop stop{.state = digest_of(*system_, at_),
            .open = open_in(at_, setup_),
            .acts = actor_of(move),
            .fault = move.is_fault(),
            .passes_time = move.passes_time()};
  system_->enabled(at_, moves_);
  for (const model::Move& able : moves_)
    if (!able.is_fault()) stop.able.push_back(actor_of(able));
  std::sort(stop.able.begin(), stop.able.end());
  stops_.push_back(std::move(stop));
  system_->apply(at_, move);
}

/// What is open in all states from there on, if they are a fair lap; else nothing.
sim::QuestionMask LapWatch::open_all_along(std::size_t first) const {
  sim::QuestionMask open = ~sim::QuestionMask{0};
  bool time_passes = false;
  std::vector<std::uint64_t> neglected = stops_[first].able;
  for (std::size_t i = first; i < stops_.size(); ++i) {
    const Stop& stop = stops_[i];
    if (stop.fault) return 0;
    open &= stop.open;
    time_passes = time_passes || stop.passes_time;
    std::erase_if(neglected, [&](std::uint64_t actor) {
      return actor == stop.acts || !std::binary_search(stop.able.begin(), stop.able.end(), actor);
    });
  }
  return time_passes && neglected.empty() ? open : 0;
}

std::optional<LapWatch::Lap> LapWatch::lap() const {
  if (system_->needs_now()) return std::nullopt;  // then no state comes back
  const sim::Digest here = digest_of(*system_, at_);
  for (std::size_t first = stops_.size(); first-- > 0;) {
    if (stops_[first].state != here) continue;
    const sim::QuestionMask open = open_all_along(first) & questions_of(property_, setup_);
    if (open != 0) return Lap{first, open};
  }
  return std::nullopt;
}

std::optional<std::size_t> LapWatch::lap_begins() const {
  const auto found = lap();
  return found ? std::optional(found->first) : std::nullopt;
}

std::optional<std::string> LapWatch::why_broken() const {
  const auto found = lap();
  if (!found) return std::nullopt;
  const std::string what =
      is_own(property_)
          ? fmt::format("`{}` was never true",
                        setup_.predicates[static_cast<std::size_t>(property_) - catalog.size()].lua)
          : fmt::format("the call of {} has not returned",
                        setup_.threads[static_cast<std::size_t>(std::countr_zero(found->open))].name);
  return fmt::format("the last {} lead back to where they began, and {}: it may go on so for ever, and "
                     "nobody is kept from acting",
                     sim::amount(stops_.size() - found->first, "decision"), what);
}

}  // namespace lockstep::properties
