// cow.h: a component that copies of a world share until one of them writes to it.
//
// Cow<T> is a regular value: it compares and encodes as its T. Its digest is taken once and remembered until
// the next write, so that a move which touches one component re-hashes only that one. Reading is `*c` or
// `c->`; writing is `c.write()`, which copies first if the component is shared. A component that was never
// written to holds no memory and is a default T.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "sim/base/digest.h"

namespace lockstep::sim {

template <class T>
class Cow {
 public:
  Cow() = default;
  Cow(T value)
      : box_(std::make_shared<Box>(Box{std::move(value), {}})) {}  // NOLINT: a component is its value

  const T& operator*() const { return box_ ? box_->value : untouched(); }
  const T* operator->() const { return &**this; }

  T& write() {
    if (box_.use_count() != 1) box_ = std::make_shared<Box>(Box{**this, {}});
    box_->digest.reset();
    return box_->value;
  }

  const Digest& digest() const {
    if (!box_) {
      static const Digest of_untouched = digest_of(untouched());
      return of_untouched;
    }
    if (!box_->digest) box_->digest = digest_of(box_->value);
    return *box_->digest;
  }

  friend bool operator==(const Cow& a, const Cow& b) { return a.box_ == b.box_ || *a == *b; }
  friend void encode(Encoder& out, const Cow& c) { encode(out, *c); }

 private:
  struct Box {
    T value{};
    std::optional<Digest> digest;
  };
  static const T& untouched() {
    static const T value{};
    return value;
  }

  std::shared_ptr<Box> box_;
};

}  // namespace lockstep::sim
