// symmetry.h: one representative for all states that differ only in which of several equal actors is which.
//
// A system that has interchangeable actors says so by four members:
//   classes()                       groups of actor indices; members of one have the same program and rights
//   signature(state, actor)         what this actor's situation looks like, without any actor's index in it
//   digest_permuted(state, p)       the digest of the state in which actor i is called p[i] instead
//   encode_permuted(state, p, out)  its encoding
// `p` covers the indices from 0 to the greatest in any class; actors outside all classes keep theirs.
//
// The canonical digest is the least one over those permutations that put each class into the order of its
// signatures; actors with equal signatures are tried in every order. Because signatures do not depend on
// indices, all members of an orbit have the same candidates: the reduction is exact (as many representatives
// as orbits) and independent of the run. A good signature leaves few ties; a poor one costs time, never
// exactness. Twins (tied actors whose exchange leaves the state as it is, such as all actors that have not
// begun) are exchanged only once, since nothing new would come of it.
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

#include "sim/system.h"

namespace lockstep::sim {

using Permutation = std::span<const std::uint16_t>;

template <class S>
concept SymmetricSystem = System<S> && requires(const S& rules, const typename S::State& state,
                                                std::size_t actor, Permutation permutation, Encoder& out) {
  { rules.classes() } -> std::same_as<std::vector<std::vector<std::uint16_t>>>;
  { rules.signature(state, actor) } -> std::same_as<Digest>;
  { rules.digest_permuted(state, permutation) } -> std::same_as<Digest>;
  { rules.encode_permuted(state, permutation, out) } -> std::same_as<void>;
};

template <SymmetricSystem S>
class Canonical {
 public:
  using State = typename S::State;

  explicit Canonical(const S& rules) : rules_(rules), classes_(rules.classes()) {
    std::size_t actors = 0;
    for (auto& members : classes_) {
      std::sort(members.begin(), members.end());
      if (!members.empty()) actors = std::max<std::size_t>(actors, members.back() + 1u);
    }
    for (std::size_t i = 0; i < actors; ++i) permutation_.push_back(static_cast<std::uint16_t>(i));
  }

  Digest digest(const State& state) {
    Digest least{~std::uint64_t{0}, ~std::uint64_t{0}};
    for_each_candidate(state, [&] { least = std::min(least, rules_.digest_permuted(state, permutation_)); });
    return least;
  }

  std::string encoding(const State& state) {
    std::optional<std::string> least;
    for_each_candidate(state, [&] {
      Encoder out;
      rules_.encode_permuted(state, permutation_, out);
      if (!least || out.bytes() < *least) least = out.bytes();
    });
    return *least;
  }

 private:
  struct Member {
    Digest signature;
    std::uint16_t actor = 0;
    friend auto operator<=>(const Member&, const Member&) = default;
  };
  /// Actors of one class with equal signatures; they share as many indices of that class. `order` says for
  /// each index from which group of twins its actor comes, and runs through all arrangements.
  struct Tie {
    std::vector<std::vector<std::uint16_t>> twins;
    std::vector<std::uint16_t> order;
    std::span<const std::uint16_t> indices;
  };

  template <class Visit>
  void for_each_candidate(const State& state, Visit visit) {
    find_ties(state);
    for (;;) {
      visit();
      // An odometer over the orders of each tie: the first that has a next order takes it, those before it
      // start again.
      std::size_t t = 0;
      for (; t < ties_.size(); ++t) {
        const bool has_next = std::next_permutation(ties_[t].order.begin(), ties_[t].order.end());
        assign(ties_[t]);
        if (has_next) break;
      }
      if (t == ties_.size()) return;
    }
  }

  void find_ties(const State& state) {
    ties_.clear();
    for (const auto& members : classes_) {
      sorted_.clear();
      for (const std::uint16_t actor : members) sorted_.push_back({rules_.signature(state, actor), actor});
      std::sort(sorted_.begin(), sorted_.end());
      for (std::size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
        while (end < sorted_.size() && sorted_[end].signature == sorted_[begin].signature) ++end;
        const auto indices = std::span{members}.subspan(begin, end - begin);
        const auto actors = std::span{sorted_}.subspan(begin, end - begin);
        if (actors.size() == 1) permutation_[actors[0].actor] = indices[0];
        else ties_.push_back(tie(state, actors, indices));
      }
    }
    for (const Tie& tie : ties_) assign(tie);
  }

  Tie tie(const State& state, std::span<const Member> actors, Permutation indices) {
    Tie tie{.twins = {}, .order = {}, .indices = indices};
    for (const Member& member : actors) {
      std::size_t group = 0;
      while (group < tie.twins.size() && !are_twins(state, tie.twins[group].front(), member.actor)) ++group;
      if (group == tie.twins.size()) tie.twins.emplace_back();
      tie.twins[group].push_back(member.actor);
      tie.order.push_back(static_cast<std::uint16_t>(group));
    }
    std::sort(tie.order.begin(), tie.order.end());
    return tie;
  }

  bool are_twins(const State& state, std::uint16_t a, std::uint16_t b) {
    exchange_.resize(permutation_.size());
    std::iota(exchange_.begin(), exchange_.end(), std::uint16_t{0});
    const Digest as_it_is = rules_.digest_permuted(state, exchange_);
    std::swap(exchange_[a], exchange_[b]);
    return rules_.digest_permuted(state, exchange_) == as_it_is;
  }

  void assign(const Tie& tie) {
    taken_.assign(tie.twins.size(), 0);
    for (std::size_t i = 0; i < tie.order.size(); ++i) {
      const std::size_t group = tie.order[i];
      permutation_[tie.twins[group][taken_[group]++]] = tie.indices[i];
    }
  }

  const S& rules_;
  std::vector<std::vector<std::uint16_t>> classes_;
  std::vector<std::uint16_t> permutation_;
  std::vector<Tie> ties_;
  std::vector<Member> sorted_;            // kept between calls for their memory only
  std::vector<std::uint16_t> exchange_;
  std::vector<std::size_t> taken_;
};

}  // namespace lockstep::sim
