#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/text.h"
#include "tools/history/keys_once.h"
#include "tools/history/recorded.h"

namespace lockstep::tools {

namespace {

using LineJson = nlohmann::json;

/// Reads the members of one line; the first mistake stays.
class EventLine {
 public:
  explicit EventLine(const LineJson& line) : line_(line) {}

  std::string text(const char* name) {
    const LineJson* value = member(name);
    if (value == nullptr) return "";
    if (value->is_string()) return value->get<std::string>();
    if (value->is_number_integer()) return value->dump();
    wrong(name, "a text");
    return "";
  }
  std::optional<std::string> answer() {
    const LineJson* value = member("answer");
    if (value == nullptr) return std::nullopt;
    if (value->is_boolean()) return value->get<bool>() ? "true" : "false";
    return text("answer");
  }
  std::optional<std::int64_t> integer(const char* name) {
    const LineJson* value = member(name);
    if (value == nullptr) return std::nullopt;
    const bool fits = value->is_number_integer() &&
                      !(value->is_number_unsigned() && value->get<std::uint64_t>() > most_integer);
    if (fits) return value->get<std::int64_t>();
    wrong(name, "a whole number");
    return std::nullopt;
  }
  /// Milliseconds.
  std::optional<histories::Time> span(const char* name) {
    constexpr double most_ms = 9e12;
    const LineJson* value = member(name);
    if (value == nullptr) return std::nullopt;
    const double ms = value->is_number() ? value->get<double>() : -1;
    if (ms >= 0 && ms <= most_ms) return static_cast<histories::Time>(std::llround(ms * 1e6));
    wrong(name, "milliseconds");
    return std::nullopt;
  }
  const std::string& mistake() const { return mistake_; }

 private:
  static constexpr std::uint64_t most_integer = 9'223'372'036'854'775'807u;

  const LineJson* member(const char* name) const {
    const auto found = line_.find(name);
    return found == line_.end() || found->is_null() ? nullptr : &*found;
  }
  void wrong(const char* name, const char* wanted) {
    if (mistake_.empty()) mistake_ = fmt::format("`{}` wants {}", name, wanted);
  }

  const LineJson& line_;
  std::string mistake_;
};

}  // namespace

sim::Result<std::vector<RecordedEvent>> parse_json_lines(std::string_view text, const std::string& file) {
  std::vector<RecordedEvent> events;
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    KeysOnce<LineJson> keys;
    const LineJson parsed = LineJson::parse(line, std::ref(keys), false);
    if (!parsed.is_object())
      return sim::Problem{fmt::format("{}:{}: this line is no JSON object", file, number)};
    if (keys.twice())
      return sim::Problem{fmt::format("{}:{}: the member `{}` stands there twice", file, number,
                                      reports::printable(*keys.twice()))};
    if (parsed.contains("lockstep")) {
      if (parsed["lockstep"] == "history" && parsed.value("v", LineJson(1)) == 1) continue;
      return sim::Problem{fmt::format("{}:{}: this is no history of format 1", file, number)};
    }
    EventLine read(parsed);
    events.push_back({.line = number,
                      .type = read.text("type"),
                      .process = read.text("process"),
                      .thread = read.text("thread"),
                      .call = read.text("call"),
                      .lock = read.text("lock"),
                      .mode = read.text("mode"),
                      .answer = read.answer(),
                      .token = read.integer("token"),
                      .time = read.span("time"),
                      .lease = read.span("lease")});
    if (!read.mistake().empty()) return sim::Problem{fmt::format("{}:{}: {}", file, number, read.mistake())};
  }
  return events;
}

}  // namespace lockstep::tools
