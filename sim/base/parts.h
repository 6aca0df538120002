// parts.h: what a state value consists of, one level down; the operations of passing.h, rename.h and cow.h
// derive from it, as those of encode.h do from `fields`.
//
// A part of an optional or variant is what it holds now; of a container, each element; of a State, each
// member that `fields` lists. Keys of maps and elements of sets are shown as constants. A Leaf has no parts.
// A type that is none of these does not compile: nothing is passed over silently.
#pragma once

#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/id.h"
#include "sim/base/time.h"

namespace lockstep::sim {

namespace detail {
template <class T> inline constexpr bool is_leaf =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || (std::is_empty_v<T> && !HasFields<T>);
template <> inline constexpr bool is_leaf<std::string> = true;
template <> inline constexpr bool is_leaf<Instant> = true;
template <> inline constexpr bool is_leaf<std::vector<bool>> = true;
template <class Tag> inline constexpr bool is_leaf<Id<Tag>> = true;
template <class Rep, class Period> inline constexpr bool is_leaf<std::chrono::duration<Rep, Period>> = true;

template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;
template <class T> inline constexpr bool is_variant = false;
template <class... Ts> inline constexpr bool is_variant<std::variant<Ts...>> = true;
template <class T> inline constexpr bool is_pair = false;
template <class A, class B> inline constexpr bool is_pair<std::pair<A, B>> = true;
template <class T> inline constexpr bool is_sequence = false;
template <class T> inline constexpr bool is_sequence<std::vector<T>> = true;
template <class T> inline constexpr bool is_sequence<std::deque<T>> = true;
template <class T, std::size_t N> inline constexpr bool is_sequence<std::array<T, N>> = true;
template <class T> inline constexpr bool is_set = false;
template <class K, class Less> inline constexpr bool is_set<std::set<K, Less>> = true;
template <class T> inline constexpr bool is_map = false;
template <class K, class V, class Less> inline constexpr bool is_map<std::map<K, V, Less>> = true;
}  // namespace detail

template <class T>
concept Leaf = detail::is_leaf<std::remove_const_t<T>>;

template <class T, class Visit>
void for_each_part(T& value, Visit&& visit) {
  using Plain = std::remove_const_t<T>;
  if constexpr (Leaf<T>) {
  } else if constexpr (detail::is_optional<Plain>) {
    if (value) visit(*value);
  } else if constexpr (detail::is_variant<Plain>) {
    std::visit([&](auto& alternative) { visit(alternative); }, value);
  } else if constexpr (detail::is_sequence<Plain> || detail::is_set<Plain>) {
    for (auto& element : value) visit(element);
  } else if constexpr (detail::is_map<Plain> || detail::is_pair<Plain>) {
    const auto halves = [&](auto& pair) { visit(pair.first), visit(pair.second); };
    if constexpr (detail::is_pair<Plain>) halves(value);
    else for (auto& entry : value) halves(entry);
  } else {
    static_assert(HasFields<Plain>, "a part of a state that neither has fields nor is known to be a leaf");
    std::apply([&](auto&... members) { (visit(members), ...); }, Plain::fields(value));
  }
}

}  // namespace lockstep::sim
