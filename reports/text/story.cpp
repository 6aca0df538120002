#include "reports/text/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

using Cells = std::array<std::string, 5>;  // #, t, who, what, changes
constexpr std::size_t what_cell = 3;

bool told(const sim::TraceEvent& event, bool everything) {
  if (everything) return true;
  const auto& kind = event.kind;
  if (event.of) return false;
  return kind == TraceKind::eval || kind == TraceKind::cmd || kind == TraceKind::expire ||
         kind == TraceKind::repl || kind == TraceKind::drop || kind == TraceKind::enter ||
         kind == TraceKind::leave || kind == TraceKind::prop || is_fault(kind) ||
         (kind == TraceKind::ret && event.outcome != "ok");
}

Cells cells_of(const sim::Trace& trace, const sim::TraceEvent& event, const StoryOptions& options) {
  const bool ran = (event.kind == TraceKind::eval || event.kind == TraceKind::cmd) && !event.from.empty();
  auto who = cut(printable(ran ? event.from + "@" + event.who : event.who), 24);
  auto what = event_text(trace, event);
  if (event.kind == TraceKind::expire) what = "a key expires";
  if (event.kind == TraceKind::repl) what = "applies effects of " + printable(event.from);
  if (event.kind != TraceKind::prop) what = cut(what, options.what_columns);
  return {fmt::format("{}", event.index), time_text(event.time_us), who, what, changes_text(trace, event)};
}

void pad(std::string& line, const std::string& cell, std::size_t width, bool right) {
  const std::string space(width - std::min(width, columns(cell)), ' ');
  line += right ? space + cell : cell + space;
}

}  // namespace

std::string story(const sim::Trace& trace, const StoryOptions& options) {
  const auto shown = shown_events(trace, options.window);
  std::vector<std::pair<Cells, bool>> lines = {{{"#", "t", "who", "what", "changes"}, false}};
  for (auto at = shown.begin; at < shown.end; ++at) {
    const auto& event = trace.events[at];
    if (told(event, options.everything) && (!options.only || options.only(event)))
      lines.emplace_back(cells_of(trace, event, options), event.kind == TraceKind::prop);
  }
  std::array<std::size_t, 5> widths{};
  for (const auto& [line, violation] : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i != what_cell || !violation) widths[i] = std::max(widths[i], columns(line[i]));
    }
  }
  std::string out;
  if (shown.begin > 0) out += fmt::format("{}… {} earlier events\n", options.indent, shown.begin);
  for (const auto& [line, violation] : lines) {
    std::string text = options.indent + (violation ? "▶ " : "  ");
    for (std::size_t i = 0; i < widths.size(); ++i) {
      pad(text, line[i], widths[i], i == 0);
      text += "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

}  // namespace lockstep::reports
