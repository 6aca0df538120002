// step_names.h: mistakes at words of the texts of steps.
#pragma once

#include "scenarios/format/step_parser.h"
#include "scenarios/format/step_text.h"

namespace lockstep::scenarios {

StepProblem problem(const Word& word, std::string what, std::string hint = {});

/// The group whose first master is called so: "R1" → 1.
std::optional<std::uint16_t> group_named(std::string_view word);
/// A number from 1 on.
std::optional<std::int64_t> number_in(std::string_view text, std::int64_t most);
/// Resources, like processes, stand in trails and diagrams.
bool is_node_name(std::string_view text);
/// What may stand behind the lock of a call.
std::vector<std::string> options_of(model::StepKind call, const model::LockKind& lock);
bool may_be_async(model::StepKind call);

}  // namespace lockstep::scenarios
