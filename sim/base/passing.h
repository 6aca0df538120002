// passing.h: letting time pass for a value, and asking how far it may; derived from its parts.
//
//   pass(value, passed)      every Timer and Countdown inside shrinks by what its clock moved
//   next_deadline(value)     the least that is left of any Timer inside, those that are due apart, or `never`
//   counts_down(value)       whether passing time would change it
//
// What is due stays due, even when a wall clock is set back. A type whose times follow another rule has
// members of the same names, which replace what is derived. For next_deadline, wall clocks are reckoned to
// run true.
#pragma once

#include <algorithm>

#include "sim/base/parts.h"
#include "sim/base/timer.h"

namespace lockstep::sim {

namespace detail {
template <class T> inline constexpr bool is_timer = false;
template <Clock C> inline constexpr bool is_timer<TimerOn<C>> = true;
template <class T>
concept CountsDown = is_timer<T> || std::is_same_v<T, Countdown>;
}  // namespace detail

template <class T>
bool counts_down(const T& value) {
  if constexpr (detail::CountsDown<T>) {
    return value.left != never && value.left > Duration::zero();
  } else if constexpr (requires { value.counts_down(); }) {
    return value.counts_down();
  } else if constexpr (requires(T& changed, const Passed& passed) { changed.pass(passed); }) {
    return true;
  } else {
    bool any = false;
    for_each_part(value, [&](const auto& part) { any = any || sim::counts_down(part); });
    return any;
  }
}

template <class T>
void pass(T& value, const Passed& passed) {
  using Plain = std::remove_const_t<T>;
  if constexpr (detail::CountsDown<Plain>) {
    static_assert(!std::is_const_v<T>, "time cannot pass for the key of a map or the element of a set");
    constexpr bool wall = std::is_same_v<Plain, WallTimer>;
    if (counts_down(value)) value.left = count_down(value.left, wall ? passed.wall : passed.steady);
  } else if constexpr (requires { value.pass(passed); }) {
    value.pass(passed);
  } else {
    for_each_part(value, [&](auto& part) { sim::pass(part, passed); });
  }
}

template <class T>
Duration next_deadline(const T& value) {
  if constexpr (detail::is_timer<T>) {
    return value.due() ? never : value.left;
  } else if constexpr (requires { value.next_deadline(); }) {
    return value.next_deadline();
  } else {
    Duration next = never;
    for_each_part(value, [&](const auto& part) { next = std::min(next, sim::next_deadline(part)); });
    return next;
  }
}

}  // namespace lockstep::sim
