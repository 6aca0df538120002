#include "tools/step/dialogue.h"

#include <fmt/format.h>

#include <charconv>

#include "sim/base/amount.h"
#include "reports/text/text.h"

namespace lockstep::tools {

namespace {

constexpr const char* step_words =
    "a number takes that move (an empty line: 0), u takes the last one back, n goes on to the next change of "
    "a lock,\ns FILE saves the way as a trail, q ends\n";

StepAnswer took_number(Stepper& stepper, const std::string& word) {
  std::size_t index = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), index);
  if (read.ec != std::errc() || read.ptr != word.data() + word.size())
    return {fmt::format("`{}` is none of the words here; ? shows them\n",
                        reports::cut(reports::printable(word), 60)),
            true};
  const std::size_t moves = stepper.moves().size();
  if (moves == 0) return {"nothing more can happen; u takes a step back\n", true};
  if (index >= moves) return {fmt::format("there is no move {}, only 0 to {}\n", index, moves - 1), true};
  stepper.choose(index);
  return {stepper.told_since(stepper.steps() - 1) + stepper.shown()};
}

StepAnswer jumped(Stepper& stepper) {
  const std::size_t before = stepper.steps();
  const std::size_t steps = stepper.jump();
  if (steps == 0) return {"by default nothing more happens; what is left are faults, if anything\n", true};
  return {stepper.told_since(before) + fmt::format("{} on\n", sim::amount(steps, "step")) + stepper.shown()};
}

}  // namespace

StepAnswer answer_step(Stepper& stepper, const std::string& line, const SaveTrail& save) {
  std::string word = line;
  while (!word.empty() && (word.back() == ' ' || word.back() == '\r')) word.pop_back();
  if (word == "q") return {"", false, true};
  if (word == "?") return {step_words};
  if (word == "n") return jumped(stepper);
  if (word == "u") {
    if (!stepper.undo()) return {"this is the start\n", true};
    return {stepper.shown()};
  }
  if (word.starts_with("s ")) {
    const std::string file = word.substr(2);
    if (const auto problem = save(file, stepper.trail())) return {problem->text + "\n", true};
    return {fmt::format("saved; again: lockstep replay {}\n", reports::shell_word(file))};
  }
  return took_number(stepper, word.empty() ? "0" : word);
}

}  // namespace lockstep::tools
