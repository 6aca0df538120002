// fields.h: a state type lists its fields once; encoding, digest and equality checks derive from that list.
//
//   struct Entry { Duration left; int count;
//     bool operator==(const Entry&) const = default;
//     static auto fields(auto& e) { return std::tie(e.left, e.count); } };
//   static_assert(sim::State<Entry>);
//
// A member that is forgotten in `fields` is a compile error, because arity() counts the members of the
// aggregate. That rules out the commonest bug of a model checker: a part of the state that two different
// states do not differ in.
#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lockstep::sim {

namespace detail {
struct Any {
  template <class T>
  operator T() const;  // NOLINT: converts to any member's type, in unevaluated code only
};

template <class T, std::size_t... I>
constexpr bool initialisable_with(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Any{})...}; };
}

template <class T, std::size_t N = 0>
constexpr std::size_t arity_from() {
  if constexpr (!initialisable_with<T>(std::make_index_sequence<N + 1>{})) return N;
  else return arity_from<T, N + 1>();
}
}  // namespace detail

/// The number of members of the aggregate T.
template <class T>
constexpr std::size_t arity() { return detail::arity_from<T>(); }

template <class T>
concept HasFields = requires(const T& value) { T::fields(value); };

template <class T>
concept Listed =
    std::is_empty_v<T> ||
    (HasFields<T> && std::tuple_size_v<decltype(T::fields(std::declval<const T&>()))> == arity<T>());

/// A regular value whose every member takes part in its identity.
template <class T>
concept State = std::regular<T> && Listed<T>;

}  // namespace lockstep::sim
