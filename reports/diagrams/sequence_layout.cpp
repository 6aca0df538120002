#include "reports/diagrams/sequence_layout.h"

#include <algorithm>
#include <set>

#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

bool carries_message(const sim::TraceEvent& event) {
  return event.kind == TraceKind::send || event.kind == TraceKind::recv || event.kind == TraceKind::eval ||
         event.kind == TraceKind::cmd || event.kind == TraceKind::repl || event.kind == TraceKind::drop;
}

bool stands_alone(const sim::TraceEvent& event) {
  return is_fault(event.kind) || event.kind == TraceKind::prop || event.kind == TraceKind::expire;
}

bool acts_itself(const sim::Trace& trace, const std::string& process) {
  return std::any_of(trace.events.begin(), trace.events.end(), [&](const sim::TraceEvent& event) {
    return event.who == process && !is_fault(event.kind) && event.kind != TraceKind::prop;
  });
}

Lifeline line_of(const sim::TraceActor& actor, int side) {
  Lifeline line;
  line.id = actor.id;
  line.node = actor.kind == "redis";
  line.title = printable(actor.label.empty() ? actor.id : actor.label);
  line.subtitle = line.node ? actor.role : actor.kind == "process" ? "its event loop" : actor.lock_id;
  line.subtitle = printable(line.subtitle);
  line.side = side;
  return line;
}

/// What differs between two actors must be seen in what is left of their names.
void tell_apart(std::vector<Lifeline>& lifelines) {
  std::vector<std::string> titles, subtitles;
  for (const Lifeline& line : lifelines) {
    titles.push_back(line.title);
    subtitles.push_back(line.subtitle);
  }
  titles = cut_apart(titles, 10, 150, true);
  subtitles = cut_apart(subtitles, 8, 150);
  for (std::size_t i = 0; i < lifelines.size(); ++i) {
    lifelines[i].title = titles[i];
    lifelines[i].subtitle = subtitles[i];
  }
}

}  // namespace

SequenceLayout::SequenceLayout(const sim::Trace& trace, const Window& window)
    : shown(shown_events(trace, window)) {
  measure_times(trace);
  place_lifelines(trace);
  place_rows(trace);
}

void SequenceLayout::measure_times(const sim::Trace& trace) {
  int widest = 0;
  for (auto at = shown.begin; at < shown.end; ++at)
    widest = std::max(widest, text_width(time_text(trace.events[at].time_us), 9, true));
  const int numbers = shown.end == 0 ? 0 : text_width(std::to_string(trace.events[shown.end - 1].index), 7);
  time_width = std::max(time_width, 12 + widest + 10 + numbers);
}

void SequenceLayout::place_lifelines(const sim::Trace& trace) {
  std::vector<std::string> processes;
  for (const auto& actor : trace.actors) {
    const auto& process = actor.kind == "process" ? actor.id : actor.of;
    if (actor.kind == "redis" || std::count(processes.begin(), processes.end(), process) > 0) continue;
    processes.push_back(process);
  }
  const auto add_processes = [&](std::size_t from, std::size_t to, int side) {
    for (std::size_t i = from; i < to; ++i) {
      for (const auto& actor : trace.actors) {
        if (actor.kind == "thread" && actor.of == processes[i]) lifelines.push_back(line_of(actor, side));
      }
      for (const auto& actor : trace.actors) {
        const bool here = actor.kind == "process" && actor.id == processes[i];
        if (here && acts_itself(trace, actor.id)) lifelines.push_back(line_of(actor, side));
      }
    }
  };
  const std::size_t half = (processes.size() + 1) / 2;
  add_processes(0, half, -1);
  for (const auto& actor : trace.actors) {
    if (actor.kind == "redis") lifelines.push_back(line_of(actor, 1));
  }
  add_processes(half, processes.size(), 1);
  tell_apart(lifelines);
  int x = time_width + note_width;
  for (auto& line : lifelines) {
    line.x = x;
    x += gap;
  }
  width = std::max(x - gap, time_width + note_width) + note_width + 12;
}

void SequenceLayout::place_rows(const sim::Trace& trace) {
  top = head_top + head_height + 14;
  int y = top + (shown.begin > 0 ? 26 : 0);
  bool has_message = false;
  for (std::size_t at = shown.begin; at < shown.end; ++at) {
    const auto& event = trace.events[at];
    if (event.of) continue;  // a line of a script is a detail of its row
    bool joins = false;
    if (!rows.empty()) {
      const auto& first = trace.events[rows.back().begin];
      joins = first.who == event.who && first.time_us == event.time_us && !stands_alone(first) &&
              !stands_alone(event) && !(has_message && carries_message(event));
    }
    if (!joins) {
      rows.push_back({at, at, 0, event.kind == TraceKind::prop ? 62 : row_height});
      has_message = false;
    }
    rows.back().end = at + 1;
    has_message |= carries_message(event);
  }
  for (auto& row : rows) {
    row.y = y + row_height / 2;
    y += row.height;
    for (std::size_t at = row.begin; at < row.end; ++at) y_[at] = row.y;
  }
  bottom = y + 8;
}

const Lifeline* SequenceLayout::lifeline(const std::string& id) const {
  const auto found =
      std::find_if(lifelines.begin(), lifelines.end(), [&](const Lifeline& l) { return l.id == id; });
  return found == lifelines.end() ? nullptr : &*found;
}

int SequenceLayout::y_of(std::size_t position) const {
  if (position < shown.begin) return top;
  const auto found =
      y_.upper_bound(position);  // a detail without a row stands where its row is: at the one before
  if (position >= shown.end) return bottom;
  if (found == y_.begin()) return top;
  return std::prev(found)->second;
}

int SequenceLayout::x_of(const sim::Trace& trace, const std::string& who) const {
  if (const auto* line = lifeline(who)) return line->x;
  int sum = 0;
  int count = 0;
  for (const auto& actor : trace.actors) {
    const auto* line = actor.of == who ? lifeline(actor.id) : nullptr;
    if (!line) continue;
    sum += line->x;
    ++count;
  }
  return count > 0 ? sum / count : (time_width + width) / 2;
}

}  // namespace lockstep::reports
