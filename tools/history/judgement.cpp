#include "tools/history/judgement.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/text.h"
#include "sim/base/amount.h"

namespace lockstep::tools {

namespace {

using sim::amount;

const char* word_of(histories::Explained explained) {
  switch (explained) {
    case histories::Explained::yes:
      return "linearizable";
    case histories::Explained::no:
      return "not linearizable";
    case histories::Explained::unknown:
      return "unknown";
  }
  return "";
}

const char* mark_of(histories::Explained explained) {
  return explained == histories::Explained::yes ? "✓" : explained == histories::Explained::no ? "✗" : "?";
}

std::string call_text(const histories::Operation& operation) {
  static constexpr const char* words[] = {"lock",         "trylock",   "unlock",
                                          "force-unlock", "is-locked", "is-held"};
  return std::string(operation.mode == histories::Mode::shared ? "read-" : "") +
         words[static_cast<int>(operation.verb)];
}

std::string answer_text(const histories::Operation& operation, std::uint64_t last_line) {
  if (operation.end && operation.end->line > last_line) return "not answered yet";
  static constexpr const char* words[] = {"granted", "refused", "done",   "not held",
                                          "true",    "false",   "failed", "no answer"};
  std::string text = words[static_cast<int>(operation.answer.said)];
  if (operation.answer.token) text += fmt::format(", token {}", *operation.answer.token);
  return text;
}

/// As it is known at a line.
std::string operation_text(const Judgement& all, std::size_t o,
                           std::uint64_t last_line = ~std::uint64_t{0}) {
  const histories::Operation& one = all.history.operations[o];
  const std::string ended = one.end ? fmt::format(", {}", one.end->line) : "";
  return fmt::format("{:<12} {} {}: {}", fmt::format("line {}{}", one.begin.line, ended),
                     reports::printable(all.history.threads[one.thread]), call_text(one),
                     answer_text(one, last_line));
}

std::string name_of_lock(const histories::LockVerdict& verdict) {
  return verdict.lock.empty() ? "the lock" : reports::printable(verdict.lock);
}

std::string extent_text(const histories::LockVerdict& verdict) {
  const std::string explained =
      verdict.last_line == 0
          ? "not even its first event is explained"
          : fmt::format("explained up to line {}, for example in this order", verdict.last_line);
  if (!verdict.perhaps_further) return explained;
  return "a limit was met in asking how far it is explained, perhaps further than this; " + explained;
}

std::string failure_text(const Judgement& all, const histories::LockVerdict& verdict) {
  constexpr std::size_t shown_max = 20;
  std::string text = fmt::format("\n  {}, {}:\n", name_of_lock(verdict), extent_text(verdict));
  const std::size_t hidden = verdict.order.size() > shown_max ? verdict.order.size() - shown_max : 0;
  if (hidden > 0) text += fmt::format("      … {} before\n", amount(hidden, "call"));
  for (std::size_t i = hidden; i < verdict.order.size(); ++i)
    text += "      " + operation_text(all, verdict.order[i], verdict.last_line) + "\n";
  text += "    ▶ " + operation_text(all, *verdict.stuck) + "\n";
  if (verdict.endings.empty()) text += "      in every order it has done by then what it is for\n";
  for (const histories::Ending& ending : verdict.endings)
    text += fmt::format(
        "      there it is {}: {}\n", reports::printable(ending.state),
        ending.possible.empty() ? "no answer was possible yet" : "possible was " + ending.possible);
  return text;
}

}  // namespace

std::string judgement_text(const Judgement& all) {
  std::string text =
      fmt::format("{} · {} · {} of {}, {}\n", reports::printable(all.file), all.spec,
                  amount(all.history.operations.size(), "call"), amount(all.history.threads.size(), "thread"),
                  amount(all.verdicts.size(), "lock"));
  if (all.history.left_out > 0)
    text += fmt::format("  {} left out: of no lock, or a question that no specification answers\n",
                        amount(all.history.left_out, "call"));
  for (const histories::LockVerdict& one : all.verdicts) {
    text += fmt::format("  {} {:<16} {}", mark_of(one.explained), name_of_lock(one), word_of(one.explained));
    if (one.explained == histories::Explained::unknown) text += ": " + one.why;
    text += fmt::format(" ({}", amount(one.calls, "call"));
    if (one.pending > 0) text += fmt::format(", {} without an answer", one.pending);
    text += fmt::format(", {})\n", amount(one.states, "state"));
  }
  for (const histories::LockVerdict& one : all.verdicts)
    if (one.stuck) text += failure_text(all, one);
  return text;
}

std::string judgement_json(const Judgement& all) {
  using Json = nlohmann::ordered_json;
  Json locks = Json::array();
  for (const histories::LockVerdict& one : all.verdicts) {
    Json lock{{"lock", one.lock},
              {"verdict", word_of(one.explained)},
              {"calls", one.calls},
              {"pending", one.pending},
              {"states", one.states}};
    if (one.explained == histories::Explained::unknown) lock["why"] = one.why;
    for (const std::size_t o : one.order) lock["order"].push_back(all.history.operations[o].begin.line);
    if (one.stuck) {
      const histories::Operation& stuck = all.history.operations[*one.stuck];
      lock["explained_to"] = one.last_line;
      if (one.perhaps_further) lock["perhaps_further"] = true;
      lock["stuck"] = {{"begin", stuck.begin.line}, {"end", stuck.end->line}};
      for (const histories::Ending& ending : one.endings)
        lock["there"].push_back({{"state", ending.state}, {"possible", ending.possible}});
    }
    locks.push_back(std::move(lock));
  }
  const Json document{{"file", all.file}, {"lock", all.spec}, {"locks", std::move(locks)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::tools
