// claims.h: the states that several workers meet at one level and that were not met at an earlier one.
//
// Who meets such a state first claims its place in the table of states that were met (seen_set.h). The claim
// is a number that says which worker's so-manyth find it is, so that what others meet can be compared with
// its key. A worker that meets what another has claimed makes a find of it, too: which of them would have
// come first, if one worker alone took all steps, is only known when all have ended. Then the finds are read
// in the order of one worker, and each claim gets the number that its state is given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/digest.h"
#include "sim/search/dead_end.h"
#include "sim/search/seen_set.h"
#include "sim/system.h"

namespace lockstep::sim {

/// Visits what several lists hold, each of which goes by `from`, in the order of that.
template <class ListOf, class Visit>
void in_order(std::size_t lists, ListOf list_of, Visit visit) {
  std::vector<std::size_t> at(lists, 0);
  const auto from_of = [&](std::size_t i) { return list_of(i)[at[i]].from; };
  for (;;) {
    std::size_t next = lists;
    for (std::size_t i = 0; i < lists; ++i)
      if (at[i] < list_of(i).size() && (next == lists || from_of(i) < from_of(next))) next = i;
    if (next == lists) return;
    auto& list = list_of(next);
    const std::uint32_t from = list[at[next]].from;
    std::size_t i = at[next];
    for (; i < list.size() && list[i].from == from; ++i) visit(next, list[i]);
    at[next] = i;
  }
}

template <class State>
class Claims {
 public:
  /// A new state as a worker met it first, by the step that it took there.
  struct Find {
    State state;
    PropertyMask violated = 0;
    EndingMask ended = 0;
    std::uint32_t from = 0;
    std::uint16_t move = 0;
    std::optional<std::uint32_t> of_other;  // the claim, if another worker made it
    // Of what was claimed:
    std::size_t place = 0;                // in the table
    const Find* earlier = nullptr;        // as another met it, if that came first
    std::optional<std::uint32_t> number;  // that it was given
  };

  explicit Claims(std::size_t workers) : workers_(workers) {}

  /// A level.
  void begin(const DigestSet& seen) {
    base_ = seen.size();
    room_ = 0;
    for (Worker& worker : workers_) {
      worker.finds.clear();
      worker.of_others.clear();
      worker.met_of_others.clear();
      worker.wanted = 0;
    }
  }

  /// For so many finds of each worker, or more if that was not enough.
  void make_room(std::size_t finds, DigestSet& seen) {
    for (const Worker& worker : workers_)
      room_ = std::max(room_, worker.finds.size() + worker.wanted + finds);
    for (Worker& worker : workers_) worker.keys.resize(std::max(worker.keys.size(), room_));
    if (!seen.make_room(base_ + room_ * workers_.size())) return;
    for (std::size_t worker = 0; worker < workers_.size(); ++worker)
      for (std::size_t i = 0; i < workers_[worker].finds.size(); ++i) {
        Find& find = workers_[worker].finds[i];
        if (!find.of_other) find.place = seen.claim_again(workers_[worker].keys[i], claim_of(worker, i));
      }
  }
  /// False is remembered for the next make_room.
  bool has_room(std::size_t worker, std::size_t steps) {
    const bool has = workers_[worker].finds.size() + steps <= room_;
    workers_[worker].wanted = has ? 0 : steps;
    return has;
  }

  /// A claim, or the number of a state that was met at an earlier level. `note()` makes the find, which is
  /// asked for where this worker has none of this state. Workers may do this at the same time.
  template <class Note>
  std::uint32_t meet(std::size_t worker, const Digest& key, DigestSet& seen, const Note& note) {
    Worker& mine = workers_[worker];
    const std::size_t own = mine.finds.size();
    mine.keys[own] = key;  // which others may read as soon as there is a claim
    const DigestSet::Claim claim =
        seen.claim(key, claim_of(worker, own), [&](std::uint32_t other) { return key_of(other) == key; });
    if (claim.fresh) {
      mine.finds.push_back(note());
      mine.finds.back().place = claim.place;
    } else if (claim.number >= base_ && claimant(claim.number) != worker &&
               mine.met_of_others.insert(key).fresh) {
      mine.finds.push_back(note());
      mine.finds.back().of_other = claim.number;
      mine.of_others.push_back(own);
    }
    return claim.number;
  }
  /// It will be met very soon.
  void expect(const Digest& key, DigestSet& seen) {
    seen.expect_claimed(key, [&](std::uint32_t claim) { return &key_of(claim); });
  }

  /// Of states that several met, in one part of all: who came first. Parts may be done side by side.
  void find_first(std::size_t part) {
    for (Worker& worker : workers_)
      for (const std::size_t i : worker.of_others) {
        if (worker.keys[i].high % workers_.size() != part) continue;
        Find& its = claimed(worker.finds[i]);
        if (comes_before(worker.finds[i], its.earlier != nullptr ? *its.earlier : its))
          its.earlier = &worker.finds[i];
      }
  }

  /// Numbers all new states in the order of one worker, up to those from `last`: take(find, number).
  template <class Take>
  void number(std::uint32_t last, DigestSet& seen, Take take) {
    in_order(
        workers_.size(), [&](std::size_t i) -> std::vector<Find>& { return workers_[i].finds; },
        [&](std::size_t worker, Find& find) {
          if (!is_new(find, last)) return;
          const Worker& its = workers_[worker];
          const auto number = static_cast<std::uint32_t>(seen.size());
          claimed(find).number = number;
          seen.append(its.keys[static_cast<std::size_t>(&find - its.finds.data())]);
          take(find, number);
        });
  }
  /// Of what a step led to: the number of the state, if it was given one.
  std::uint32_t number_of(std::uint32_t to) { return to < base_ ? to : *claimed(to).number; }

  /// What a worker claimed is given its number in the table, too; what it met first goes to take(number,
  /// state). Workers may do this at the same time.
  template <class Take>
  void settle(std::size_t worker, std::uint32_t last, DigestSet& seen, Take take) {
    constexpr std::size_t ahead = 16;
    std::vector<Find>& all = workers_[worker].finds;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i + ahead < all.size()) seen.expect_to_settle(all[i + ahead].place);
      if (!all[i].of_other && all[i].number) seen.settle(all[i].place, *all[i].number);
      if (is_new(all[i], last)) take(*claimed(all[i]).number, std::move(all[i].state));
    }
  }

  /// Of one worker.
  std::uint64_t bytes(std::size_t worker) const {
    const Worker& its = workers_[worker];
    return its.finds.capacity() * sizeof(Find) + its.keys.capacity() * sizeof(Digest) +
           its.of_others.capacity() * sizeof(std::size_t) + its.met_of_others.bytes();
  }

 private:
  struct alignas(128) Worker {  // none writes what lies beside what another one reads
    std::vector<Find> finds;
    std::vector<Digest> keys;            // of these, and some that are none's yet
    std::vector<std::size_t> of_others;  // which of these others have claimed
    DigestSet met_of_others;             // their keys
    std::size_t wanted = 0;              // room, for all steps from the state that is next
  };

  // Claims are numbers from base_ on, in turn one of each worker.
  std::uint32_t claim_of(std::size_t worker, std::size_t find) const {
    return static_cast<std::uint32_t>(base_ + find * workers_.size() + worker);
  }
  std::size_t claimant(std::uint32_t claim) const { return (claim - base_) % workers_.size(); }
  std::size_t place_of(std::uint32_t claim) const { return (claim - base_) / workers_.size(); }
  const Digest& key_of(std::uint32_t claim) const { return workers_[claimant(claim)].keys[place_of(claim)]; }
  Find& claimed(std::uint32_t claim) { return workers_[claimant(claim)].finds[place_of(claim)]; }
  Find& claimed(Find& find) { return find.of_other ? claimed(*find.of_other) : find; }

  /// It is how its state was met first of all, and not too late.
  bool is_new(Find& find, std::uint32_t last) {
    const Find* earlier = claimed(find).earlier;
    return find.from <= last && (find.of_other ? earlier == &find : earlier == nullptr);
  }
  static bool comes_before(const Find& one, const Find& other) {
    return std::pair(one.from, one.move) < std::pair(other.from, other.move);
  }

  std::vector<Worker> workers_;
  std::size_t base_ = 0;  // so many states had been met before this level
  std::size_t room_ = 0;  // so many finds may each worker have
};

}  // namespace lockstep::sim
