// rename.h: the same value with actors called by each other's names; derived from its parts.
//
// Wherever an id of a process or a thread stands, or a text that may hold their names, the new one is put:
// in elements, in keys of maps and sets (which are built anew), and in the positions of a Table (table.h).
// Other ids stay. A type that keeps an order of its own says `void renamed()`, which is called after its
// members were renamed and establishes the order again; `void rename(const Renaming&)` replaces what is
// derived. `bool holds_names() const` says whether a value has anything to rename, so that one without need
// not be copied for it; a type that does not say so may always have.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/parts.h"
#include "sim/base/verify.h"

namespace lockstep::sim {

/// Who is called what: each list is a permutation, by old name, and an actor beyond its end keeps its own.
struct Names {
  std::vector<ProcessId> processes;
  std::vector<ThreadId> threads;
  std::vector<std::vector<PlaceId>> places;  // of the threads of each process, by the old name of both
  std::function<std::string(const std::string&)> text;  // absent: texts hold no names
};

/// A view of Names, which must outlive it.
class Renaming {
 public:
  explicit Renaming(const Names& names) : names_(&names) {}

  ProcessId of(ProcessId process) const { return look_up(names_->processes, process); }
  ThreadId of(ThreadId thread) const { return look_up(names_->threads, thread); }
  /// Among the threads of the process that this renaming is inside of.
  PlaceId of(PlaceId place) const { return places_ != nullptr ? look_up(*places_, place) : place; }
  std::string of(const std::string& text) const { return names_->text ? names_->text(text) : text; }

  /// For what belongs to this process, by its old name.
  Renaming inside(ProcessId process) const {
    Renaming within = *this;
    const bool listed = process.index() < names_->places.size();
    within.places_ = listed ? &names_->places[process.index()] : nullptr;
    return within;
  }

 private:
  template <class SomeId>
  static SomeId look_up(const std::vector<SomeId>& names, SomeId old) {
    return old.index() < names.size() ? names[old.index()] : old;
  }

  const Names* names_;
  const std::vector<PlaceId>* places_ = nullptr;
};

template <class T>
bool holds_names(const T& value) {
  if constexpr (requires { value.holds_names(); }) return value.holds_names();
  else return true;
}

template <class T>
concept Named = requires(const T& value, const Renaming& renaming) {
  { renaming.of(value) } -> std::same_as<T>;
};

template <class T>
void rename(T& value, const Renaming& renaming) {
  if constexpr (Named<T>) {
    value = renaming.of(value);
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
