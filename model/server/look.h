// look.h: what a server stores, as an outsider may look at it.
//
// The shapes of locks (model/client/lock_kind.h) read the truth through this view, and through nothing else:
// they need not know which kind of server it is. A Stored borrows from the server that was looked at and is
// gone with it. What is dead by the server's own clock is not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/time.h"

namespace lockstep::model {

/// One thing that a server stores under a name.
struct Stored {
  enum class Form : std::uint8_t { string, list, set, hash, sorted_set, other };
  Form form = Form::other;
  /// hash: field, value; sorted set: member, ""; list and set: "", item; string: "" and the bytes.
  std::vector<std::pair<std::string_view, std::string_view>> items;
  std::optional<sim::Duration> left;  // until it dies by itself; absent: it does not
  std::vector<double> scores;         // of a sorted set, in the order of its items
};

/// A server to look at; while keys move from one to another, both as if they were one.
struct Look {
  const void* server = nullptr;
  std::optional<Stored> (*find)(const void* server, const std::string& name) = nullptr;
  std::vector<std::string> (*names)(const void* server) = nullptr;

  const void* other = nullptr;  // of the same kind
  /// What time it really is, in ms since 1970: clients' clocks, and what they let servers store of them, may
  /// be ahead or behind.
  std::int64_t now_ms = 0;

  std::optional<Stored> operator()(const std::string& name) const {
    auto found = find(server, name);
    return found || other == nullptr ? found : find(other, name);
  }
  std::vector<std::string> all() const {
    std::vector<std::string> found = names(server);
    if (other == nullptr) return found;
    for (std::string& name : names(other)) found.push_back(std::move(name));
    return found;
  }
};

}  // namespace lockstep::model
