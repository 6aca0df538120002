#include "properties/check/checked.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/own_scripts.h"
#include "model/client/process.h"
#include "model/world/identity.h"
#include "model/world/rebasing.h"
#include "properties/check/forgetting.h"
#include "properties/check/reduced.h"
#include "properties/check/renaming.h"
#include "sim/base/verify.h"

namespace lockstep::properties {

namespace {

/// A lock's own script stores something else than its shape. What an operator or another lock has put there
/// before is nobody's hold, and the script may see to it.
bool stores_it_otherwise(const model::Evaluated& seen) {
  if (!seen.after || !seen.after->unreadable) return false;
  return !seen.before || !seen.before->unreadable || says(seen.items, model::Meaning::granted);
}

}  // namespace

Checked::Checked(const Setup& setup, Options options)
    : setup_(setup), options_(options), engine_({.overseer = options.overseer}) {
  options_.watched = watched_in(setup_, options_.watched);
  const bool told = model::tells_instants(setup_);
  sent_.resize(setup_.kinds.size());
  options_.with_now = options_.with_now || setup.horizon.has_value() ||
                      ((told || setup.lattice) && !setup.reductions.identity);
  may_read_now_ = options_.with_now || told || has_queues(setup_);
  // A node may know a script that this engine has not met, since states outlive the engine that made them.
  for (const lua::ScriptSet* set : setup.script_sets())
    for (const auto& [role, script] : set->roles) engine_.load(script.text);
  for (const model::OwnScript& own : model::scripts_of_schemes(setup)) engine_.load(own.script->text);
  rebases_ = told && !options_.with_now;
  if (rebases_ && options_.watch_instants) instants_.emplace(setup_, engine_);
  if (setup.lattice && options_.watch_instants) lattice_.emplace(setup_);
  kinds_of_nodes_ = kinds_of_nodes(setup_, classes());
  if (!setup.predicates.empty()) predicates_ = std::make_unique<Predicates>(setup_);
  if (options_.watch_names)
    names_.emplace(setup_, engine_, options_.with_now, options_.alike_max, options_.workers);
  if (std::any_of(setup_.threads.begin(), setup_.threads.end(),
                  [](const model::ThreadSetup& thread) { return thread.draws_numbers; }))
    words_.emplace(setup_, options_.with_now);
}

Checked::State Checked::initial() const {
  if (start_) return *start_;
  State state{model::initial_world(setup_), initial_monitors(setup_, options_.watched)};
  Findings findings;
  ask_predicates(state.world, state.monitors.write(), findings);
  return state;
}

void Checked::ask_predicates(const model::World& world, Monitors& monitors, Findings& findings) const {
  if (predicates_) predicates_->see(world, monitors, options_.watched, findings);
}

std::optional<std::string> Checked::refusal() const {
  if (words_ && words_->culprit() && !refusal_)
    return fmt::format(
        "a thread goes round for ever and sends words that are new in each call, and {}; say how often "
        "(`repeat N`)",
        *words_->culprit());
  if (refusal_ || !predicates_ || !predicates_->failure()) return refusal_;
  const auto& [predicate, why] = *predicates_->failure();
  return fmt::format("the predicate `{}` has no value in a state that was met: {}",
                     setup_.predicates[predicate].name, why);
}

Checked::Met Checked::met() const {
  Met met{.sent = sent_, .horizon = met_horizon_};
  if (names_) {
    met.steps = names_->steps();
    met.images = names_->images();
  }
  return met;
}

void Checked::go_on(const Met& met) {
  VERIFY(met.sent.size() == sent_.size());
  sent_ = met.sent;
  met_horizon_ = met.horizon;
  if (names_) names_->go_on(met.steps, met.images);
}

sim::EndingMask Checked::endings_asked() const {
  if (!options_.rounds) return 1;
  VERIFY(setup_.threads.size() <= rounds_threads_max);
  return (sim::EndingMask{1} << setup_.threads.size()) - 1;
}

sim::EndingMask Checked::ended(const State& state) const {
  if (!options_.rounds) return finished(state) ? 1 : 0;
  sim::EndingMask ended = 0;
  for (std::size_t p = 0; p < setup_.processes.size(); ++p) ended |= ended_of(state, p);
  return ended;
}

sim::EndingMask Checked::ended_of(const State& state, std::size_t process) const {
  if (!options_.rounds) return model::all_ended(*state.world.processes[process]) ? 1 : 0;
  sim::EndingMask ended = 0;
  for (std::size_t t = 0; t < setup_.threads.size(); ++t) {
    const model::ThreadSetup& thread = setup_.threads[t];
    if (thread.process.index() != process) continue;
    const model::Activity& activity = state.world.processes[process]->threads[thread.place].cursor.activity;
    if (std::holds_alternative<model::Ended>(activity) || std::holds_alternative<model::Busy>(activity))
      ended |= sim::EndingMask{1} << t;
  }
  return ended;
}

void Checked::learn_from(const Checked& other) {
  met_horizon_ = met_horizon_ || other.met_horizon_;
  for (std::size_t kind = 0; kind < sent_.size(); ++kind) sent_[kind] |= other.sent_[kind];
}

Checked::ReasonsToStop Checked::reasons_to_stop() const {
  return {.read_now = read_now_,
          .refusal = refusal(),
          .looks_into_names = looks_into_names(),
          .has_too_many_names = has_too_many_names(),
          .looks_at_instants = instants_ ? instants_->culprit() : std::nullopt,
          .missed_instant = missed_instant()};
}

void Checked::stop_as(const ReasonsToStop& reasons) {
  if (names_) names_->say(reasons.looks_into_names, reasons.has_too_many_names);
  if (instants_) instants_->say(reasons.looks_at_instants);
  if (lattice_) lattice_->say(reasons.missed_instant);
  read_now_ = reasons.read_now;
  refusal_ = reasons.refusal;
}

void Checked::enabled(const State& state, std::vector<Move>& moves) const {
  model::enabled(state.world, setup_, moves);
}

void Checked::enough_of(const State& state, const std::vector<Move>& moves,
                        std::vector<std::size_t>& places) {
  struct Looks {
    Checked& system;
    const State& state;
    bool is_apart(model::ProcessId p) const { return model::is_apart(state.world, system.setup_, p); }
    bool is_unnoticed(const Move& move, model::ProcessId p) const {
      State after = state;
      system.apply(after, move);
      const sim::PropertyMask watched = system.options_.watched;
      if (changes_more(state, after, move, system.setup_, watched, p)) return false;
      if (!minds_who_waits(watched)) return true;
      const auto waits = model::Facts{state.world, system.setup_}.waited_for(p);
      return waits.empty() || waits == model::Facts{after.world, system.setup_}.waited_for(p);
    }
  };
  find_enough(moves, setup_, Looks{*this, state}, places);
}

std::vector<model::Observation> Checked::step(State& state, const Move& move) {
  if (names_) names_->before(state.world, move);
  if (words_) words_->before(state.world, move);
  if (instants_) instants_->before(state.world, move);
  if (lattice_) lattice_->before(state.world, move);
  model::StepReport report{.setup = setup_, .engine = engine_, .tracer = tracer_};
  model::apply(state.world, move, report);
  read_now_ = read_now_ || report.read_now;
  for (const model::Observation& observation : report.seen)
    look_for_refusal(observation, {state.world, setup_});
  if (setup_.horizon && state.world.now.since_start >= *setup_.horizon)
    met_horizon_ = met_horizon_ || !model::Facts{state.world, setup_}.at_rest();
  return std::move(report.seen);
}

std::vector<model::Observation> Checked::pass_of_others(State& state, const Move& pass, bool at_deadline) {
  if (names_) names_->before(state.world, pass);
  model::StepReport report{.setup = setup_, .engine = engine_};
  model::pass_time_of_others(state.world, Duration(pass.by), at_deadline, report);
  read_now_ = read_now_ || report.read_now;
  return std::move(report.seen);
}

sim::WitnessMask Checked::apply(State& state, const Move& move) {
  const std::vector<model::Observation> seen = step(state, move);
  Findings findings;
  if (tracer_ != nullptr) findings.why = &reasons_;
  const std::size_t reasons_before = reasons_.size();
  const sim::PropertyMask broken_before = state.monitors->broken;
  Monitors& monitors = state.monitors.write();
  monitors.see(seen, model::Facts{state.world, setup_}, options_.watched, findings);
  ask_predicates(state.world, monitors, findings);
  std::erase_if(reasons_, [&, at = std::size_t{0}](const auto& reason) mutable {
    return at++ >= reasons_before && ((findings.broken & ~broken_before) & bit(reason.first)) == 0;
  });
  return findings.shown;
}

void Checked::look_for_refusal(const model::Observation& observation, const model::Facts& facts) {
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  if (seen == nullptr || refusal_) return;
  sent_[seen->purpose.kind] |= std::uint64_t{1} << seen->purpose.role;
  const model::Role& role = model::role_of(seen->purpose, setup_);
  if (role.described != nullptr && says(seen->items, model::Meaning::unknown))
    refusal_ = fmt::format("{}: no rule of `reply` reads what this request of {} was answered",
                           role.described->place, setup_.thread_name(seen->purpose.thread));
  else if (says(seen->items, model::Meaning::unknown))
    refusal_ = fmt::format("the script in the role `{}` answers {} in a way that this role does not know "
                           "(`lockstep list roles` says what it may answer)",
                           role.name, setup_.thread_name(seen->purpose.thread));
  if (seen->before && seen->after) look_for_strangers(*seen, *seen->before, *seen->after, seen->lock, facts);
  for (const model::LockChange& change : seen->others)
    look_for_strangers(*seen, change.before, change.after, change.lock, facts);
  const bool granted_to_nobody = role.intent == model::Intent::acquire && seen->on_master && seen->after &&
                                 says(seen->items, model::Meaning::granted) && seen->after->nobodys;
  const bool stored_otherwise = stores_it_otherwise(*seen) || granted_to_nobody;
  if (stored_otherwise && role.described != nullptr)
    refusal_ = fmt::format("{}: this request stores {} otherwise than as `holder` says, so that nobody can "
                           "say who holds it",
                           role.described->place, seen->lock);
  else if (stored_otherwise)
    refusal_ = fmt::format("{} is stored otherwise than as {} by the script in the role `{}`, so that nobody "
                           "can say who holds it; the set.toml of its scripts says how it is: "
                           "`stored = \"value of a string\"`",
                           seen->lock, model::shape_of(setup_, seen->purpose.object).name, role.name);
}

/// Scripts call holders by the names that clients send. What an operator writes is a stranger, and may be.
void Checked::look_for_strangers(const model::Evaluated& seen, const model::Truth& before,
                                 const model::Truth& after, const std::string& lock,
                                 const model::Facts& facts) {
  const std::string mine = model::holder_of(seen.purpose, setup_);
  for (const model::Hold& hold : after.holds) {
    const bool was_there = std::any_of(before.holds.begin(), before.holds.end(),
                                       [&](const model::Hold& one) { return one.holder == hold.holder; });
    if (was_there || hold.holder == mine || facts.is_a_thread(hold.holder)) continue;
    refusal_ = fmt::format(
        "the script in the role `{}` stores `{}` as the holder of {}, which is the name of no thread, so "
        "that nobody can say who holds it; a holder is called by the word `holder` of ARGV",
        model::role_of(seen.purpose, setup_).name, hold.holder, lock);
  }
}

void Checked::freeze(State& state) {
  model::freeze(state.world);
  state.monitors.freeze();
}

sim::Digest Checked::digest(const State& state) const {
  const sim::Digest world = model::digest_world(state.world, counts_now());
  const sim::Digest monitors = state.monitors.digest();
  sim::Encoder out;
  for (const sim::Digest& part : {world, monitors}) {
    out.number(part.high);
    out.number(part.low);
  }
  return sim::digest_bytes(out.bytes());
}

void Checked::encode_state(const State& state, sim::Encoder& out) const {
  model::encode_world(state.world, counts_now(), out);
  encode(out, *state.monitors);
}

Checked::State Checked::normal(const State& state) const {
  State normal = state;
  if (!setup_.reductions.identity) return normal;
  Monitors& monitors = normal.monitors.write();
  forget_unread_beliefs(monitors, normal.world, setup_);
  if (leases_are_decided(monitors.broken | ~options_.watched)) {
    forget_leases(monitors);
    for (std::size_t p = 0; p < normal.world.processes.size(); ++p)
      forget_leases(normal.world, sim::make_id<model::ProcessId>(p));
  }
  model::forget_unread(normal.world, setup_);
  if (rebases_) model::rebase(normal.world, setup_);
  else if (setup_.lattice && !options_.with_now)
    normal.world.now.since_start %= setup_.lattice->spacing;
  model::put_in_order(normal.world, setup_);
  return normal;
}

sim::ActorClasses Checked::classes() const {
  return interchangeable(setup_, options_.alike_max);
}

sim::Digest Checked::signature(const State& state, std::size_t actor) const {
  const std::size_t processes = setup_.processes.size();
  if (actor >= processes)
    return signature_of(state.world, setup_, sim::make_id<model::NodeId>(actor - processes));
  return signature_of(state.world, sim::make_id<model::ProcessId>(actor), kinds_of_nodes_);
}

sim::Digest Checked::inner_signature(const State& state, std::size_t thread) const {
  return signature_of(state.world, *state.monitors, setup_, sim::make_id<ThreadId>(thread));
}

sim::Digest Checked::digest_permuted(const State& state, sim::Permutation permutation) const {
  sim::Encoder out;
  encode_permuted(state, permutation, out);
  return sim::digest_bytes(out.bytes());
}

void Checked::encode_permuted(const State& state, sim::Permutation permutation, sim::Encoder& out) const {
  const sim::Names names = names_of(setup_, permutation);
  State renamed = state;
  renamed.world.rename(sim::Renaming(names));
  renamed.monitors.rename(sim::Renaming(names));
  if (setup_.reductions.identity) model::put_in_order(renamed.world, setup_);
  model::encode_world(renamed.world, counts_now(), out);
  encode(out, *renamed.monitors);
}

}  // namespace lockstep::properties
