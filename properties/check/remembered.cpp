#include "properties/check/remembered.h"

#include <algorithm>
#include <map>
#include <utility>

#include "model/world/identity.h"
#include "model/world/rebasing.h"
#include "properties/check/choices.h"
#include "properties/check/forgetting.h"
#include "properties/check/known_moves.h"
#include "properties/check/looked_at.h"
#include "properties/check/recollection.h"
#include "properties/check/renamed.h"

namespace lockstep::properties {

namespace {

using Function = Recollection::Function;
using looked_at::Observed;
using looked_at::Situation;
using looked_at::Whole;
using sim::Row;

void add(sim::Digest& sum, const sim::Digest& digest) {
  sum.high += digest.high;
  sum.low += digest.low;
}

}  // namespace

class Remembered::Memory {
 public:
  Memory(Checked& checked, const Checked::State& start)
      : checked_(checked),
        setup_(checked.setup()),
        in_parts_(Choices::in_parts(setup_)),
        known_(start, checked.may_read_now()),
        choices_(setup_, known_),
        renamed_(checked, known_) {
    number_functions();
  }

  Recollection& known() { return known_; }
  Checked& checked() { return checked_; }

  void enabled(const Row& row, std::vector<Move>& moves) {
    constexpr std::uint64_t kept_max = std::uint64_t{1} << 28, observed_max = std::uint64_t{1} << 18;
    if (known_.bytes() > kept_max || observed_.size() > observed_max) forget();
    if (in_parts_) {
      listed_ = choices_.list_of(row);
      moves = choices_.moves(listed_);
    } else {
      listed_ = 0;
      numbers_.clear();
      checked_.enabled(known_.stage().lay(row), moves);
    }
    if (listed_ >= numbers_.size()) numbers_.resize(listed_ + 1);
    if (numbers_[listed_].empty())
      for (const Move& move : moves) numbers_[listed_].push_back(number_of(move));
  }

  sim::WitnessMask apply_listed(Row& row, std::size_t place) { return apply(row, numbers_[listed_][place]); }

  sim::WitnessMask apply(Row& row, const Move& move) { return apply(row, number_of(move)); }

  sim::WitnessMask apply(Row& row, std::uint32_t number) {
    const bool in_parts = in_parts_ && moves_[number].passes_time();
    const Observed& observed = observed_[in_parts ? pass(row, moves_[number]) : step(row, number)];
    Findings found = watch(row, observed);
    const Whole whole = whole_of(row);
    for (std::size_t i = 0; i < fact_checks; ++i) {
      const Findings more = check(static_cast<FactCheck>(i), row, whole);
      found.broken |= more.broken;
      found.shown |= more.shown;
    }
    const sim::PropertyMask before = violated(row);
    found.broken &= checked_.options().watched & ~before;
    if (found.broken != 0 || before != 0) settle(row, found.broken);
    return found.shown;
  }

  Row normal(Row row) {
    if (!setup_.reductions.identity) return row;
    const sim::PropertyMask decided = violated(row) | ~checked_.options().watched;
    const bool without_leases = leases_are_decided(decided);
    if (without_leases || may_forget_beliefs(row))
      known_.change(beliefs_, row, [&](Checked::State& state) {
        Monitors& monitors = state.monitors.write();
        forget_unread_beliefs(monitors, state.world, setup_);
        if (leases_are_decided(monitors.broken | ~checked_.options().watched)) forget_leases(monitors);
        return 0U;
      });
    const Function first = without_leases ? unread_without_leases_ : unread_;
    for (std::size_t p = 0; p < setup_.processes.size(); ++p)
      known_.change(first + static_cast<Function>(p), row, [&](Checked::State& state) {
        const auto process = sim::make_id<model::ProcessId>(p);
        if (without_leases) forget_leases(state.world, process);
        model::forget_unread(state.world, setup_, process);
        if (!checked_.rebases()) model::put_in_order(state.world, setup_, process);
        return 0U;
      });
    for (std::size_t n = 0; n < setup_.nodes.size(); ++n)
      known_.change(unread_of_nodes_ + static_cast<Function>(n), row, [&](Checked::State& state) {
        model::forget_unread(state.world, setup_, sim::make_id<model::NodeId>(n));
        return 0U;
      });
    known_.change(gone_, row, [&](Checked::State& state) {
      model::forget_gone_nodes(state.world, setup_);
      return 0U;
    });
    if (checked_.rebases()) rebase(row);
    return row;
  }

  sim::PropertyMask violated(const Row& row) const { return known_.stage().monitors_of(row).broken; }

  sim::EndingMask ended(const Row& row) {
    sim::EndingMask some = 0;
    for (std::size_t p = 0; p < setup_.processes.size(); ++p) {
      const auto its = known_.ask(ended_ + static_cast<Function>(p), row, [&](const Checked::State& state) {
        return static_cast<std::uint32_t>(checked_.ended_of(state, p));
      });
      if (some |= its; its == 0 && !checked_.options().rounds) return 0;
    }
    return some;
  }

  sim::Digest digest(const Row& row) const {
    sim::Digest sum = of_now(row);
    const Stage& stage = known_.stage();
    for (std::size_t slot = 0; slot < stage.components(); ++slot) add(sum, stage.digest(slot, row[slot]));
    return sum;
  }

  sim::Digest signature(const Row& row, std::size_t p) {
    return digests_[known_.ask(signature_ + static_cast<Function>(p), row, [&](const Checked::State& state) {
      return number_of(checked_.signature(state, p));
    })];
  }

  sim::Digest inner_signature(const Row& row, std::size_t t) {
    return digests_[known_.ask(
        inner_signature_ + static_cast<Function>(t), row,
        [&](const Checked::State& state) { return number_of(checked_.inner_signature(state, t)); })];
  }

  sim::Digest digest_permuted(const Row& row, sim::Permutation permutation) {
    sim::Digest sum = of_now(row);
    add(sum, renamed_.digest(row, permutation));
    return sum;
  }

 private:
  void number_functions() {
    const std::size_t processes = setup_.processes.size();
    checking_ = known_.functions(fact_checks);
    granted_when_moving_ = known_.functions();
    situation_ = known_.functions(processes);
    beliefs_ = known_.functions();
    gone_ = known_.functions();
    rebasing_ = known_.functions();
    unread_ = known_.functions(processes);
    unread_without_leases_ = known_.functions(processes);
    ended_ = known_.functions(processes);
    signature_ = known_.functions(processes);
    inner_signature_ = known_.functions(setup_.threads.size());
    unread_of_nodes_ = known_.functions(setup_.nodes.size());
  }

  void forget() {
    known_.forget();
    number_functions();
    choices_.forget();
    passing_.clear();
    situations_.clear();
    numbers_.clear();
    steps_.clear();
    moves_ = {};
    settling_.clear();
    observed_.assign(1, {});
    found_.assign(1, {});
    digests_.clear();
    renamed_.forget();
  }

  model::Facts facts(const Checked::State& state) const { return {state.world, setup_}; }

  std::uint32_t number_of(const Move& move) {
    const std::uint32_t number = moves_.number_of(move);
    if (number == steps_.size()) steps_.push_back(known_.functions());
    return number;
  }

  /// What the world does, and what that showed.
  std::uint32_t step(Row& row, std::uint32_t number) {
    const Move& move = moves_[number];
    return observe(steps_[number], row, [&](Checked::State& state) { return checked_.step(state, move); });
  }

  template <class Step>
  std::uint32_t observe(Function function, Row& row, Step step) {
    bool is_new = false;
    const std::uint32_t says = known_.change(function, row, [&](Checked::State& state) {
      is_new = true;
      const std::uint64_t looked = checked_.looked();
      std::vector<model::Observation> seen = step(state);
      if (seen.empty() && looked == checked_.looked()) return 0U;
      observed_.push_back({std::move(seen), checked_.looked() - looked, known_.functions()});
      return static_cast<std::uint32_t>(observed_.size() - 1);
    });
    if (!is_new) checked_.looks_again(observed_[says].looked);
    return says;
  }

  /// The same where time passes, taken apart: first all that is of no process.
  std::uint32_t pass(Row& row, const Move& move) {
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

  Findings watch(Row& row, const Observed& observed) {
    if (observed.seen.empty()) return {};
    return found_[known_.change(observed.watching, row, [&](Checked::State& state) {
      Findings findings;
      state.monitors.write().watch(observed.seen, facts(state), checked_.options().watched, findings);
      return number_of(findings);
    })];
  }

  /// Beliefs of depth zero are there, all others are kept.
  bool may_forget_beliefs(const Row& row) const {
    const auto& held = known_.stage().monitors_of(row).beliefs.held;
    return std::any_of(held.begin(), held.end(), [](const auto& one) { return one.second.depth == 0; });
  }

  Whole whole_of(const Row& row) {
    Whole whole;
    for (std::size_t p = 0; p < setup_.processes.size(); ++p) {
      const auto process = sim::make_id<model::ProcessId>(p);
      const std::uint32_t number =
          known_.ask(situation_ + static_cast<Function>(p), row, [&](const Checked::State& state) {
            return number_of(Situation{facts(state).waited_for(process), facts(state).silent(process),
                                       model::all_ended(*state.world.processes[p])});
          });
      const Situation& its = situations_[number];
      whole.situations[known_.stage().process(p)] = number;
      whole.waited = whole.waited || !its.waits.empty();
      whole.silent = whole.silent && its.silent;
      whole.ended = whole.ended && its.ended;
    }
    return whole;
  }

  /// What has nothing to look at is not looked at, and finds nothing.
  Findings check(FactCheck which, Row& row, const Whole& whole) {
    const Monitors& monitors = known_.stage().monitors_of(row);
    switch (which) {
      case FactCheck::free_after_crash:
        if (monitors.free_after_crash.asked.empty()) return {};
        break;
      case FactCheck::granted_in_time:
        return check_granted(row, whole, monitors);
      case FactCheck::nothing_left_behind:
        if (!whole.ended) return {};
        break;
      case FactCheck::on_request:
        if (monitors.on_request.empty()) return {};
        break;
      case FactCheck::answers:
        if (monitors.answers.counts.empty() || !whole.ended) return {};
        break;
      case FactCheck::lock_has_ttl:
        return check_ttl(row);
    }
    return check_facts(which, row);
  }

  /// It does not depend on what the monitors know.
  Findings check_ttl(const Row& row) {
    return found_[known_.ask(checking_, row, [&](const Checked::State& state) {
      Findings findings;
      check_lock_has_ttl(facts(state), findings);
      return number_of(findings);
    })];
  }

  Findings check_facts(FactCheck which, Row& row) {
    const auto function = checking_ + static_cast<Function>(which);
    return found_[known_.change(function, row, [&](Checked::State& state) {
      Findings findings;
      state.monitors.write().check(which, facts(state), checked_.options().watched, findings);
      return number_of(findings);
    })];
  }

  /// As long as something is under way, all that it must know of processes is who waits.
  Findings check_granted(Row& row, const Whole& whole, const Monitors& monitors) {
    const sim::PropertyMask watched = checked_.options().watched & ~monitors.broken;
    if ((watched & bit(Property::granted_in_time)) == 0) return {};
    if (!whole.waited && monitors.granted_in_time.left.empty()) return {};
    if (whole.silent) return check_facts(FactCheck::granted_in_time, row);
    const Stage& stage = known_.stage();
    const sim::Slots processes = (sim::Slots{1} << stage.other()) - (sim::Slots{1} << stage.process(0));
    const auto work = [&](Checked::State& state) {
      std::vector<model::Facts::Wait> waits;
      for (std::size_t p = 0; p < setup_.processes.size(); ++p) {
        const Situation& its = situations_[whole.situations[stage.process(p)]];
        waits.insert(waits.end(), its.waits.begin(), its.waits.end());
      }
      Findings findings;
      state.monitors.write().granted_in_time.check(waits, false, facts(state), findings);
      return number_of(findings);
    };
    return found_[known_.change_told(granted_when_moving_, row, whole.situations, processes, work)];
  }

  void settle(Row& row, sim::PropertyMask broken) {
    const auto [known, fresh] = settling_.try_emplace(broken, Function{0});
    if (fresh) known->second = known_.functions();
    known_.change(known->second, row, [&](Checked::State& state) {
      Findings findings{.broken = broken};
      state.monitors.write().settle(checked_.options().watched, findings);
      return 0U;
    });
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
    return sim::digest_of(row[known_.stage().now()]);
  }

  std::uint32_t number_of(const sim::Digest& digest) {
    digests_.push_back(digest);
    return static_cast<std::uint32_t>(digests_.size() - 1);
  }

  std::uint32_t number_of(Situation situation) {
    const auto same = std::find(situations_.begin(), situations_.end(), situation);
    const auto number = static_cast<std::uint32_t>(same - situations_.begin());
    if (same == situations_.end()) situations_.push_back(std::move(situation));
    return number;
  }

  std::uint32_t number_of(const Findings& findings) {
    const auto same = std::find_if(found_.begin(), found_.end(), [&](const Findings& one) {
      return one.broken == findings.broken && one.shown == findings.shown;
    });
    if (same == found_.end())
      return found_.push_back(findings), static_cast<std::uint32_t>(found_.size() - 1);
    return static_cast<std::uint32_t>(same - found_.begin());
  }

  Checked& checked_;
  const Setup& setup_;
  bool in_parts_;
  Recollection known_;
  Choices choices_;
  Renamed renamed_;
  Function granted_when_moving_{}, beliefs_{}, gone_{}, rebasing_{};
  // The first of those for each check, process, thread or node.
  Function checking_{}, situation_{};
  Function unread_{}, unread_without_leases_{}, ended_{}, signature_{}, inner_signature_{},
      unread_of_nodes_{};
  KnownMoves moves_;
  std::vector<std::vector<std::uint32_t>> numbers_;  // of moves, by list
  std::uint32_t listed_ = 0;                         // the list that was given last
  std::vector<Function> steps_;                      // by move
  std::map<sim::PropertyMask, Function> settling_;   // by what a step broke
  /// By how far time passes, and whether that ends at a deadline; then those for each process follow.
  std::map<std::pair<std::int64_t, bool>, Function> passing_;
  // What functions say, by number; the first is nothing.
  std::vector<Observed> observed_{1};
  std::vector<Findings> found_{1};
  std::vector<Situation> situations_;
  std::vector<sim::Digest> digests_;
};

bool Remembered::fits(const Setup& setup) { return Stage::fits(setup); }

Remembered::Remembered(Checked& system, const Checked::State& start)
    : memory_(std::make_unique<Memory>(system, start)) {}
Remembered::Remembered(Remembered&&) noexcept = default;
Remembered::~Remembered() = default;

Row Remembered::initial() const { return memory_->known().stage().start(); }
void Remembered::enabled(const State& state, std::vector<Move>& moves) const {
  memory_->enabled(state, moves);
}
sim::WitnessMask Remembered::apply(State& state, const Move& move) { return memory_->apply(state, move); }
sim::WitnessMask Remembered::apply_listed(State& state, std::size_t place) {
  return memory_->apply_listed(state, place);
}
Row Remembered::adopt(Remembered& other, const State& state) {
  return memory_->known().stage().adopted(other.memory_->known().stage(), state);
}
bool Remembered::must_stop() const { return memory_->checked().must_stop(); }
sim::Digest Remembered::digest(const State& state) const { return memory_->digest(state); }
Row Remembered::normal(const State& state) const { return memory_->normal(state); }
sim::PropertyMask Remembered::violated(const State& state) const { return memory_->violated(state); }
sim::EndingMask Remembered::endings_asked() const { return memory_->checked().endings_asked(); }
sim::EndingMask Remembered::ended(const State& state) const { return memory_->ended(state); }
std::uint64_t Remembered::bytes() const { return memory_->known().bytes(); }
void Remembered::encode_state(const State& state, sim::Encoder& out) const {
  memory_->checked().encode_state(memory_->known().stage().lay(state), out);
}

std::string Remembered::show(const Move& move) const { return memory_->checked().show(move); }
sim::Result<model::Move> Remembered::parse(std::string_view text) const {
  return memory_->checked().parse(text);
}

sim::ActorClasses Remembered::classes() const { return memory_->checked().classes(); }

sim::Digest Remembered::signature(const State& state, std::size_t process) const {
  return memory_->signature(state, process);
}

sim::Digest Remembered::inner_signature(const State& state, std::size_t thread) const {
  return memory_->inner_signature(state, thread);
}

sim::Digest Remembered::digest_permuted(const State& state, sim::Permutation permutation) const {
  return memory_->digest_permuted(state, permutation);
}

void Remembered::encode_permuted(const State& state, sim::Permutation permutation, sim::Encoder& out) const {
  memory_->checked().encode_permuted(memory_->known().stage().lay(state), permutation, out);
}

}  // namespace lockstep::properties
