// rename.h: the same value with actors called by each other's names; derived from its parts.
//
// Wherever an id of a process, thread or node stands, or a text that may hold names of the first two, the new
// one is put: in elements, in keys of maps and sets (built anew), in the positions of a Table. Other
// ids stay. A type that keeps an order of its own says `void renamed()`, which is called after its members
// were renamed and establishes the order again; `void rename(const Renaming&)` replaces what is derived.
// `bool holds_names() const` says whether a value has any of a process or a thread to rename, so that one
// without need not be copied for it; a type that does not say so may always have.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/parts.h"
#include "sim/base/verify.h"

namespace lockstep::sim {

/// Who is named in a value, of the processes and threads by their old names. Those whose numbers are equal
/// modulo 64 are told by one bit: who has none is not named.
struct Named {
  std::uint64_t processes = 0, threads = 0;

  void note(ProcessId process) { processes |= bit(process); }
  void note(ThreadId thread) { threads |= bit(thread); }
  bool has(ProcessId process) const { return (processes & bit(process)) != 0; }
  bool has(ThreadId thread) const { return (threads & bit(thread)) != 0; }

 private:
  template <class SomeId>
  static std::uint64_t bit(SomeId id) { return std::uint64_t{1} << id.index() % 64; }
};

/// Who is called what: each list is a permutation, by old name, and an actor beyond its end keeps its own.
struct Names {
  std::vector<ProcessId> processes;
  std::vector<ThreadId> threads;
  std::vector<std::vector<PlaceId>> places;  // of the threads of each process, by the old name of both
  std::vector<NodeId> nodes;                 // empty: each keeps its own
  /// Puts new names into one, and notes which processes it names, with a thread or without. Absent: texts
  /// hold no names.
  std::function<void(std::string&, Named&)> text;
};

/// A view of Names, which must outlive it. It may note who was named: of a process that is, its threads count
/// as well.
class Renaming {
 public:
  explicit Renaming(const Names& names, Named* named = nullptr) : names_(&names), named_(named) {}

  ProcessId of(ProcessId process) const {
    note(process);
    return look_up(names_->processes, process);
  }
  ThreadId of(ThreadId thread) const {
    note(thread);
    return look_up(names_->threads, thread);
  }
  /// Among the threads of the process that this renaming is inside of.
  PlaceId of(PlaceId place) const {
    if (places_ == nullptr) return place;
    note(inside_of_);
    return look_up(*places_, place);
  }
  /// Who is named so is not noted.
  NodeId of(NodeId node) const { return look_up(names_->nodes, node); }
  bool renames_nodes() const { return !names_->nodes.empty(); }
  void put_into(std::string& text) const {
    if (!names_->text) return;
    Named nobody_asks;
    names_->text(text, named_ != nullptr ? *named_ : nobody_asks);
  }

  /// For what belongs to this process, by its old name.
  Renaming inside(ProcessId process) const {
    Renaming within = *this;
    const bool listed = process.index() < names_->places.size();
    within.places_ = listed ? &names_->places[process.index()] : nullptr;
    within.inside_of_ = process;
    return within;
  }

 private:
  template <class SomeId>
  static SomeId look_up(const std::vector<SomeId>& names, SomeId old) {
    return old.index() < names.size() ? names[old.index()] : old;
  }
  template <class SomeId>
  void note(SomeId id) const {
    if (named_ != nullptr) named_->note(id);
  }

  const Names* names_;
  Named* named_;
  const std::vector<PlaceId>* places_ = nullptr;
  ProcessId inside_of_;
};

/// What lies in the place of each node lies in the place of its new name.
template <class T>
void rename_places(std::vector<T>& by_node, const Renaming& renaming) {
  if (!renaming.renames_nodes()) return;
  std::vector<T> renamed(by_node.size());
  for (std::size_t n = 0; n < by_node.size(); ++n)
    renamed[renaming.of(make_id<NodeId>(n)).index()] = std::move(by_node[n]);
  by_node = std::move(renamed);
}

template <class T>
bool holds_names(const T& value) {
  if constexpr (requires { value.holds_names(); }) return value.holds_names();
  else return true;
}

template <class T>
concept HasNewName = requires(const T& value, const Renaming& renaming) {
  { renaming.of(value) } -> std::same_as<T>;
};

template <class T>
void rename(T& value, const Renaming& renaming) {
  if constexpr (HasNewName<T>) {
    value = renaming.of(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    renaming.put_into(value);
  } else if constexpr (requires { value.rename(renaming); }) {
    value.rename(renaming);
  } else if constexpr (detail::is_map<T> || detail::is_set<T>) {
    T renamed;
    while (!value.empty()) {
      auto node = value.extract(value.begin());
      if constexpr (detail::is_map<T>) {
        sim::rename(node.key(), renaming);
        sim::rename(node.mapped(), renaming);
      } else {
        sim::rename(node.value(), renaming);
      }
      VERIFY(renamed.insert(std::move(node)).inserted);
    }
    value = std::move(renamed);
  } else {
    for_each_part(value, [&](auto& part) { sim::rename(part, renaming); });
    if constexpr (requires { value.renamed(); }) value.renamed();
  }
}

}  // namespace lockstep::sim
