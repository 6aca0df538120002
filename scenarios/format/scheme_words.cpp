#include "scenarios/format/scheme_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/redis/kind.h"
#include "scenarios/format/step_parser.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::Meaning;
using model::ReplyRule;
using model::Template;

const std::vector<std::string> on_words{"one", "majority", "all"};

std::span<const MeaningWord> meaning_words() {
  static const std::vector<MeaningWord> words{
      {"granted", Part::acquire, {Meaning::granted}},
      {"next", Part::acquire, {Meaning::yes}},
      {"taken, next", Part::acquire, {Meaning::partial}},
      {"again", Part::acquire, {Meaning::no}},
      {"refused", Part::acquire, {Meaning::refused}},
      {"wait ms", Part::acquire, {Meaning::refused}, true},
      {"failed", Part::acquire, {Meaning::failed}},
      {"released", Part::release, {Meaning::released}},
      {"still held", Part::release, {Meaning::still_held}},
      {"not the holder", Part::release, {Meaning::not_holder}},
      {"next", Part::release, {Meaning::yes}},
      {"again", Part::release, {Meaning::no}},
      {"failed", Part::release, {Meaning::failed}},
      {"renewed", Part::renew, {Meaning::renewed}},
      {"not renewed", Part::renew, {Meaning::not_renewed}},
      {"failed", Part::renew, {Meaning::failed}},
  };
  return words;
}

std::span<const FormWord> holder_forms() {
  using Form = model::Stored::Form;
  static constexpr std::array forms{FormWord{"string", Form::string}, FormWord{"hash", Form::hash},
                                    FormWord{"list", Form::list}, FormWord{"set", Form::set},
                                    FormWord{"sorted-set", Form::sorted_set}};
  return forms;
}

namespace {

constexpr std::size_t template_bytes_max = 4'000;

/// A mistake at a byte range of the text, or nothing.
std::optional<StepProblem> parse_template(std::string_view text, Template& found) {
  if (text.size() > template_bytes_max)
    return StepProblem{0, 1, fmt::format("a word of a request has at most {} bytes", template_bytes_max), {}};
  std::string plain;
  const auto end_plain = [&] {
    if (!plain.empty()) found.pieces.push_back({Template::Name::none, std::exchange(plain, {})});
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '{') {
      plain += text[at++];
      continue;
    }
    const std::size_t close = text.find('}', at);
    if (close == std::string_view::npos)
      return StepProblem{at, text.size() - at, "a `{` without its `}`", {}};
    const std::string_view word = text.substr(at + 1, close - at - 1);
    const auto known = std::find_if(model::template_names.begin(), model::template_names.end(),
                                    [&](const auto& one) { return one.first == word; });
    if (known == model::template_names.end()) {
      std::vector<std::string> words;
      for (const auto& [name, stands_for] : model::template_names) words.emplace_back(name);
      return StepProblem{at, close + 1 - at, fmt::format("nothing is called `{{{}}}`", word),
                         did_you_mean(word, words, "names are " + either(words))};
    }
    end_plain();
    found.pieces.push_back({known->second, {}});
    at = close + 1;
  }
  end_plain();
  return std::nullopt;
}

}  // namespace

Template read_template(TomlReading& reading, const toml::value<std::string>& text, std::string_view part,
                       std::size_t offset) {
  Template found;
  if (const auto wrong = parse_template(part, found))
    reading.fail(reading.place_in(text, offset + wrong->offset, wrong->length), wrong->what, wrong->hint);
  return found;
}

std::vector<Template> read_command(TomlReading& reading, const toml::value<std::string>& text) {
  std::vector<Template> words;
  const std::string_view line = text.get();
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ' ') {
      ++at;
      continue;
    }
    const bool quoted = line[at] == '\'';
    const std::size_t begin = at + (quoted ? 1 : 0);
    const std::size_t end = line.find(quoted ? '\'' : ' ', begin);
    if (quoted && end == std::string_view::npos) {
      reading.fail(reading.place_in(text, at, line.size() - at), "a quote without its end");
      return words;
    }
    words.push_back(read_template(reading, text, line.substr(begin, end - begin), begin));
    at = end == std::string_view::npos ? line.size() : end + 1;
  }
  if (words.empty()) reading.fail(reading.place_of(text), "a command wants at least one word");
  return words;
}

std::string print_command(const std::vector<Template>& words) {
  std::string out;
  for (const Template& word : words) {
    const std::string text = print(word);
    const bool quoted = text.empty() || text.find(' ') != std::string::npos;
    out += (out.empty() ? "" : " ") + (quoted ? "'" + text + "'" : text);
  }
  return out;
}

ReplyRule read_pattern(TomlReading& reading, const toml::key& key) {
  using Form = ReplyRule::Form;
  const std::string pattern(key.str());
  ReplyRule rule;
  if (pattern == "*") return rule;
  rule.form = pattern == "nil"            ? Form::nil
              : pattern.starts_with("< ") ? Form::less
              : pattern.starts_with("> ") ? Form::more
                                          : Form::text;
  const std::string value = rule.form == Form::nil    ? ""
                            : rule.form == Form::text ? pattern
                                                      : pattern.substr(2);
  if (const auto wrong = parse_template(value, rule.value))
    reading.fail(reading.place_of(key), wrong->what, wrong->hint);
  return rule;
}

std::string print_pattern(const ReplyRule& rule) {
  using Form = ReplyRule::Form;
  switch (rule.form) {
    case Form::nil:
      return "nil";
    case Form::text:
      return print(rule.value);
    case Form::less:
      return "< " + print(rule.value);
    case Form::more:
      return "> " + print(rule.value);
    case Form::any:
      return "*";
  }
  return {};
}

namespace {

/// What commands of locks may answer.
struct Answers {
  std::string_view command;
  std::vector<std::string_view> replies;
};

const std::vector<Answers>& known_answers() {
  static const std::vector<Answers> known{
      {"SETNX", {"1", "0"}},  {"EXPIRE", {"1", "0"}},   {"PEXPIRE", {"1", "0"}},  {"DEL", {"1", "0"}},
      {"UNLINK", {"1", "0"}}, {"EXISTS", {"1", "0"}},   {"HSETNX", {"1", "0"}},   {"PERSIST", {"1", "0"}},
      {"GET", {"nil", "*"}},  {"GETSET", {"nil", "*"}}, {"GETDEL", {"nil", "*"}}, {"HGET", {"nil", "*"}},
      {"PSETEX", {"OK"}},     {"SETEX", {"OK"}},        {"WATCH", {"OK"}},        {"UNWATCH", {"OK"}},
      {"MULTI", {"OK"}},      {"DISCARD", {"OK"}}};
  return known;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// In capitals; of a script: none.
std::string command_of(const model::Described& described) {
  return described.words.empty() ? std::string() : upper(print(described.words.front()));
}

bool reads(const ReplyRule& rule, std::string_view reply) {
  using Form = ReplyRule::Form;
  if (rule.form == Form::any) return true;
  if (reply == "nil") return rule.form == Form::nil;
  if (rule.form == Form::nil) return false;
  return reply != "*" && rule.form == Form::text && print(rule.value) == reply;
}

}  // namespace

bool reads_reply(const model::Described& asked, std::string_view reply) {
  return std::any_of(asked.rules.begin(), asked.rules.end(),
                     [&](const ReplyRule& rule) { return reads(rule, reply); });
}

bool is_of_connection(const model::Described& described) {
  static const std::vector<std::string> commands{
      "WATCH",      "UNWATCH", "MULTI",   "EXEC",       "DISCARD",      "SUBSCRIBE",  "UNSUBSCRIBE",
      "PSUBSCRIBE", "SELECT",  "MONITOR", "SSUBSCRIBE", "BLPOP",        "BRPOP",      "BZPOPMIN",
      "BZPOPMAX",   "BLMOVE",  "WAIT",    "HELLO",      "PUNSUBSCRIBE", "BRPOPLPUSH", "SUNSUBSCRIBE"};
  return std::find(commands.begin(), commands.end(), command_of(described)) != commands.end();
}

bool is_of_transaction(const model::Described& described) {
  static const std::vector<std::string> commands{"WATCH", "UNWATCH", "MULTI", "EXEC", "DISCARD"};
  return std::find(commands.begin(), commands.end(), command_of(described)) != commands.end();
}

namespace {

/// What a command is answered as long as nothing is wrong.
std::vector<std::string_view> answers_to(const model::Described& described) {
  const std::string command = command_of(described);
  for (const Answers& one : known_answers())
    if (one.command == command) return one.replies;
  if (command != "SET") return {};
  const auto conditional = [](const Template& word) {
    return upper(print(word)) == "NX" || upper(print(word)) == "XX";
  };
  std::vector<std::string_view> replies{"OK"};
  if (std::any_of(described.words.begin(), described.words.end(), conditional)) replies.push_back("nil");
  return replies;
}

/// How far a list is in its transaction.
struct Transaction {
  bool watches = false, queues = false;

  bool is_open() const { return watches || queues; }
  /// Why the command may not come now; empty: it may, and has.
  std::string take(const std::string& command) {
    if (command == "EXEC" || command == "DISCARD") {
      if (!queues) return fmt::format("`{}` wants a MULTI before it", command);
      watches = queues = false;
    }
    if (queues && (command == "MULTI" || command == "WATCH" || command == "UNWATCH"))
      return fmt::format("`{}` may not stand between MULTI and EXEC", command);
    if (command == "WATCH") watches = true;
    if (command == "UNWATCH") watches = false;
    if (command == "MULTI") queues = true;
    return {};
  }
};

}  // namespace

std::optional<std::pair<std::size_t, std::string>> join_transactions(std::vector<model::Described>& list) {
  using Connection = model::Described::Connection;
  Transaction now;
  std::size_t begun = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool was_open = now.is_open();
    if (!now.queues) begun = i;
    const std::string wrong = now.take(command_of(list[i]));
    if (!wrong.empty()) return std::pair{i, wrong};
    list[i].connection = was_open ? Connection::keeps : now.is_open() ? Connection::opens : Connection::any;
  }
  if (now.queues) return std::pair{begun, std::string("nothing carries out this `MULTI`: no EXEC follows")};
  return std::nullopt;
}

std::string unread_reply(const std::vector<model::Described>& list, std::size_t which) {
  Transaction now;
  for (std::size_t i = 0; i < which; ++i) now.take(command_of(list[i]));
  const std::string command = command_of(list[which]);
  std::vector<std::string_view> replies;
  if (command == "EXEC" && which > 0) {
    replies = answers_to(list[which - 1]);
    if (now.watches) replies.push_back("nil");
  } else if (now.queues && command != "DISCARD") {
    replies = {"QUEUED"};
  } else {
    replies = answers_to(list[which]);
  }
  for (const std::string_view reply : replies)
    if (!reads_reply(list[which], reply))
      return reply == "*" ? std::string("any other value, `*`") : std::string(reply);
  return {};
}

std::optional<std::string> unsendable(const model::Described& described) {
  if (described.words.empty() || is_of_transaction(described)) return std::nullopt;
  model::Command words;
  for (const Template& word : described.words) words.push_back(print(word));
  if (words.front().find('{') != std::string::npos) return "a command has a name of its own";
  return redis::server_kind.refuses(words);
}

std::optional<std::pair<std::size_t, std::string>> unending(const std::vector<model::Described>& list,
                                                            std::string_view wanted) {
  if (list.empty()) return std::nullopt;
  const auto means = [](const model::Described& asked, std::string_view word) {
    return std::any_of(asked.rules.begin(), asked.rules.end(),
                       [&](const ReplyRule& rule) { return rule.word == word; });
  };
  const std::size_t last = list.size() - 1;
  for (const std::string_view next : {"next", "taken, next"})
    if (means(list[last], next))
      return std::pair{last, fmt::format("`{}` leads to no request: this one is the last", next)};
  for (std::size_t i = 0; i < last; ++i)
    if (!means(list[i], "next") && !means(list[i], "taken, next"))
      return std::pair{i, std::string("no reply leads to the next request")};
  if (std::none_of(list.begin(), list.end(), [&](const auto& one) { return means(one, wanted); }))
    return std::pair{last, fmt::format("no reply means `{}`", wanted)};
  return std::nullopt;
}

const std::vector<std::string>& key_events() {
  static const std::vector<std::string> names{"del",  "expired", "set",  "expire", "persist",     "hdel",
                                              "hset", "lrem",    "lpop", "srem",   "rename_from", "zrem"};
  return names;
}

}  // namespace lockstep::scenarios
