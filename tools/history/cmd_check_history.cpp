#include "tools/history/cmd_check_history.h"

#include <array>
#include <chrono>

#include <fmt/format.h>

#include "tools/cli/input.h"
#include "tools/cli/output.h"
#include "tools/history/judgement.h"
#include "tools/history/recorded.h"

namespace lockstep::tools {

namespace {

constexpr std::array<std::pair<const char*, histories::LockSpec>, 6> spec_words{
    {{"mutex", histories::LockSpec::mutex},
     {"reentrant", histories::LockSpec::reentrant},
     {"lease", histories::LockSpec::lease},
     {"fair", histories::LockSpec::fair},
     {"read-write", histories::LockSpec::read_write},
     {"fenced", histories::LockSpec::fenced}}};

std::string word_of(histories::LockSpec spec) {
  for (const auto& [word, known] : spec_words)
    if (known == spec) return word;
  return "";
}

histories::Time nanoseconds(sim::Duration span) {
  constexpr std::int64_t most_ms = 9'000'000'000'000;
  return std::min<std::int64_t>(span.count(), most_ms) * 1'000'000;
}

ExitCode exit_of(histories::Explained explained) {
  switch (explained) {
    case histories::Explained::yes:
      return ExitCode::as_expected;
    case histories::Explained::no:
      return ExitCode::different;
    case histories::Explained::unknown:
      return ExitCode::unknown;
  }
  return ExitCode::internal;
}

std::optional<sim::Problem> reads_where_nobody_can(const CheckHistoryOptions& asked,
                                                   const histories::History& history) {
  if (asked.spec == histories::LockSpec::read_write) return std::nullopt;
  for (const histories::Operation& one : history.operations)
    if (one.mode == histories::Mode::shared)
      return sim::Problem{fmt::format("{}:{}: a {} lock has no readers; one of --lock read-write has",
                                      asked.file, one.begin.line, word_of(*asked.spec))};
  return std::nullopt;
}

ExitCode run_check_history(const CheckHistoryOptions& options, Session& session) {
  const auto text = read_input(options.file);
  if (!text) return complain(session, text.problem());
  const auto history = parse_history(*text, options.file);
  if (!history) return complain(session, history.problem());
  if (const auto problem = reads_where_nobody_can(options, *history)) return complain(session, *problem);
  if (history->operations.empty()) {
    session.console.err << fmt::format("{}: there is no call of a lock in it\n", options.file);
    return ExitCode::vacuous;
  }
  histories::JudgeOptions how{.spec = *options.spec, .lease = std::nullopt, .states_max = options.states_max};
  if (options.lease) how.lease = nanoseconds(*options.lease);
  if (options.clock_error) how.clock_error = nanoseconds(*options.clock_error);
  const auto begun = std::chrono::steady_clock::now();
  if (options.time_limit)
    how.stop = [&] { return std::chrono::steady_clock::now() - begun > *options.time_limit; };
  const auto verdicts = histories::judge(*history, how);
  const Judgement judgement{options.file, word_of(*options.spec), *history, verdicts};
  const ExitCode code = exit_of(histories::all_explained(verdicts));
  if (options.format == Format::json) session.console.out << judgement_json(judgement);
  else session.console.out << judgement_text(judgement);
  return code;
}

void declare_check_history(Grammar& grammar, CheckHistoryOptions& o) {
  grammar.word("FILE", o.file, "the history, as JSON Lines or Jepsen's EDN; - is standard input");
  Choices<std::optional<histories::LockSpec>> choices;
  for (const auto& [word, spec] : spec_words) choices.emplace_back(word, spec);
  grammar.choice<std::optional<histories::LockSpec>>("--lock", o.spec, choices, "what kind of lock it was");
  grammar.duration("--lease", o.lease, "grants that ask for no lease may end by themselves after this one");
  grammar.duration("--clock-error", o.clock_error,
                   "so much too soon may a lease end, by the history's clock");
  grammar.count("--max-states", o.states_max, "limit: states to look at, for each lock (1 000 000)");
  grammar.duration("--time-limit", o.time_limit, "limit: wall time for all of it");
  grammar.format(o.format, "how to print the result");
}

std::string complaint_about_check_history(const CheckHistoryOptions& options) {
  if (!options.spec) return "which kind of lock? say --lock mutex|reentrant|lease|fair|read-write|fenced";
  return "";
}

}  // namespace

Verb check_history_verb() {
  return {.name = "check-history",
          .summary = "say whether a lock can have given the answers of a recorded history",
          .usage = "FILE --lock KIND",
          .examples = {"lockstep check-history calls.jsonl --lock reentrant",
                       "lockstep check-history history.edn --lock lease --lease 30s",
                       "lockstep check-history history.edn --lock reentrant --format json"},
          .required = {"FILE"},
          .request = requests<CheckHistoryOptions>(
              {declare_check_history, to_output<run_check_history>, complaint_about_check_history})};
}

}  // namespace lockstep::tools
