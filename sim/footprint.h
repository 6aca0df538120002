// footprint.h: which components of a state a move reads, and which it writes.
//
// A footprint may name more than what is touched, never less. Two moves are independent if neither writes
// what the other reads or writes: then each leaves the other enabled, and both orders lead to the same
// state.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/id.h"

namespace lockstep::sim {

/// A component of a state, numbered by its system.
using ComponentId = Id<struct ComponentTag>;

class Footprint;
/// Whether two moves may change places.
bool independent(const Footprint& a, const Footprint& b);

class Footprint {
 public:
  Footprint() = default;
  Footprint(std::initializer_list<ComponentId> read, std::initializer_list<ComponentId> written) {
    for (const ComponentId component : read) reads(component);
    for (const ComponentId component : written) writes(component);
  }

  void reads(ComponentId component) { touch(component, false); }
  void writes(ComponentId component) { touch(component, true); }
  void add(const Footprint& other) {
    for (const Touch& one : other.touches_) touch(one.component, one.written);
  }

  bool touches(ComponentId component) const { return find(component) != nullptr; }
  bool written(ComponentId component) const {
    const Touch* one = find(component);
    return one != nullptr && one->written;
  }
  /// Whether everything that `other` reads is read here or written, and everything it writes is written here.
  bool covers(const Footprint& other) const {
    return std::all_of(other.touches_.begin(), other.touches_.end(), [&](const Touch& one) {
      return one.written ? written(one.component) : touches(one.component);
    });
  }

  bool operator==(const Footprint&) const = default;
  static auto fields(auto& f) { return std::tie(f.touches_); }

  friend bool independent(const Footprint& a, const Footprint& b);

 private:
  struct Touch {
    ComponentId component;
    bool written = false;
    bool operator==(const Touch&) const = default;
    static auto fields(auto& t) { return std::tie(t.component, t.written); }
  };

  const Touch* find(ComponentId component) const {
    const auto at = place_of(component);
    return at != touches_.end() && at->component == component ? &*at : nullptr;
  }
  std::vector<Touch>::const_iterator place_of(ComponentId component) const {
    return std::lower_bound(touches_.begin(), touches_.end(), component,
                            [](const Touch& one, ComponentId id) { return one.component < id; });
  }
  void touch(ComponentId component, bool written) {
    const auto at = touches_.begin() + (place_of(component) - touches_.cbegin());
    if (at == touches_.end() || at->component != component) touches_.insert(at, {component, written});
    else at->written = at->written || written;
  }

  std::vector<Touch> touches_;  // ascending, each component once
};

inline bool independent(const Footprint& a, const Footprint& b) {
  return std::none_of(a.touches_.begin(), a.touches_.end(), [&](const Footprint::Touch& one) {
    return one.written ? b.touches(one.component) : b.written(one.component);
  });
}

/// Moves that say what they may touch; searches may then leave out orders that come to the same.
template <class S>
concept HasFootprints = requires(const S& rules, const typename S::State& state,
                                 const typename S::Move& move) {
  { rules.footprint(state, move) } -> std::same_as<Footprint>;
};

}  // namespace lockstep::sim
