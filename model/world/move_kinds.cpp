// move_kinds.cpp: which moves are of one kind, as policies that draw by kinds see them.
#include <algorithm>
#include <array>
#include <variant>
#include <vector>

#include "model/world/move.h"
#include "model/world/verbs.h"

namespace lockstep::model {

namespace {

/// Each lane of what is carried is a kind of its own; numbers follow the order of the verbs.
class Kinds {
 public:
  Kinds() {
    for (const Verb one : verbs_of({})) {
      const Form form = row_of(one, {}).form;
      std::vector<Kind>& of_act = kinds_[static_cast<std::size_t>(one.act)];
      of_act.resize(std::max<std::size_t>(of_act.size(), one.fault.index() + 1), {.known = false});
      last_ = next_;
      of_act[one.fault.index()] = {next_, form != Form::awaited, true};
      next_ = static_cast<std::uint16_t>(next_ + (form == Form::carried ? std::size(lanes) : 1));
    }
  }

  std::uint16_t of(const Move& move) const {
    const std::vector<Kind>& of_act = kinds_[static_cast<std::size_t>(move.verb.act)];
    const std::size_t fault = move.verb.fault.index();
    if (fault >= of_act.size() || !of_act[fault].known)
      // A fault of a kind of server that has more of them than the usual one.
      return static_cast<std::uint16_t>(last_ + move.verb.fault.value);
    const auto* carried = std::get_if<Carried>(&move.on);
    const bool laned = carried != nullptr && of_act[fault].laned;
    const unsigned lane = laned ? static_cast<unsigned>(carried->lane) : 0;
    return static_cast<std::uint16_t>(of_act[fault].first + lane);
  }

 private:
  struct Kind {
    std::uint16_t first = 0;
    bool laned = false, known = true;
  };
  std::array<std::vector<Kind>, static_cast<std::size_t>(Act::begin) + 1> kinds_;  // by act and fault
  std::uint16_t next_ = 0, last_ = 0;
};

}  // namespace

std::uint16_t Move::kind() const {
  static const Kinds kinds;
  return kinds.of(*this);
}

}  // namespace lockstep::model
