// encode.h: the canonical bytes of a state value.
//
// Two values of one type are equal if and only if their encodings are the same bytes. The encoding is what
// exhaustive search compares under --exact, and what the 128-bit digest is taken of. It is defined for
// integers, enums, durations, ids, strings, optionals, variants, pairs, arrays, vectors, deques, ordered maps
// and sets, and every `State` type (fields.h). Integers are written as 8 little-endian bytes and containers
// begin with their length, so no two sequences collide.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/id.h"

namespace lockstep::sim {

/// A growing buffer of canonical bytes. A search spends much of its time here, eight bytes after eight bytes:
/// hence no std::string, whose append is a call, and no memory from elsewhere for what is not long.
class Encoder {
 public:
  Encoder() {}
  Encoder(Encoder&& other) : Encoder() { add(other.bytes()); }
  Encoder& operator=(Encoder&&) = delete;
  ~Encoder() = default;

  void number(std::uint64_t value) {
    // x86-64 and aarch64 are little-endian; encodings stay in one process.
    std::memcpy(room(sizeof value), &value, sizeof value);
  }
  void text(std::string_view value) {
    number(value.size());
    add(value);
  }
  /// Until more is written.
  std::string_view bytes() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }
  void clear() { end_ = begin_; }

 private:
  void add(std::string_view bytes) {
    if (!bytes.empty()) std::memcpy(room(bytes.size()), bytes.data(), bytes.size());
  }
  [[gnu::always_inline]] char* room(std::size_t bytes) {
    if (static_cast<std::size_t>(limit_ - end_) < bytes) grow(bytes);
    return std::exchange(end_, end_ + bytes);
  }
  [[gnu::noinline]] void grow(std::size_t bytes) {
    const std::size_t size = this->bytes().size(), capacity = 2 * size + bytes;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    std::copy(begin_, end_, larger.get());
    larger_ = std::move(larger);
    begin_ = larger_.get();
    end_ = begin_ + size;
    limit_ = begin_ + capacity;
  }

  char first_[1000];  // NOLINT: holds most components of a world, and nothing until it is written to
  char *begin_ = first_, *end_ = first_, *limit_ = first_ + sizeof first_;
  std::unique_ptr<char[]> larger_;
};

template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void encode(Encoder& out, T value) {
  if constexpr (std::is_floating_point_v<T>) {  // Redis's own numbers only: scores
    std::uint64_t bits = 0;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&bits, &value, sizeof bits);
    out.number(bits);
  } else {
    out.number(static_cast<std::uint64_t>(value));
  }
}
inline void encode(Encoder& out, const std::string& value) { out.text(value); }
template <class Tag>
void encode(Encoder& out, Id<Tag> id) { out.number(id.value); }
template <class Rep, class Period>
void encode(Encoder& out, std::chrono::duration<Rep, Period> value) {
  out.number(static_cast<std::uint64_t>(value.count()));
}

// Declared before any is defined, so that they find each other.
template <class T> void encode(Encoder& out, const std::optional<T>& value);
template <class A, class B> void encode(Encoder& out, const std::pair<A, B>& value);
template <class... Ts> void encode(Encoder& out, const std::variant<Ts...>& value);
template <class T, std::size_t N> void encode(Encoder& out, const std::array<T, N>& values);
template <class T> void encode(Encoder& out, const std::vector<T>& values);
template <class T> void encode(Encoder& out, const std::deque<T>& values);
template <class K, class V, class Less> void encode(Encoder& out, const std::map<K, V, Less>& values);
template <class K, class Less> void encode(Encoder& out, const std::set<K, Less>& values);
inline void encode(Encoder&, std::monostate) {}
template <class T>
  requires HasFields<T>
void encode(Encoder& out, const T& value);
template <class T>
  requires(std::is_empty_v<T> && !HasFields<T>)
void encode(Encoder&, const T&) {}

namespace detail {
template <class Range>
void encode_each(Encoder& out, const Range& values) {
  out.number(values.size());
  for (const auto& value : values) encode(out, value);
}
}  // namespace detail

template <class T>
void encode(Encoder& out, const std::optional<T>& value) {
  out.number(value ? 1 : 0);
  if (value) encode(out, *value);
}
template <class A, class B>
void encode(Encoder& out, const std::pair<A, B>& value) {
  encode(out, value.first);
  encode(out, value.second);
}
template <class... Ts>
void encode(Encoder& out, const std::variant<Ts...>& value) {
  out.number(value.index());
  std::visit([&](const auto& alternative) { encode(out, alternative); }, value);
}
template <class T, std::size_t N>
void encode(Encoder& out, const std::array<T, N>& values) {
  for (const T& value : values) encode(out, value);  // the length is part of the type
}
template <class T>
void encode(Encoder& out, const std::vector<T>& values) { detail::encode_each(out, values); }
template <class T>
void encode(Encoder& out, const std::deque<T>& values) { detail::encode_each(out, values); }
template <class K, class V, class Less>
void encode(Encoder& out, const std::map<K, V, Less>& values) { detail::encode_each(out, values); }
template <class K, class Less>
void encode(Encoder& out, const std::set<K, Less>& values) { detail::encode_each(out, values); }
template <class T>
  requires HasFields<T>
void encode(Encoder& out, const T& value) {
  std::apply([&](const auto&... members) { (encode(out, members), ...); }, T::fields(value));
}

}  // namespace lockstep::sim
