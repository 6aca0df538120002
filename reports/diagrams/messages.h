// messages.h: which request, answer and loss belong together in a trace.
//
// Events are matched by their causes where those are given, and by sender, receiver and message number
// otherwise; the latest candidate before an event wins. Positions are indices into Trace::events.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "sim/trace.h"

namespace lockstep::reports {

class Messages {
 public:
  explicit Messages(const sim::Trace& trace);

  /// The send that made the node run this eval or cmd, or that a drop lost.
  std::optional<std::size_t> request_of(std::size_t position) const { return get(request_, position); }
  /// The eval or cmd that a recv brings the reply of; nothing for a push.
  std::optional<std::size_t> answer_of(std::size_t position) const { return get(answer_, position); }
  /// The eval or cmd that a send led to; nothing when it was lost or is still under way.
  std::optional<std::size_t> ran_at(std::size_t position) const { return get(ran_, position); }
  std::optional<std::size_t> lost_at(std::size_t position) const { return get(lost_, position); }
  std::optional<std::size_t> position_of(std::int64_t index) const;

 private:
  using Links = std::map<std::size_t, std::size_t>;
  static std::optional<std::size_t> get(const Links& links, std::size_t key) {
    const auto found = links.find(key);
    if (found == links.end()) return std::nullopt;
    return found->second;
  }
  using Key = std::tuple<std::string, std::string, std::int64_t>;  // client, node, number
  void match_request(const sim::Trace& trace, std::size_t at, const std::map<Key, std::size_t>& sent);
  void match_answer(const sim::Trace& trace, std::size_t at, const std::map<Key, std::size_t>& ran);

  std::map<std::int64_t, std::size_t> by_index_;
  Links request_, answer_, ran_, lost_;
};

}  // namespace lockstep::reports
