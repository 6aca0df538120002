#include "reports/page/hand_data.h"

#include <algorithm>
#include <unordered_map>

#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

using HandJson = nlohmann::ordered_json;

class TextTable {
 public:
  std::size_t operator()(const std::string& text) {
    const auto [found, fresh] = numbers_.emplace(text, numbers_.size());
    if (fresh) texts.push_back(printable_lines(text));
    return found->second;
  }
  HandJson texts = HandJson::array();

 private:
  static std::string printable_lines(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      out += (at == 0 ? "" : "\n") + printable(text.substr(at, end - at));
      at = end + 1;
    }
    return out;
  }
  std::unordered_map<std::string, std::size_t> numbers_;
};

HandJson move_data(const PageMove& move, TextTable& number) {
  HandJson told = HandJson::array();
  for (const std::string& line : move.told) told.push_back(number(line));
  return {move.index, number(move.move), (move.fault ? 1 : 0) + (move.part ? 2 : 0),
          move.to ? HandJson(*move.to) : HandJson(-1), std::move(told)};
}

}  // namespace

nlohmann::ordered_json hand_data(const PageByHand& hand) {
  TextTable number;
  HandJson states = HandJson::array(), before = HandJson::array();
  for (const PageState& state : hand.states) {
    HandJson moves = HandJson::array();
    for (const PageMove& move : state.moves) moves.push_back(move_data(move, number));
    states.push_back({number(state.time), number(state.shown), state.possible, std::move(moves)});
  }
  for (std::size_t i = 0; i < hand.before.size(); ++i)
    before.push_back({hand.before[i].index, number(hand.before[i].move), hand.before[i].part,
                      hand.before_possible[i]});
  return {{"states", std::move(states)},
          {"run", hand.run},
          {"taken", hand.taken},
          {"before", std::move(before)},
          {"head", hand.trail_head},
          {"command", printable(hand.command)},
          {"whole", hand.whole},
          {"texts", std::move(number.texts)}};
}

}  // namespace lockstep::reports
