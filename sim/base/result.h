// result.h: a value, or one sentence for the user that says what is wrong and where.
//
// For mistakes in what a user brings (files, options, scripts). The caller prints the sentence and exits with
// 2.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "sim/base/verify.h"

namespace lockstep::sim {

/// One clear sentence, complete with its place ("scenarios/x.toml:18:35: …"). Several lines when a caret is
/// shown.
struct Problem {
  std::string text;
  bool operator==(const Problem&) const = default;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}           // NOLINT: a value is a result
  Result(Problem problem) : content_(std::move(problem)) {}  // NOLINT: so is a problem

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { VERIFY(ok()); return std::get<0>(content_); }
  const T& value() const& { VERIFY(ok()); return std::get<0>(content_); }
  T&& value() && { VERIFY(ok()); return std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Problem& problem() const { VERIFY(!ok()); return std::get<1>(content_); }

 private:
  std::variant<T, Problem> content_;
};

}  // namespace lockstep::sim
