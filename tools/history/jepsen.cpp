#include <charconv>

#include <fmt/format.h>

#include "tools/history/edn.h"
#include "tools/history/recorded.h"

namespace lockstep::tools {

namespace {

/// `7`, `+7` and `7N` are the same.
std::optional<std::int64_t> whole_number(const Edn& value) {
  std::string_view text = value.text;
  if (text.ends_with('N')) text.remove_suffix(1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole =
      value.kind == Edn::Kind::word && error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

std::string text_of(const Edn* value) { return value == nullptr ? "" : value->text; }

/// Of an operation, or of the map that is its value.
const Edn* either(const Edn& operation, std::string_view name) {
  const Edn* found = operation.find(name);
  const Edn* value = operation.find("value");
  return found != nullptr || value == nullptr ? found : value->find(name);
}

/// That a thread waits is told among what the nemesis does.
RecordedEvent of_nemesis(const Edn& operation, RecordedEvent event) {
  const std::string value = text_of(operation.find("value"));
  const std::size_t blank = value.find(' ');
  event.type = "waits";
  event.process.clear();
  event.thread = value.substr(0, blank);
  event.lock = blank == value.npos ? "" : value.substr(blank + 1);
  return event;
}

bool is_text(const Edn& value) {
  return value.kind != Edn::Kind::sequence && value.kind != Edn::Kind::map;
}

bool names_a_lock(const Edn* value) {
  return value != nullptr && (value->kind == Edn::Kind::text || value->kind == Edn::Kind::keyword);
}

/// Of an operation of a client. To leave out what is not understood would make all locks one.
bool is_understood(const Edn& operation) {
  const Edn* value = operation.find("value");
  return value == nullptr || value->kind == Edn::Kind::map || names_a_lock(value) ||
         text_of(operation.find("process")) == "nemesis";
}

/// Reads one operation; the first mistake stays.
class OperationReader {
 public:
  explicit OperationReader(const Edn& operation) : operation_(operation) {}

  std::optional<RecordedEvent> event() {
    RecordedEvent event{.line = operation_.line,
                        .type = text_of(operation_.find("type")),
                        .process = text_of(operation_.find("process")),
                        .thread = text_of(operation_.find("thread")),
                        .call = text_of(operation_.find("f")),
                        .lock = text_of(either(operation_, "lock")),
                        .mode = text_of(either(operation_, "mode"))};
    const bool of_others = event.process == "nemesis";
    if (of_others && event.call != "waits") return std::nullopt;
    event.time = integer("time", "whole nanoseconds", operation_.find("time"));
    if (of_others) return of_nemesis(operation_, std::move(event));
    if (const Edn* lock = either(operation_, "lock"); lock != nullptr && !is_text(*lock))
      wrong(*lock, "lock", "a text");
    if (event.lock.empty() && names_a_lock(operation_.find("value")))
      event.lock = text_of(operation_.find("value"));
    if (const Edn* answer = either(operation_, "answer")) event.answer = answer->text;
    event.token = integer("token", "a whole number", either(operation_, "token"));
    const auto fence = integer("fence", "a whole number", either(operation_, "fence"));
    if (!event.token) event.token = fence;
    event.lease = lease();
    return event;
  }
  /// With the line in front.
  const std::string& mistake() const { return mistake_; }

 private:
  std::optional<std::int64_t> integer(const char* name, const char* wanted, const Edn* value) {
    if (value == nullptr) return std::nullopt;
    const auto number = whole_number(*value);
    if (!number) wrong(*value, name, wanted);
    return number;
  }
  std::optional<histories::Time> lease() {
    constexpr std::int64_t most_ms = 9'000'000'000'000;
    const Edn* value = either(operation_, "lease");
    const auto ms = integer("lease", "whole milliseconds", value);
    if (!ms) return std::nullopt;
    if (*ms >= 0 && *ms <= most_ms) return *ms * 1'000'000;
    wrong(*value, "lease", "whole milliseconds");
    return std::nullopt;
  }
  void wrong(const Edn& value, const char* name, const char* wanted) {
    if (mistake_.empty()) mistake_ = fmt::format("{}: `:{}` wants {}", value.line, name, wanted);
  }

  const Edn& operation_;
  std::string mistake_;
};

}  // namespace

sim::Result<std::vector<RecordedEvent>> parse_jepsen(std::string_view text, const std::string& file) {
  const auto values = parse_edn(text, file);
  if (!values) return values.problem();
  const bool in_vector = values->size() == 1 && values->front().kind == Edn::Kind::sequence;
  const std::vector<Edn>& operations = in_vector ? values->front().items : *values;
  std::vector<RecordedEvent> events;
  for (const Edn& operation : operations) {
    if (operation.kind != Edn::Kind::map)
      return sim::Problem{fmt::format("{}:{}: this is no map of an operation", file, operation.line)};
    if (!is_understood(operation))
      return sim::Problem{
          fmt::format("{}:{}: `:value` is the name of the lock, or a map such as {{:lock \"a\" "
                      ":token 7}}",
                      file, operation.line)};
    OperationReader reader(operation);
    auto event = reader.event();
    if (!reader.mistake().empty())
      return sim::Problem{fmt::format("{}:{}", file, reader.mistake())};
    if (event) events.push_back(*std::move(event));
  }
  return events;
}

}  // namespace lockstep::tools
