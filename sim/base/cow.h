// cow.h: a component that copies of a world share until one of them writes to it.
//
// A Cow is in one of two states. *Open*, it belongs to this Cow alone and may change; a copy of it is a copy
// of the value. *Frozen*, its value and digest are fixed for ever, and copies share it. `write()` opens (a
// frozen one by copying), `freeze()` freezes. Nothing is written under const, and nothing depends on who
// else holds the value, so copies may be read in several threads.
//
// Cow<T> is a regular value: it compares, encodes, is renamed and passed as its T. Reading is `*c` or `c->`.
// A component that was never written to holds no memory, and is a frozen default T.
//
// One that is watched says so whenever it is read, by itself or by being copied; overwriting it as a whole is
// no reading. Being watched is of the place, not of the value: it is neither copied nor moved nor assigned.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "sim/base/digest.h"
#include "sim/base/mentions.h"
#include "sim/base/passing.h"
#include "sim/base/rename.h"

namespace lockstep::sim {

/// Freezes every Cow inside.
template <class T>
void freeze(T& value) {
  if constexpr (requires { value.freeze(); }) value.freeze();
  else if constexpr (!std::is_const_v<T>)
    for_each_part(value, [](auto& part) { sim::freeze(part); });
}

template <class T>
class Cow {
 public:
  Cow() = default;
  Cow(T value)
      : box_(std::make_shared<Box>(std::move(value))) {}  // NOLINT: a component is its value
  Cow(const Cow& other) : box_(other.is_frozen() ? other.box_ : std::make_shared<Box>(other.box_->value)) {
    other.tell();
  }
  Cow(Cow&& other) noexcept : box_(std::move(other.box_)) { other.tell(); }
  Cow& operator=(Cow other) noexcept {
    box_.swap(other.box_);
    return *this;
  }
  ~Cow() = default;

  const T& operator*() const {
    tell();
    return box_ ? box_->value : untouched();
  }
  const T* operator->() const { return &**this; }
  bool is_frozen() const { return !box_ || box_->digest; }
  /// Both share one value: they are equal, and nobody reads it for that.
  bool shares(const Cow& other) const { return box_ == other.box_; }

  /// From now on `*read` becomes true when this is read.
  void watch(bool* read) { read_ = read; }

  T& write() {
    if (is_frozen()) box_ = std::make_shared<Box>(**this);
    return box_->value;
  }

  void freeze() {
    if (is_frozen()) return;
    sim::freeze(box_->value);
    box_->digest = digest_of(box_->value);
  }

  /// Of an open one, taken anew each time.
  Digest digest() const {
    static const Digest of_untouched = digest_of(untouched());
    tell();
    if (!box_) return of_untouched;
    return box_->digest ? *box_->digest : digest_of(box_->value);
  }

  void rename(const Renaming& renaming) {
    if (holds_names(**this)) sim::rename(write(), renaming);
  }
  void pass(const Passed& passed) {
    if (counts_down()) sim::pass(write(), passed);
  }
  bool counts_down() const { return sim::counts_down(**this); }
  Duration next_deadline() const { return sim::next_deadline(**this); }
  void tell_mentions(Mentions& told) const { sim::tell_mentions(**this, told); }

  friend bool operator==(const Cow& a, const Cow& b) {
    a.tell();
    b.tell();
    return a.box_ == b.box_ || *a == *b;
  }
  friend void encode(Encoder& out, const Cow& c) { encode(out, *c); }

 private:
  struct Box {
    explicit Box(const T& of) : value(of) {}
    explicit Box(T&& of) : value(std::move(of)) {}
    T value;
    std::optional<Digest> digest;  // present: frozen
  };
  static const T& untouched() {
    static const T value{};
    return value;
  }

  void tell() const {
    if (read_ != nullptr) *read_ = true;
  }

  std::shared_ptr<Box> box_;  // an open one is nobody else's
  bool* read_ = nullptr;      // where it says that it was read
};

}  // namespace lockstep::sim
