// reply.h: a reply, the one vocabulary that Redis and its scripts share.
//
// It is a RESP2 reply, unless it is for a client that chose RESP3 (redis_api/resp3.h): then it may be or hold
// something `Typed`.
//
// A reply is a regular value. Errors are replies like any other: the text of an Error is the whole error line
// without the leading '-', code word included ("WRONGTYPE Operation against …").
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace lockstep::lua {

struct Nil {  // null bulk string
  bool operator==(const Nil&) const = default;
};
struct NilArray {  // null array: LPOP with a count, EXEC of a broken WATCH
  bool operator==(const NilArray&) const = default;
};
struct Status {
  std::string text;
  bool operator==(const Status&) const = default;
  static auto fields(auto& s) { return std::tie(s.text); }
};
struct Error {
  std::string text;
  bool operator==(const Error&) const = default;
  static auto fields(auto& e) { return std::tie(e.text); }
};

struct Reply;

/// What only RESP3 has. Items: of a null none; of a map, a set and a push theirs, with keys and values in
/// turn; of an attribute its pairs, and what it is about; of a boolean 0 or 1; of a number, also a big one,
/// its text; of a verbatim text its format and the text.
enum class Type3 : std::uint8_t { null, boolean, number, big_number, verbatim, map, set, push, attribute };
struct Typed {
  Type3 type{};
  std::vector<Reply> items;
  friend bool operator==(const Typed& a, const Typed& b);
  static auto fields(auto& t) { return std::tie(t.type, t.items); }
};

struct Reply {
  using Array = std::vector<Reply>;
  std::variant<Nil, std::int64_t, std::string, Status, Error, Array, NilArray, Typed> value;

  Reply() = default;
  Reply(std::int64_t integer) : value(integer) {}                         // NOLINT: the six kinds of reply
  Reply(std::string bulk) : value(std::move(bulk)) {}                     // NOLINT
  Reply(Status status) : value(std::move(status)) {}                      // NOLINT
  Reply(Error error) : value(std::move(error)) {}                         // NOLINT
  Reply(Array array) : value(std::move(array)) {}                         // NOLINT
  Reply(Typed typed) : value(std::move(typed)) {}                         // NOLINT
  Reply(NilArray) : value(NilArray{}) {}                                  // NOLINT
  Reply(Nil) {}                                                           // NOLINT

  bool is_nil() const { return std::holds_alternative<Nil>(value); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value); }
  const std::string* bulk() const { return std::get_if<std::string>(&value); }
  const Status* status() const { return std::get_if<Status>(&value); }
  const Error* error() const { return std::get_if<Error>(&value); }
  const Array* array() const { return std::get_if<Array>(&value); }
  const Typed* typed() const { return std::get_if<Typed>(&value); }

  friend bool operator==(const Reply&, const Reply&) = default;
  static auto fields(auto& r) { return std::tie(r.value); }
};

inline bool operator==(const Typed& a, const Typed& b) { return a.type == b.type && a.items == b.items; }

inline Reply ok() { return Status{"OK"}; }

}  // namespace lockstep::lua
