// answers.cpp: what the programs themselves expect: `expect` steps, and how often calls are answered how.
#include <fmt/format.h>

#include "properties/monitors/monitors.h"

namespace lockstep::properties {

namespace {

std::string_view show(model::Answer answer) {
  switch (answer) {
    case model::Answer::yes:
      return "true";
    case model::Answer::no:
      return "false";
    case model::Answer::exception:
      return "exception";
  }
  return "";
}

}  // namespace

void see_expectation(const model::Observation& observation, const Setup& setup, Findings& findings) {
  const auto* seen = std::get_if<model::Expectation>(&observation);
  if (seen == nullptr) return;
  findings.shows(Witness::expectation_checked);
  if (seen->met) return;
  findings.breaks(Property::expectations, [&] {
    return fmt::format(
        "{} expects {}, but its last call {}", setup.thread_name(seen->thread), show(seen->expected),
        seen->answer ? fmt::format("was answered {}", show(*seen->answer)) : "has not been made");
  });
}

void Answers::see(const model::Observation& observation, const Setup& setup) {
  const auto* seen = std::get_if<model::Returned>(&observation);
  if (seen == nullptr) return;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const model::AnswerCount& counted = setup.answers[i];
    const std::string lock = model::resource_name(counted.group, counted.name);
    const bool its_lock = seen->lock == lock || seen->lock.starts_with(counted.name + "#");
    const bool its_mode = seen->mode == setup.kinds[counted.kind]->mode;
    if (its_lock && its_mode && seen->call == counted.call && seen->answer == counted.answer) ++counts[i];
  }
}

void Answers::check(const model::Facts& facts, Findings& findings) const {
  const Setup& setup = facts.setup();
  if (counts.empty() || !facts.all_threads_ended()) return;
  findings.shows(Witness::all_answered);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == setup.answers[i].exactly) continue;
    findings.breaks(Property::answers, [&] {
      return fmt::format("{} calls on {} were answered {}, not {}", counts[i], setup.answers[i].name,
                         show(setup.answers[i].answer), setup.answers[i].exactly);
    });
  }
}

}  // namespace lockstep::properties
