#include "tools/differential/monitor.h"

#include <charconv>

#include "sim/base/verify.h"

namespace lockstep::differential {

namespace {

char unescaped(std::string_view line, std::size_t& at) {
  const char c = line[at++];
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'x': {
      unsigned value = 0;
      std::from_chars(line.data() + at, line.data() + at + 2, value, 16);
      at += 2;
      return static_cast<char>(value);
    }
    default:
      return c;
  }
}

/// The word whose opening quote is at `at`; leaves `at` behind the closing one.
std::string quoted_word(std::string_view line, std::size_t& at) {
  std::string word;
  for (++at; line[at] != '"';) {
    const char c = line[at++];
    word += c == '\\' ? unescaped(line, at) : c;
  }
  ++at;
  return word;
}

}  // namespace

MonitorLine parse_monitor_line(std::string_view line) {
  MonitorLine parsed;
  const std::size_t open = line.find('['), close = line.find("] ", open);
  VERIFY(open != std::string_view::npos && close != std::string_view::npos);
  const std::string_view client = line.substr(open + 1, close - open - 1);
  parsed.from_script = client.substr(client.find(' ') + 1) == "lua";
  for (std::size_t at = close + 2; at < line.size(); ++at) parsed.command.push_back(quoted_word(line, at));
  return parsed;
}

Monitor::Monitor(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {
  connection_->ask({"MONITOR"});
}

std::vector<model::Command> Monitor::script_calls_until(const model::Command& end) {
  std::vector<model::Command> calls;
  for (;;) {
    const auto reply = connection_->receive();
    if (!reply || !reply->status()) return calls;
    MonitorLine line = parse_monitor_line(reply->status()->text);
    if (line.command == end) return calls;
    if (line.from_script) calls.push_back(std::move(line.command));
  }
}

}  // namespace lockstep::differential
