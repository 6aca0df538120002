// boxed.h: one value of any of several State types, which need not be known here.
//
// A Boxed<Tag> is a regular value and behaves as what it holds: it is copied, compared, encoded, renamed and
// passed with it. Each type that goes into a box states its name, which its encoding begins with; two types
// in boxes of one Tag have different names:
//
//   struct Waiting { static constexpr std::string_view kind = "waiting"; … };
//
// A Tag that says `static constexpr bool kind_is_fixed = true` is of boxes whose type never changes and is
// known from elsewhere; their encoding is that of the value alone.
//
// A box costs a pointer where a std::variant would be as large as its largest alternative, and would compile
// every alternative wherever it is visited. An empty box holds nothing and equals another empty one.
#pragma once

#include <concepts>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sim/base/cow.h"
#include "sim/base/encode.h"
#include "sim/base/mentions.h"
#include "sim/base/passing.h"
#include "sim/base/rename.h"
#include "sim/base/verify.h"

namespace lockstep::sim {

template <class T>
concept Boxable = requires { { T::kind } -> std::convertible_to<std::string_view>; } && State<T>;

template <class Tag>
class Boxed {
 public:
  Boxed() = default;
  template <Boxable T>
  Boxed(T value)  // NOLINT: a box is its value
      : rows_(&rows_of<T>), value_(new T(std::move(value)), rows_of<T>.destroy) {}
  Boxed(const Boxed& other)
      : rows_(other.rows_), value_(rows_ ? rows_->clone(other.at()) : nullptr, other.value_.get_deleter()) {}
  Boxed(Boxed&& other) noexcept
      : rows_(std::exchange(other.rows_, nullptr)), value_(std::move(other.value_)) {}
  Boxed& operator=(Boxed other) noexcept {
    std::swap(rows_, other.rows_);
    value_.swap(other.value_);
    return *this;
  }
  ~Boxed() = default;

  bool empty() const { return rows_ == nullptr; }
  /// The name that the type states; empty for an empty box.
  std::string_view kind() const { return rows_ ? rows_->kind : std::string_view{}; }
  template <Boxable T>
  bool is() const { return rows_ == &rows_of<T>; }
  template <Boxable T>
  const T& get() const {
    VERIFY(is<T>());
    return *static_cast<const T*>(at());
  }
  template <Boxable T>
  T& write() {
    VERIFY(is<T>());
    return *static_cast<T*>(value_.get());
  }
  /// nullptr if it holds something else.
  template <Boxable T>
  const T* get_if() const { return is<T>() ? static_cast<const T*>(at()) : nullptr; }

  void rename(const Renaming& renaming) {
    if (rows_) rows_->rename(value_.get(), renaming);
  }
  void pass(const Passed& passed) {
    if (rows_) rows_->pass(value_.get(), passed);
  }
  void freeze() {
    if (rows_) rows_->freeze(value_.get());
  }
  bool holds_names() const { return rows_ && rows_->holds_names(at()); }
  bool counts_down() const { return rows_ && rows_->counts_down(at()); }
  Duration next_deadline() const { return rows_ ? rows_->next_deadline(at()) : never; }
  void tell_mentions(Mentions& told) const {
    if (rows_) rows_->tell_mentions(at(), told);
  }

  friend bool operator==(const Boxed& a, const Boxed& b) {
    return a.kind() == b.kind() && (a.empty() || a.rows_->equal(a.at(), b.at()));
  }
  friend void encode(Encoder& out, const Boxed& box) {
    if constexpr (!requires { Tag::kind_is_fixed; }) out.text(box.kind());
    if (!box.empty()) box.rows_->encode(out, box.at());
  }

 private:
  /// What can be done to a value without knowing its type.
  struct Rows {
    std::string_view kind;
    void* (*clone)(const void*);
    void (*destroy)(void*);
    bool (*equal)(const void*, const void*);
    void (*encode)(Encoder&, const void*);
    void (*rename)(void*, const Renaming&);
    void (*pass)(void*, const Passed&);
    void (*freeze)(void*);
    bool (*holds_names)(const void*);
    bool (*counts_down)(const void*);
    Duration (*next_deadline)(const void*);
    void (*tell_mentions)(const void*, Mentions&);
  };
  template <class T>
  static const T& as(const void* value) { return *static_cast<const T*>(value); }
  template <class T>
  static constexpr Rows rows_of{
      .kind = T::kind,
      .clone = [](const void* value) -> void* { return new T(as<T>(value)); },
      .destroy = [](void* value) { delete static_cast<T*>(value); },
      .equal = [](const void* a, const void* b) { return as<T>(a) == as<T>(b); },
      .encode = [](Encoder& out, const void* value) { sim::encode(out, as<T>(value)); },
      .rename = [](void* value, const Renaming& r) { sim::rename(*static_cast<T*>(value), r); },
      .pass = [](void* value, const Passed& passed) { sim::pass(*static_cast<T*>(value), passed); },
      .freeze = [](void* value) { sim::freeze(*static_cast<T*>(value)); },
      .holds_names = [](const void* value) { return sim::holds_names(as<T>(value)); },
      .counts_down = [](const void* value) { return sim::counts_down(as<T>(value)); },
      .next_deadline = [](const void* value) { return sim::next_deadline(as<T>(value)); },
      .tell_mentions = [](const void* value, Mentions& told) { sim::tell_mentions(as<T>(value), told); },
  };
  static void nothing(void*) {}

  const void* at() const { return value_.get(); }

  const Rows* rows_ = nullptr;
  std::unique_ptr<void, void (*)(void*)> value_{nullptr, nothing};
};

}  // namespace lockstep::sim
