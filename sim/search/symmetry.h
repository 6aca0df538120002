// symmetry.h: one representative for all states that differ only in which of several equal actors is which.
//
// Actors stand in two levels: outer ones (processes), and inner ones (threads) that each belong to an outer
// one and change places with it. A system says by four members which may be exchanged:
//   classes()                       ActorClasses: who is equal to whom
//   signature(state, actor)         what an outer actor's situation looks like, without anybody's name in it
//   inner_signature(state, actor)   the same of an inner one; not needed where there are none
//   digest_permuted(state, p)       the digest of the state in which each actor is called what p says
//   encode_permuted(state, p, out)  its encoding
//
// The canonical digest is the least one over those permutations that put each class into the order of its
// signatures (to the signature of an outer actor those of its inner ones are added); actors with equal
// signatures are tried in every order. Because signatures do not depend on names, all members of an orbit
// have the same candidates: the reduction is exact (as many representatives as orbits) and independent of
// the run. A good signature leaves few ties; a poor one costs time, never exactness.
//
// Twins (tied actors whose exchange leaves the state as it is, such as all actors that have not begun) are
// exchanged only once: if an exchange changes nothing, then of any two candidates that differ by it one is
// enough. Exchanges of outer twins generate every order of them, and take inner arrangements to inner
// arrangements, all of which are tried.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/system.h"

namespace lockstep::sim {

/// Actors by their numbers; those of one class have equal programs and rights.
using ActorClass = std::vector<std::uint16_t>;

struct ActorClasses {
  std::vector<ActorClass> outer;  // those that are in none keep their names
  /// By outer actor: its inner actors in groups, each of which may be permuted. An actor that is equal to
  /// none is a group of its own, for it moves with its outer actor. Outer actors of one class have as many
  /// groups, of the same sizes, and the groups in one place are equal. May be shorter, or empty.
  std::vector<std::vector<ActorClass>> inner;

  bool none() const {
    const auto alone = [](const ActorClass& group) { return group.size() < 2; };
    return std::all_of(outer.begin(), outer.end(), alone) &&
           std::all_of(inner.begin(), inner.end(), [&](const std::vector<ActorClass>& groups) {
             return std::all_of(groups.begin(), groups.end(), alone);
           });
  }
};

/// Actor i is called `outer[i]`, or `inner[i]`. Each covers the numbers up to the greatest in any class; the
/// others keep theirs.
struct Permutation {
  std::span<const std::uint16_t> outer, inner;
};

/// Permutations that are kept.
struct Order {
  std::vector<std::uint16_t> outer, inner;
  Permutation permutation() const { return {outer, inner}; }
};
using Orders = std::vector<Order>;

/// How the actors of one state are put into an order, for a system that remembers what comes of it. An outer
/// actor's rank follows from its signature and those inside it; all orders follow from which ranks are less
/// or equal, and from the signatures inside.
struct Ranking {
  virtual Digest rank_of(std::size_t outer_actor) = 0;
  /// The permutations to try; none if there are very many.
  virtual Orders orders() = 0;

 protected:
  ~Ranking() = default;
};

template <class S>
concept SymmetricSystem = System<S> && requires(const S& rules, const typename S::State& state,
                                                std::size_t actor, Permutation permutation, Encoder& out) {
  { rules.classes() } -> std::same_as<ActorClasses>;
  { rules.signature(state, actor) } -> std::same_as<Digest>;
  { rules.digest_permuted(state, permutation) } -> std::same_as<Digest>;
  { rules.encode_permuted(state, permutation, out) } -> std::same_as<void>;
};

template <SymmetricSystem S>
class Canonical {
 public:
  using State = typename S::State;

  explicit Canonical(const S& rules) : rules_(rules), classes_(rules.classes()) {
    std::size_t outer = classes_.inner.size(), inner = 0;
    for (ActorClass& members : classes_.outer) outer = std::max(outer, sorted_end(members));
    for (auto& groups : classes_.inner)
      for (ActorClass& members : groups) inner = std::max(inner, sorted_end(members));
    classes_.inner.resize(outer);
    for (const ActorClass& members : classes_.outer)
      for (const std::uint16_t actor : members) VERIFY(is_alike(members.front(), actor));
    outer_.resize(outer);
    inner_.resize(inner);
    ranking_ = classes_;
  }

  /// A system may remember the candidates that follow from signatures, and call them by numbers.
  Digest digest(const State& state) {
    if constexpr (requires(Ranking& ranking) { rules_.known_orders(state, ranking); }) {
      RankingOf ranking(*this, state);
      if (const auto* known = rules_.known_orders(state, ranking)) {
        Digest least = rules_.digest_called(state, known->front());
        for (std::size_t i = 1; i < known->size(); ++i)
          least = std::min(least, rules_.digest_called(state, (*known)[i]));
        return least;
      }
    }
    Digest least{~std::uint64_t{0}, ~std::uint64_t{0}};
    for_each_candidate(state, [&](Permutation candidate) {
      least = std::min(least, rules_.digest_permuted(state, candidate));
    });
    return least;
  }

  std::string encoding(const State& state) {
    std::optional<std::string> least;
    for_each_candidate(state, [&](Permutation candidate) {
      Encoder out;
      rules_.encode_permuted(state, candidate, out);
      if (!least || out.bytes() < *least) least = out.bytes();
    });
    return *least;
  }

 private:
  struct Signed {
    Digest signature;
    std::uint16_t actor = 0;
    friend auto operator<=>(const Signed&, const Signed&) = default;
  };
  struct RankingOf final : Ranking {
    RankingOf(Canonical& its, const State& of) : canonical(its), state(of) {}
    Digest rank_of(std::size_t actor) override {
      canonical.inside_.resize(std::max(canonical.inside_.size(), actor + 1));
      if (actor < canonical.ranking_.inner.size()) canonical.rank_inside(state, actor);
      return canonical.rank_of(state, static_cast<std::uint16_t>(actor));
    }
    Orders orders() override { return canonical.orders_of(state); }

    Canonical& canonical;
    const State& state;
  };
  enum class Level : std::uint8_t { outer, inner };
  /// Actors of one class with equal signatures: a stretch of its ranking. `order` says for each place of it
  /// from which group of twins its actor comes, and runs through all arrangements.
  struct Tie {
    Level level;
    std::span<std::uint16_t> places;
    std::vector<ActorClass> twins;
    std::vector<std::uint16_t> order;
  };

  static std::size_t sorted_end(ActorClass& members) {
    std::sort(members.begin(), members.end());
    return members.empty() ? 0 : members.back() + std::size_t{1};
  }
  bool is_alike(std::uint16_t a, std::uint16_t b) const {
    return std::equal(classes_.inner[a].begin(), classes_.inner[a].end(), classes_.inner[b].begin(),
                      classes_.inner[b].end(),
                      [](const auto& x, const auto& y) { return x.size() == y.size(); });
  }

  template <class Visit>
  void for_each_candidate(const State& state, Visit visit) {
    rank_all(state);
    find_twins(state);
    for_each_order(visit);
  }

  /// All that follow from signatures, twins or not; none if there are very many.
  Orders orders_of(const State& state) {
    constexpr std::size_t most = 24;
    rank_all(state);
    std::size_t count = 1;
    for (const Tie& tie : ties_)
      for (std::size_t i = 2; i <= tie.places.size() && count <= most; ++i) count *= i;
    if (count > most) return {};
    for (Tie& tie : ties_) {
      for (const std::uint16_t actor : tie.places) tie.twins.push_back({actor});
      tie.order.resize(tie.places.size());
      std::iota(tie.order.begin(), tie.order.end(), std::uint16_t{0});
    }
    Orders orders;
    for_each_order([&](Permutation) { orders.push_back({outer_, inner_}); });
    return orders;
  }

  template <class Visit>
  void for_each_order(Visit visit) {
    for (;;) {
      follow_ranking();
      visit(Permutation{outer_, inner_});
      // An odometer over the orders of each tie: the first that has a next order takes it, those before it
      // start again.
      std::size_t t = 0;
      for (; t < ties_.size(); ++t) {
        const bool has_next = std::next_permutation(ties_[t].order.begin(), ties_[t].order.end());
        arrange(ties_[t]);
        if (has_next) break;
      }
      if (t == ties_.size()) return;
    }
  }

  /// Puts every class into the order of its signatures, and notes who is tied.
  void rank_all(const State& state) {
    ties_.clear();
    inside_.assign(outer_.size(), {});
    for (std::size_t p = 0; p < ranking_.inner.size(); ++p) rank_inside(state, p);
    for (ActorClass& members : ranking_.outer)
      rank(members, Level::outer, [&](std::uint16_t actor) { return rank_of(state, actor); });
  }

  void rank_inside(const State& state, std::size_t p) {
    if constexpr (requires { rules_.inner_signature(state, p); }) {
      Encoder all;
      const auto signature = [&](std::uint16_t actor) { return rules_.inner_signature(state, actor); };
      for (ActorClass& group : ranking_.inner[p]) {
        rank(group, Level::inner, signature);
        for (const Signed& one : sorted_) encode(all, one.signature);
      }
      inside_[p] = digest_bytes(all.bytes());
    } else {
      VERIFY(ranking_.inner[p].empty());
    }
  }

  Digest rank_of(const State& state, std::uint16_t actor) {
    encoder_.clear();
    encode(encoder_, std::pair{rules_.signature(state, actor), inside_[actor]});
    return digest_bytes(encoder_.bytes());
  }

  template <class SignatureOf>
  void rank(ActorClass& members, Level level, SignatureOf signature_of) {
    sorted_.clear();
    for (const std::uint16_t actor : members) sorted_.push_back({signature_of(actor), actor});
    std::sort(sorted_.begin(), sorted_.end());
    for (std::size_t i = 0; i < members.size(); ++i) members[i] = sorted_[i].actor;
    for (std::size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
      while (end < sorted_.size() && sorted_[end].signature == sorted_[begin].signature) ++end;
      if (end - begin > 1) ties_.push_back({level, std::span{members}.subspan(begin, end - begin), {}, {}});
    }
  }

  void find_twins(const State& state) {
    if (ties_.empty()) return;
    keep_all_names();
    const Digest as_it_is = rules_.digest_permuted(state, {outer_, inner_});
    for (Tie& tie : ties_) {
      for (const std::uint16_t actor : tie.places) {
        const auto is_twin = [&](const ActorClass& group) {
          keep_all_names();
          if (tie.level == Level::outer) exchange_outer(group.front(), actor);
          else std::swap(inner_[group.front()], inner_[actor]);
          return rules_.digest_permuted(state, {outer_, inner_}) == as_it_is;
        };
        const auto group = std::find_if(tie.twins.begin(), tie.twins.end(), is_twin);
        tie.order.push_back(static_cast<std::uint16_t>(group - tie.twins.begin()));
        if (group == tie.twins.end()) tie.twins.push_back({actor});
        else group->push_back(actor);
      }
      std::sort(tie.order.begin(), tie.order.end());
    }
    for (const Tie& tie : ties_) arrange(tie);
  }

  void keep_all_names() {
    std::iota(outer_.begin(), outer_.end(), std::uint16_t{0});
    std::iota(inner_.begin(), inner_.end(), std::uint16_t{0});
  }

  /// With what is inside, by rank.
  void exchange_outer(std::uint16_t a, std::uint16_t b) {
    std::swap(outer_[a], outer_[b]);
    for (std::size_t g = 0; g < ranking_.inner[a].size(); ++g)
      for (std::size_t i = 0; i < ranking_.inner[a][g].size(); ++i)
        std::swap(inner_[ranking_.inner[a][g][i]], inner_[ranking_.inner[b][g][i]]);
  }

  void arrange(const Tie& tie) {
    taken_.assign(tie.twins.size(), 0);
    for (std::size_t i = 0; i < tie.order.size(); ++i) {
      const std::size_t group = tie.order[i];
      tie.places[i] = tie.twins[group][taken_[group]++];
    }
  }

  /// The permutation by which each actor gets the name of its rank.
  void follow_ranking() {
    keep_all_names();
    for (std::size_t c = 0; c < classes_.outer.size(); ++c)
      for (std::size_t i = 0; i < classes_.outer[c].size(); ++i)
        outer_[ranking_.outer[c][i]] = classes_.outer[c][i];
    for (std::size_t p = 0; p < classes_.inner.size(); ++p)
      for (std::size_t g = 0; g < classes_.inner[p].size(); ++g)
        for (std::size_t i = 0; i < classes_.inner[p][g].size(); ++i)
          inner_[ranking_.inner[p][g][i]] = classes_.inner[outer_[p]][g][i];
  }

  const S& rules_;
  ActorClasses classes_;  // every class ascends
  ActorClasses ranking_;  // the same members, in the order of their signatures
  std::vector<std::uint16_t> outer_, inner_;
  std::vector<Tie> ties_;
  std::vector<Digest> inside_;  // by outer actor: the signatures of its inner ones
  std::vector<Signed> sorted_;  // kept between calls for their memory only, and so are the following
  Encoder encoder_;
  std::vector<std::size_t> taken_;
};

}  // namespace lockstep::sim
