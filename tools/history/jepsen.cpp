#include <charconv>

#include <fmt/format.h>

#include "tools/history/edn.h"
#include "tools/history/recorded.h"

namespace lockstep::tools {

namespace {

std::optional<std::int64_t> whole_number(const Edn* value) {
  if (value == nullptr || value->kind != Edn::Kind::word) return std::nullopt;
  const std::string_view text = value->text;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && (end == text.data() + text.size() || *end == 'N');
  return whole ? std::optional(number) : std::nullopt;
}

std::string text_of(const Edn* value) { return value == nullptr ? "" : value->text; }

/// Of an operation, or of the map that is its value.
const Edn* either(const Edn& operation, std::string_view name) {
  const Edn* found = operation.find(name);
  const Edn* value = operation.find("value");
  return found != nullptr || value == nullptr ? found : value->find(name);
}

/// Faults, and whatever else the nemesis does; that a thread waits is told among it.
std::optional<RecordedEvent> of_nemesis(const Edn& operation, RecordedEvent event) {
  if (event.call != "waits") return std::nullopt;
  const std::string value = text_of(operation.find("value"));
  const std::size_t blank = value.find(' ');
  event.type = "waits";
  event.process.clear();
  event.thread = value.substr(0, blank);
  event.lock = blank == value.npos ? "" : value.substr(blank + 1);
  return event;
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

std::optional<RecordedEvent> event_of(const Edn& operation) {
  RecordedEvent event{.line = operation.line,
                      .type = text_of(operation.find("type")),
                      .process = text_of(operation.find("process")),
                      .thread = text_of(operation.find("thread")),
                      .call = text_of(operation.find("f")),
                      .lock = text_of(either(operation, "lock")),
                      .mode = text_of(either(operation, "mode"))};
  event.time = whole_number(operation.find("time"));
  if (event.process == "nemesis") return of_nemesis(operation, std::move(event));
  if (event.lock.empty() && names_a_lock(operation.find("value")))
    event.lock = text_of(operation.find("value"));
  if (const Edn* answer = either(operation, "answer")) event.answer = answer->text;
  event.token = whole_number(either(operation, "token"));
  if (!event.token) event.token = whole_number(either(operation, "fence"));
  if (const auto lease_ms = whole_number(either(operation, "lease")))
    if (*lease_ms >= 0 && *lease_ms <= 9'000'000'000'000) event.lease = *lease_ms * 1'000'000;
  return event;
}

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
    if (auto event = event_of(operation)) events.push_back(*std::move(event));
  }
  return events;
}

}  // namespace lockstep::tools
