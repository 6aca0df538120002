#include "tools/cli/command_file.h"

#include <fmt/format.h>

#include <optional>

#include "model/redis/pubsub/monitors.h"
#include "reports/text/text.h"
#include "sim/base/overloaded.h"

namespace lockstep::tools {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Takes one line apart (Redis sds.c, sdssplitargs).
class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line) {}

  /// The words, or a clause that says what is wrong.
  sim::Result<model::Command> split() {
    model::Command words;
    for (skip_blanks(); at_ < line_.size(); skip_blanks()) {
      const char quote = line_[at_];
      if (quote != '"' && quote != '\'') {
        words.push_back(bare());
        continue;
      }
      auto word = quoted_by(quote);
      if (!word) return sim::Problem{"a quote is not closed"};
      if (at_ < line_.size() && !is_blank(line_[at_]))
        return sim::Problem{"a blank must follow a closing quote"};
      words.push_back(std::move(*word));
    }
    return words;
  }

 private:
  void skip_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
  }

  std::string bare() {
    const std::size_t begin = at_;
    while (at_ < line_.size() && !is_blank(line_[at_])) ++at_;
    return std::string(line_.substr(begin, at_ - begin));
  }

  std::optional<std::string> quoted_by(char quote) {
    std::string word;
    for (++at_; at_ < line_.size(); ++at_) {
      if (line_[at_] == quote) return ++at_, word;
      if (line_[at_] == '\\' && at_ + 1 < line_.size()) word += escaped(quote);
      else word += line_[at_];
    }
    return std::nullopt;
  }

  /// Stands on a backslash that something follows; ends on the last character that belongs to it.
  char escaped(char quote) {
    const char next = line_[at_ + 1];
    if (quote == '\'' && next != '\'') return '\\';
    ++at_;
    if (quote == '\'') return next;
    if (next == 'x' && at_ + 2 < line_.size()) {
      const int high = hex_digit(line_[at_ + 1]), low = hex_digit(line_[at_ + 2]);
      if (high >= 0 && low >= 0) return at_ += 2, static_cast<char>(high * 16 + low);
    }
    switch (next) {
      case 'n': return '\n';
      case 'r': return '\r';
      case 't': return '\t';
      case 'a': return '\a';
      case 'b': return '\b';
      default: return next;
    }
  }

  std::string_view line_;
  std::size_t at_ = 0;
};

/// What only RESP3 has, unless it holds members.
std::string shown(const lua::Typed& typed) {
  switch (typed.type) {
    case lua::Type3::null:
      return "(nil)";
    case lua::Type3::boolean:
      return *typed.items[0].integer() != 0 ? "(true)" : "(false)";
    case lua::Type3::number:
      return "(double) " + *typed.items[0].bulk();
    case lua::Type3::big_number:
      return "(big number) " + *typed.items[0].bulk();
    case lua::Type3::verbatim:
      return redis::quoted(*typed.items[1].bulk());
    default:
      return "(empty array)";
  }
}

/// Members of an array are numbered; what they hold is indented below the number.
void print(const model::Reply& reply, const std::string& indent, std::string& out) {
  const bool holds_items = reply.typed() && reply.typed()->type >= lua::Type3::map;
  const auto* items = holds_items ? &reply.typed()->items : reply.array();
  if (items != nullptr && !items->empty()) {
    const std::size_t width = std::to_string(items->size()).size();
    for (std::size_t i = 0; i < items->size(); ++i) {
      if (i > 0) out += indent;
      out += fmt::format("{:>{}}) ", i + 1, width);
      print((*items)[i], indent + std::string(width + 2, ' '), out);
    }
    return;
  }
  out += std::visit(sim::overloaded{
                        [](const lua::Nil&) { return std::string("(nil)"); },
                        [](const lua::NilArray&) { return std::string("(nil)"); },
                        [](const lua::Typed& typed) { return shown(typed); },
                        [](std::int64_t number) { return fmt::format("(integer) {}", number); },
                        [](const std::string& bulk) { return redis::quoted(bulk); },
                        [](const lua::Status& status) { return reports::printable(status.text); },
                        [](const lua::Error& error) { return "(error) " + reports::printable(error.text); },
                        [](const model::Reply::Array&) { return std::string("(empty array)"); },
                    },
                    reply.value) +
         "\n";
}

}  // namespace

sim::Result<std::vector<CommandLine>> read_commands(std::string_view text, const std::string& name) {
  std::vector<CommandLine> commands;
  if (text.find('\0') != std::string_view::npos)
    return sim::Problem{name + ": is a binary file, not commands, one a line"};
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    auto words = Splitter(line).split();
    if (!words) return sim::Problem{fmt::format("{}:{}: {}", name, number, words.problem().text)};
    commands.push_back({number, std::move(*words)});
  }
  if (commands.empty()) return sim::Problem{name + ": holds no command"};
  return commands;
}

std::string printed(const model::Reply& reply) {
  std::string out;
  print(reply, "", out);
  return out;
}

}  // namespace lockstep::tools
