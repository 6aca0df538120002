// remembered_memory.h: what stands behind Remembered, for remembered.cpp alone: which function of which slots
// answers each question about a row, and what was found so far (recollection.h).
//
// A move is `apply`: a step of the world, then what monitors see of it. Where the row is the one that was
// listed last, both may be known as a whole (whole_steps.h). Everything may be forgotten between two lists
// of moves, and is asked again then.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "model/world/identity.h"
#include "model/world/publishing.h"
#include "model/world/rebasing.h"
#include "properties/check/check.h"
#include "properties/check/choices.h"
#include "properties/check/forgetting.h"
#include "properties/check/known_moves.h"
#include "properties/check/looked_at.h"
#include "properties/check/recollection.h"
#include "properties/check/reduced.h"
#include "properties/check/remembered.h"
#include "properties/check/renamed.h"
#include "properties/check/views.h"
#include "properties/check/watching.h"
#include "properties/check/whole_steps.h"
#include "sim/base/verify.h"

namespace lockstep::properties {

class Remembered::Memory {
 public:
  using Function = Recollection::Function;
  using Observed = looked_at::Observed;
  using Row = sim::Row;

  Memory(Checked& checked, const Checked::State& start, Memories memories)
      : checked_(checked),
        setup_(checked.setup()),
        memories_(memories),
        in_parts_(Choices::in_parts(setup_)),
        known_(start, checked.may_read_now()),
        choices_(setup_, known_, moves_),
        views_(checked, known_),
        watching_(checked, known_, views_),
        renamed_(checked, known_),
        whole_(known_.stage().process(0), known_.stage().other(), known_.stage().monitors()),
        may_be_whole_(setup_.reductions.identity && !checked.rebases() &&
                      memories != Memories::but_for_scripts) {
    taken_.parts.fill(~std::uint32_t{0});
    if (memories == Memories::short_lived) looked_every_ = 3;
    number_functions();
  }

  Recollection& known() { return known_; }
  Checked& checked() { return checked_; }

  const std::vector<KnownMove>& listed(const Row& row) {
    if (++lists_ % looked_every_ == 0) forget_if_many();
    if (in_parts_) {
      choices_.list(row, list_);
    } else {
      list_.clear();
      checked_.enabled(known_.stage().lay(row), moves_there_);
      for (const Move& move : moves_there_) list_.push_back(KnownMove::of(moves_.number_of(move), move));
    }
    views_.expand(row, watching_.brief_of(row).leases_are_decided);
    are_whole_ = may_be_whole_ && views_.has_sum() && whole_.begin(row, views_.expanded());
    return list_;
  }

  const Move& move_listed(std::size_t place) const { return moves_[list_[place].number]; }

  /// The row is the one that was listed last.
  sim::WitnessMask apply_listed(Row& row, std::size_t place) {
    const KnownMove& move = list_[place];
    if (!are_whole_ || move.passes) return apply(row, move);
    const WholeSteps::Outcome* known = whole_.find(move.number, row);
    return known != nullptr ? take(row, *known) : apply_and_keep(row, move);
  }

  sim::WitnessMask apply(Row& row, const Move& move) {
    const KnownMove known = KnownMove::of(moves_.number_of(move), move);
    const auto is_it = [&](const Tried& one) { return one.number == known.number; };
    const auto tried = std::find_if(tried_.begin(), tried_.end(), is_it);
    if (tried == tried_.end() || tried_from_ != row) return apply(row, known);
    row = tried->after;
    last_ = tried->last;
    return tried->shown;
  }

  sim::WitnessMask apply(Row& row, const KnownMove& move) {
    last_ = in_parts_ && move.passes ? pass(row, moves_[move.number]) : step(row, move.number);
    return watching_.see(row, observed_[last_]);
  }

  bool is_apart(const Row& row, model::ProcessId p) {
    const auto its = static_cast<Function>(p.index());
    const std::uint32_t says = known_.ask(reach_ + its, row, [&](const Checked::State& state) {
      return static_cast<std::uint32_t>(model::reach_of(state.world, setup_, p));
    });
    const auto reach = static_cast<model::Reach>(says);
    if (reach != model::Reach::by_publishing) return reach == model::Reach::apart;
    for (Function q = 0; q < setup_.processes.size(); ++q)
      if (q != its && may_publish(row, q)) return false;
    return true;
  }

  bool may_publish(const Row& row, Function process) {
    return known_.ask(publishing_ + process, row, [&](const Checked::State& state) {
      return model::may_publish_now(state.world, setup_, sim::make_id<model::ProcessId>(process)) ? 1U : 0U;
    }) != 0;
  }

  /// Nobody but the process can tell whether it has taken this move (changes_more).
  bool is_unnoticed(const Row& row, const Move& move, model::ProcessId p) {
    const Row after = after_trying(row, move);
    const Stage& stage = known_.stage();
    const std::size_t mine = stage.process(p.index());
    const bool may_change_other = move.is_fault() || std::holds_alternative<model::Follower>(move.on);
    const std::size_t first = model::is_about_channels(move) ? stage.process(0) : 0;
    for (std::size_t slot = first; slot < stage.components(); ++slot)
      if (row[slot] != after[slot] && slot != mine && slot != stage.monitors() &&
          !(slot == stage.other() && may_change_other))
        return false;
    if (row[stage.monitors()] != after[stage.monitors()] &&
        !is_known_alike(stage.monitors_of(row), stage.monitors_of(after), checked_.options().watched))
      return false;
    if (!minds_who_waits(checked_.options().watched)) return true;
    const bool without_leases = watching_.brief_of(row).leases_are_decided;
    const auto waits = [&](const Row& one) {
      return looked_at::Situation::of(views_.of(one, without_leases).situations[mine]).waits;
    };
    return waits(row) == 0 || waits(row) == waits(after);
  }

  Row normal(const Row& from) {
    Row row = from;
    if (!setup_.reductions.identity) return row;
    const bool without_leases = watching_.brief_of(row).leases_are_decided;
    row[known_.stage().monitors()] = watching_.normal_of(row);
    views_.forget_unread(row, without_leases);
    if (checked_.rebases()) rebase(row);
    return row;
  }

  /// Mostly each slot has its normal form by itself: then no row is made for it.
  sim::Digest normal_digest(const Row& row) {
    if (is_taken(row)) {
      sim::Digest sum = of_now(row);
      add(sum, taken_sum_);
      add(sum, known_.stage().digest(known_.stage().monitors(), watching_.normal_of(row)));
      return sum;
    }
    if (!setup_.reductions.identity) return digest(row);
    const Views::Whole& whole = views_.of(row, watching_.brief_of(row).leases_are_decided);
    if (!views_.is_summed(whole) || checked_.rebases()) return digest(normal(row));
    const Stage& stage = known_.stage();
    sim::Digest sum = of_now(row);
    add(sum, whole.sum);
    add(sum, stage.digest(stage.monitors(), watching_.normal_of(row)));
    return sum;
  }

  sim::PropertyMask violated(const Row& row) { return watching_.brief_of(row).broken; }

  bool finished(const Row& row) {
    return !is_taken(row) && views_.of(row, watching_.brief_of(row).leases_are_decided).ended();
  }

  sim::EndingMask ended(const Row& row) {
    if (!checked_.options().rounds) return finished(row) ? 1 : 0;
    sim::EndingMask some = 0;
    for (std::size_t p = 0; p < setup_.processes.size(); ++p)
      some |= known_.ask(ended_ + static_cast<Function>(p), row, [&](const Checked::State& state) {
        return static_cast<std::uint32_t>(checked_.ended_of(state, p));
      });
    return some;
  }

  sim::Digest digest(const Row& row) const {
    sim::Digest sum = of_now(row);
    const Stage& stage = known_.stage();
    for (std::size_t slot = 0; slot < stage.components(); ++slot) add(sum, stage.digest(slot, row[slot]));
    return sum;
  }

  sim::Digest signature(const Row& row, std::size_t actor) {
    return digests_[known_.ask(
        signature_ + static_cast<Function>(actor), row,
        [&](const Checked::State& state) { return number_of(checked_.signature(state, actor)); })];
  }

  sim::Digest inner_signature(const Row& row, std::size_t t) {
    return digests_[known_.ask(
        inner_signature_ + static_cast<Function>(t), row,
        [&](const Checked::State& state) { return number_of(checked_.inner_signature(state, t)); })];
  }

  template <class Called>
  sim::Digest digest_permuted(const Row& row, Called called) {
    sim::Digest sum = of_now(row);
    add(sum, renamed_.digest(row, called));
    return sum;
  }

  void note_ways(WaysWatch* ways) { ways_ = ways; }
  const std::vector<std::uint32_t>& last_ways() const { return observed_[last_].ways; }

  std::size_t shown() const { return observed_.size() - 1; }
  std::uint64_t times_forgotten() const { return times_forgotten_; }

  Renamed& renamed() { return renamed_; }
  std::uint64_t bytes() const {
    return whole_.bytes() + known_.bytes() + renamed_.bytes() + choices_.bytes() + views_.bytes() +
           watching_.bytes();
  }

 private:
  void number_functions() {
    const std::size_t processes = setup_.processes.size();
    rebasing_ = known_.functions();
    ended_ = known_.functions(processes);
    reach_ = known_.functions(processes);
    publishing_ = known_.functions(processes);
    signature_ = known_.functions(processes + setup_.nodes.size());
    inner_signature_ = known_.functions(setup_.threads.size());
  }

  void forget_if_many() {
    constexpr std::uint64_t kept_max = std::uint64_t{1} << 28, observed_max = std::uint64_t{1} << 18;
    if (memories_ == Memories::short_lived || bytes() > kept_max ||
        std::max(observed_.size(), views_.size()) > observed_max)
      forget();
  }

  void forget() {
    ++times_forgotten_;
    known_.forget();
    number_functions();
    choices_.forget();
    passing_.clear();
    views_.forget();
    steps_.clear();
    tried_.clear();
    moves_ = {};
    observed_.assign(1, {});
    shown_.clear();
    last_ = 0;
    watching_.forget();
    digests_.clear();
    renamed_.forget();
    whole_.forget();
    taken_.parts.fill(~std::uint32_t{0});
  }

  sim::WitnessMask take(Row& row, const WholeSteps::Outcome& known) {
    for (std::uint32_t i = 0; i < known.count; ++i) row[known.changes[i].slot] = known.changes[i].number;
    last_ = known.observed;
    checked_.looks_again(observed_[last_].looked);
    taken_ = row;
    taken_sum_ = views_.expanded().sum;
    add(taken_sum_, known.added);
    return known.shown;
  }
  /// It is the row after the step that was taken as a whole last.
  bool is_taken(const Row& row) const {
    std::uint64_t differ = 0;
    for (std::size_t slot = 0; slot <= known_.stage().now(); slot += 2)
      differ |= taken_.two(slot) ^ row.two(slot);
    return differ == 0;
  }

  sim::WitnessMask apply_and_keep(Row& row, const KnownMove& move) {
    const Row before = row;
    last_ = step(row, move.number);
    const sim::Slots heard = known_.last_heard();
    WholeSteps::Outcome outcome{.observed = last_, .shown = watching_.see(row, observed_[last_])};
    const Stage& stage = known_.stage();
    const bool is_other =
        before[stage.other()] != row[stage.other()] || before[stage.now()] != row[stage.now()];
    if (is_other || !watching_.was_plain() || !views_.have_sums()) return outcome.shown;
    for (std::size_t slot = 0; slot < stage.components(); ++slot) {
      if (before[slot] == row[slot]) continue;
      if (outcome.count == outcome.changes.size()) return outcome.shown;
      outcome.changes[outcome.count++] = {static_cast<std::uint32_t>(slot), row[slot]};
    }
    outcome.added = views_.added();
    whole_.keep(move.number, before, heard | watching_.heard(), outcome);
    return outcome.shown;
  }

  /// A move that is looked at before it is taken.
  struct Tried {
    std::uint32_t number = 0, last = 0;
    sim::WitnessMask shown = 0;
    Row after;
  };

  const Row& after_trying(const Row& row, const Move& move) {
    if (tried_from_ != row) tried_.clear();
    tried_from_ = row;
    const KnownMove known = KnownMove::of(moves_.number_of(move), move);
    Tried tried{.number = known.number, .after = row};
    tried.shown = apply(tried.after, known);
    tried.last = last_;
    return tried_.emplace_back(tried).after;
  }

  /// What the world does, and what that showed.
  std::uint32_t step(Row& row, std::uint32_t number) {
    while (number >= steps_.size()) steps_.push_back(known_.functions());
    return observe(steps_[number], row,
                   [&](Checked::State& state) { return checked_.step(state, moves_[number]); });
  }

  template <class Step>
  std::uint32_t observe(Function function, Row& row, Step step) {
    bool is_new = false;
    std::optional<Row> before;
    if (memories_ == Memories::but_for_scripts) before = row;
    const std::uint32_t says = known_.change(function, row, [&](Checked::State& state) {
      is_new = true;
      const std::uint64_t looked = checked_.looked();
      if (ways_ != nullptr) ways_->gone();
      std::vector<model::Observation> seen = step(state);
      std::vector<std::uint32_t> ways;
      if (ways_ != nullptr) ways = ways_->gone();
      if (seen.empty() && ways.empty() && looked == checked_.looked()) return 0U;
      return number_of(function, {std::move(seen), checked_.looked() - looked, {}, std::move(ways)});
    });
    if (is_new) return says;
    if (before && observed_[says].answers_client()) repeat(*before, row, says, step);
    else checked_.looks_again(observed_[says].looked);
    return says;
  }

  template <class Step>
  void repeat(Row row, const Row& after, std::uint32_t says, Step step) {
    known_.change_anew(row, [&](Checked::State& state) {
      VERIFY(step(state) == observed_[says].seen);
      return says;
    });
    VERIFY(row == after);
  }

  /// A function shows few different things, and monitors see what is equal by one function.
  std::uint32_t number_of(Function function, Observed observed) {
    std::vector<std::uint32_t>& shown = shown_[function];
    for (const std::uint32_t number : shown)
      if (observed_[number].is_like(observed)) return number;
    observed.watching = known_.functions();
    observed_.push_back(std::move(observed));
    return shown.emplace_back(static_cast<std::uint32_t>(observed_.size() - 1));
  }

  /// The same where time passes, taken apart: first all that is of no process.
  std::uint32_t pass(Row& row, Move move) {  // by value: moves may be met meanwhile
    const bool at_deadline = choices_.ends_at_deadline(row, Duration(move.by));
    const auto [known, fresh] = passing_.try_emplace({move.by, at_deadline}, Function{0});
    if (fresh) known->second = known_.functions(1 + setup_.processes.size());
    const Function first = known->second;
    const std::uint32_t says = observe(
        first, row, [&](Checked::State& state) { return checked_.pass_of_others(state, move, at_deadline); });
    for (std::size_t p = 0; p < setup_.processes.size(); ++p)
      known_.change(first + 1 + static_cast<Function>(p), row, [&](Checked::State& state) {
        model::pass_time(state.world, sim::make_id<model::ProcessId>(p), Duration(move.by));
        return 0U;
      });
    return says;
  }

  void rebase(Row& row) {
    known_.change(rebasing_, row, [&](Checked::State& state) {
      model::rebase(state.world, setup_);
      model::put_in_order(state.world, setup_);
      return 0U;
    });
  }

  sim::Digest of_now(const Row& row) const {
    if (!checked_.options().with_now) return {};
    return sim::digest_of(known_.stage().since_start(row));
  }

  std::uint32_t number_of(const sim::Digest& digest) {
    digests_.push_back(digest);
    return static_cast<std::uint32_t>(digests_.size() - 1);
  }


  Checked& checked_;
  const Setup& setup_;
  Memories memories_;
  bool in_parts_;
  std::uint64_t lists_ = 0;          // so many were asked for
  std::uint64_t looked_every_ = 64;  // after so many, what is kept is counted
  Recollection known_;
  KnownMoves moves_;
  Choices choices_;
  Views views_;
  Watching watching_;
  Renamed renamed_;
  WholeSteps whole_;
  bool may_be_whole_, are_whole_ = false;  // the latter: moves of the row that was listed last
  Row taken_;                              // see is_taken
  sim::Digest taken_sum_;
  Function rebasing_{};
  // The first of those for each process or thread:
  Function ended_{}, reach_{}, publishing_{}, signature_{}, inner_signature_{};
  std::vector<KnownMove> list_;    // that was given last
  std::vector<Move> moves_there_;  // the same, where it is not put together from parts
  std::vector<Function> steps_;    // by move
  /// The numbers of what a function says, without what says nothing.
  std::map<Function, std::vector<std::uint32_t>> shown_;
  /// By how far time passes, and whether that ends at a deadline; then those for each process follow.
  std::map<std::pair<std::int64_t, bool>, Function> passing_;
  std::vector<Observed> observed_{1};  // what steps say, by number; the first is nothing
  std::uint32_t last_ = 0;             // of the move that was taken last
  Row tried_from_;
  std::vector<Tried> tried_;  // from there
  WaysWatch* ways_ = nullptr;
  std::uint64_t times_forgotten_ = 0;
  std::vector<sim::Digest> digests_;
};

}  // namespace lockstep::properties
