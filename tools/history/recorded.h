// recorded.h: recorded histories as files: JSON Lines (help/histories.md) and Jepsen's EDN.
//
// Which of the two it is shows in the first characters. Events stand in the order in which they were seen.
// Whatever is wrong is one sentence with file and line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/histories/history.h"
#include "sim/base/result.h"

namespace lockstep::tools {

/// One event as a file has it; words are not understood yet.
struct RecordedEvent {
  std::uint64_t line = 0;
  std::string type, process, thread, call, lock, mode;
  std::optional<std::string> answer;
  std::optional<std::int64_t> token;
  std::optional<histories::Time> time, lease;
};

/// What is wrong with a word of a member, in a clause; nothing if it has a meaning there, or any is right.
std::optional<std::string> wrong_word(const std::string& member, const std::string& word);

sim::Result<std::vector<RecordedEvent>> parse_json_lines(std::string_view text, const std::string& file);
sim::Result<std::vector<RecordedEvent>> parse_jepsen(std::string_view text, const std::string& file);

/// Calls put together from their beginnings and ends, and words understood.
sim::Result<histories::History> history_of(const std::vector<RecordedEvent>& events, const std::string& file);

sim::Result<histories::History> parse_history(std::string_view text, const std::string& file);

}  // namespace lockstep::tools
