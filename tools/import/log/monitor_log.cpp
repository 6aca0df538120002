#include "tools/import/log/monitor_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "reports/text/text.h"

namespace lockstep::tools {

namespace {

/// Reads one line from left to right; the first thing that is not as it should be is the mistake.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : line_(line) {}

  bool read(MonitorCommand& into) {
    std::int64_t seconds = 0, micros = 0;
    if (!number(seconds) || !literal(".") || !micros_of(micros))
      return mistake("a time such as 1568357723.205362");
    into.time_us = seconds * 1'000'000 + micros;
    std::int64_t database = 0;
    if (!literal(" [") || !number(database) || database > 255 || !literal(" "))
      return mistake("`[DATABASE CLIENT]`");
    into.database = static_cast<std::uint8_t>(database);
    const std::size_t close = line_.find("] ", at_);
    if (close == std::string_view::npos) return mistake("`[DATABASE CLIENT]`");
    into.client = std::string(line_.substr(at_, close - at_));
    at_ = close + 1;
    while (literal(" \"")) {
      auto word = quoted();
      if (!word) return mistake("the closing quote of a word");
      into.words.push_back(*std::move(word));
    }
    if (into.words.empty()) return mistake("a word in quotes");
    const std::size_t rest = line_.find_first_not_of(" \t\r", at_);
    remark_ = rest != std::string_view::npos;
    if (remark_ && line_[rest] != '#') return mistake("a blank and a word in quotes, or the end of the line");
    return true;
  }

  bool remark() const { return remark_; }
  std::size_t column() const { return at_ + 1; }
  const char* wanted() const { return wanted_; }

 private:
  bool mistake(const char* wanted) {
    wanted_ = wanted;
    return false;
  }
  bool literal(std::string_view text) {
    if (!line_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  bool number(std::int64_t& into) {
    const char* const begin = line_.data() + at_;
    const auto [end, wrong] = std::from_chars(begin, line_.data() + line_.size(), into);
    if (wrong != std::errc() || into < 0 || into > 1'000'000'000'000) return false;
    at_ += static_cast<std::size_t>(end - begin);
    return true;
  }
  bool micros_of(std::int64_t& into) {
    const std::size_t begin = at_;
    return number(into) && at_ - begin == 6;
  }
  static int hex_digit(char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    const std::size_t at = digits.find(static_cast<char>(c | 0x20));
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
  }
  std::optional<char> escaped() {
    constexpr std::string_view letters = "nrtab\\\"", meant = "\n\r\t\a\b\\\"";
    const char c = line_[at_++];
    if (c != 'x') {
      const std::size_t which = letters.find(c);
      return which == std::string_view::npos ? std::nullopt : std::optional(meant[which]);
    }
    if (at_ + 2 > line_.size()) return std::nullopt;
    const int high = hex_digit(line_[at_]), low = hex_digit(line_[at_ + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    at_ += 2;
    return static_cast<char>(high * 16 + low);
  }
  /// The word whose opening quote was read.
  std::optional<std::string> quoted() {
    std::string word;
    while (at_ < line_.size() && line_[at_] != '"') {
      const char c = line_[at_++];
      if (c != '\\') {
        word += c;
        continue;
      }
      if (at_ == line_.size()) return std::nullopt;
      const auto meant = escaped();
      if (!meant) return std::nullopt;
      word += *meant;
    }
    if (at_ == line_.size()) return std::nullopt;
    ++at_;
    return word;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  bool remark_ = false;
  const char* wanted_ = "";
};

bool says_nothing(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  return begin == std::string_view::npos || line[begin] == '#' || line == "OK" || line == "OK\r";
}

}  // namespace

sim::Result<MonitorLog> read_monitor_log(std::string_view text, const std::string& name) {
  MonitorLog log;
  std::size_t line_number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool last = end == text.size();
    at = end + 1;
    ++line_number;
    if (says_nothing(line)) {
      log.remarks += !line.empty();
      continue;
    }
    MonitorCommand command{.line = line_number};
    LineReader reader(line);
    if (!reader.read(command)) {
      if (last && !log.commands.empty()) {
        log.cut = true;
        break;
      }
      return sim::Problem{fmt::format("{}:{}:{}: a line of MONITOR wants {} here", reports::printable(name),
                                      line_number, reader.column(), reader.wanted())};
    }
    log.remarks += reader.remark();
    if (!log.commands.empty() && command.time_us < log.commands.back().time_us) {
      ++log.set_back;
      command.time_us = log.commands.back().time_us;
    }
    log.commands.push_back(std::move(command));
  }
  if (log.commands.empty())
    return sim::Problem{reports::printable(name) + ": no line of it is one that `redis-cli MONITOR` prints"};
  return log;
}

}  // namespace lockstep::tools
