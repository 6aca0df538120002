#include "scenarios/format/server_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "model/mongodb/kind.h"
#include "model/mysql/kind.h"
#include "scenarios/format/scheme_words.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

namespace {

/// As the headers of their models describe them (model/mysql/kind.h, model/mongodb/kind.h).
struct Statement {
  std::string_view word, usage;
  std::size_t least, most;  // words
  std::array<std::string_view, 3> answers;
};
constexpr std::array of_mysql{
    Statement{"INSERT", "INSERT {lock} {owner} [{lease}]", 3, 4, {"1", "1062"}},
    Statement{"UPDATE", "UPDATE {lock} {owner} {lease}", 4, 4, {"1", "0"}},
    Statement{"DELETE", "DELETE {lock} [{owner}]", 2, 3, {"1", "0"}},
    Statement{"DELETE-OLD", "DELETE-OLD {lock}", 2, 2, {"1", "0"}},
};
constexpr std::array of_mongodb{
    Statement{"FIND-AND-MODIFY", "FIND-AND-MODIFY {lock} {owner} {lease}", 4, 4, {"1", "11000", "10107"}},
    Statement{"UPDATE", "UPDATE {lock} {owner} {lease}", 4, 4, {"1", "0", "10107"}},
    Statement{"DELETE", "DELETE {lock} [{owner}]", 2, 3, {"1", "0", "10107"}},
};

std::span<const Statement> statements_of(const model::ServerKind& server) {
  if (&server == &mysql::server_kind) return of_mysql;
  if (&server == &mongodb::server_kind) return of_mongodb;
  return {};
}

const Statement* statement_in(const model::ServerKind& server, const model::Described& asked) {
  if (asked.words.empty()) return nullptr;
  for (const Statement& one : statements_of(server))
    if (one.word == print(asked.words.front())) return &one;
  return nullptr;
}

/// A time in milliseconds that has not passed already.
bool is_time(const model::Template& word) {
  std::string text = print(word);
  constexpr std::string_view lease = "{lease}";
  const bool has_lease = text.ends_with(lease);
  if (has_lease) text.resize(text.size() - lease.size());
  const bool is_number = text.size() <= 12 && text.find_first_not_of("0123456789") == std::string::npos;
  return is_number && (has_lease || text.find_first_not_of('0') != std::string::npos);
}

}  // namespace

std::optional<std::string> not_understood(const model::ServerKind& server, const model::Described& asked) {
  if (asked.script) return "a script runs on Redis only; this scheme lies on " + std::string(server.name);
  const Statement* statement = statement_in(server, asked);
  if (statement == nullptr) {
    std::vector<std::string> known;
    for (const Statement& one : statements_of(server)) known.emplace_back(one.usage);
    return fmt::format("the model of {} knows no `{}`: it is {}", server.name,
                       asked.words.empty() ? "" : print(asked.words.front()), either(known));
  }
  if (asked.words.size() < statement->least || asked.words.size() > statement->most)
    return fmt::format("the statement is `{}`", statement->usage);
  constexpr std::size_t time = 3;
  if (asked.words.size() > time && !is_time(asked.words[time]))
    return fmt::format("`{}` is no time in milliseconds, such as `{{lease}}`", print(asked.words[time]));
  return std::nullopt;
}

std::string unread_answer(const model::ServerKind& server, const model::Described& asked) {
  const Statement* statement = statement_in(server, asked);
  if (statement == nullptr) return {};
  for (const std::string_view answer : statement->answers)
    if (!answer.empty() && !reads_reply(asked, answer)) return std::string(answer);
  return {};
}

}  // namespace lockstep::scenarios
