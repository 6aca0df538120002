#include "reports/diagrams/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/diagrams/legend.h"
#include "reports/diagrams/ownership.h"
#include "reports/diagrams/sequence_layout.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

constexpr int small_font = 8;

std::string event_id(std::size_t position) { return fmt::format("ev-{}", position); }

struct DrawnArrow {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  const char* colour = ink::request;
  Dash dash = Dash::solid;
  bool lost = false;
};

class SequenceDrawer {
 public:
  SequenceDrawer(const sim::Trace& trace, const Window& window)
      : trace_(trace), layout_(trace, window), messages_(trace), ownership_(ownership(trace)) {}

  Drawing draw() {
    drawing_.name = "sequence";
    drawing_.width = layout_.width;
    drawing_.height = layout_.bottom + 56;
    draw_title(drawing_, trace_);
    strips();
    pauses();
    lifelines();
    bands();
    times();
    for (const auto& row : layout_.rows) {
      for (std::size_t at = row.begin; at < row.end; ++at) event(at);
      notes(row);
    }
    heads();
    const auto legend = sequence_legend(drawing_);
    drawing_.width = std::max(drawing_.width, legend_width(legend) + 24);
    draw_legend(drawing_, legend, 12, layout_.bottom + 34);
    return std::move(drawing_);
  }

 private:
  void heads() {
    for (const auto& line : layout_.lifelines) {
      const int width =
          std::max(112, std::max(text_width(line.title, 10, true), text_width(line.subtitle, 8)) + 18);
      const int left = line.x - width / 2;
      drawing_.add(Box{left, SequenceLayout::head_top, width, SequenceLayout::head_height,
                       line.node ? "#e7ecf2" : "#f4f6f8", line.node ? "#52606d" : "#9aa5b1", 10, true},
                   "actor-" + printable(line.id), line.node ? "actor node" : "actor thread");
      const bool two = !line.subtitle.empty();
      const int y = SequenceLayout::head_top + (two ? 13 : 18);
      drawing_.add(Text{line.x, y, line.title, Align::centre, 10, true});
      if (two) drawing_.add(Text{line.x, y + 13, line.subtitle, Align::centre, 8, false, ink::muted});
    }
  }

  /// Solid and dark where a node is master, thin where it is replica, dotted red while it is down.
  void lifelines() {
    const int top = SequenceLayout::head_top + SequenceLayout::head_height;
    for (const auto& line : layout_.lifelines) {
      const auto* actor = find_actor(trace_, line.id);
      bool master = actor && actor->role == "master";
      bool down = false;
      int from = top;
      const auto flush = [&](int to) {
        const char* colour = down ? ink::error : master ? "#52606d" : ink::lifeline;
        const Dash dash = down ? Dash::dotted : master ? Dash::solid : Dash::dashed;
        if (to > from)
          drawing_.add(Line{line.x, from, line.x, to, colour, dash, Head::none, master ? 16 : 10});
        from = to;
      };
      for (std::size_t at = 0; line.node && at < layout_.shown.end; ++at) {
        const auto& e = trace_.events[at];
        if (e.who != line.id) continue;
        const bool turns = e.kind == TraceKind::crash || e.kind == TraceKind::restart ||
                           e.kind == TraceKind::promote || e.kind == TraceKind::demote;
        if (turns) flush(std::max(top, layout_.y_of(at)));
        if (e.kind == TraceKind::crash || e.kind == TraceKind::restart) down = e.kind == TraceKind::crash;
        if (e.kind == TraceKind::promote || e.kind == TraceKind::demote)
          master = e.kind == TraceKind::promote;
      }
      flush(layout_.bottom);
    }
  }

  void bands() {
    for (const auto& band : whole_bands(ownership_)) {
      const auto* line = layout_.lifeline(band.thread);
      if (!line || band.end <= layout_.shown.begin || band.begin >= layout_.shown.end) continue;
      const int from = layout_.y_of(band.begin);
      const int to = layout_.y_of(band.end);
      if (to <= from) continue;
      constexpr int width = 12;
      const Box shape = band_box(band.standing, {line->x - width / 2, from, width, to - from});
      drawing_.add(shape, fmt::format("band-{}-{}", printable(band.thread), band.begin),
                   band_class(band.standing),
                   fmt::format("{}: {} {}", printable(band.thread), band_words(band.standing),
                               cut(printable(band.lock), 60)));
      if (band.standing == Standing::mistaken)
        drawing_.add(Hatch{shape.x, shape.y, shape.width, shape.height});
    }
  }

  void times() {
    std::optional<std::int64_t> shown;
    if (layout_.shown.begin > 0) {
      drawing_.add(Text{12, layout_.top + 6, fmt::format("… {} earlier events", layout_.shown.begin),
                        Align::left, 9, false, ink::muted},
                   "earlier", "earlier");
    }
    for (const auto& row : layout_.rows) {
      const auto& event = trace_.events[row.begin];
      if (shown != event.time_us) {
        drawing_.add(Text{12, row.y, time_text(event.time_us), Align::left, 9, true});
        if (shown) {
          const int y = row.y - SequenceLayout::row_height / 2;
          drawing_.add(Line{12, y, layout_.width - 12, y, ink::faint});
        }
      }
      shown = event.time_us;
      drawing_.add(
          Text{layout_.time_width, row.y, fmt::format("{}", event.index), Align::right, 7, false, "#aab4be"});
    }
  }

  void strips() {
    for (const auto& row : layout_.rows) {
      const auto& event = trace_.events[row.begin];
      if (!is_fault(event.kind)) continue;
      const bool bad = event.kind == TraceKind::crash || event.kind == TraceKind::cut;
      drawing_.add(Box{layout_.time_width + 2, row.y - 10, layout_.width - layout_.time_width - 14, 20,
                       bad ? "#fbeae8" : ink::fault});
    }
  }

  void pauses() {
    for (std::size_t at = 0; at < layout_.shown.end; ++at) {
      if (trace_.events[at].kind != TraceKind::pause) continue;
      const auto& who = trace_.events[at].who;
      std::size_t end = at + 1;
      while (end < trace_.events.size() &&
             !(trace_.events[end].who == who && trace_.events[end].kind == TraceKind::resume))
        ++end;
      if (end <= layout_.shown.begin) continue;
      for (const auto& line : layout_.lifelines) {
        const auto* actor = find_actor(trace_, line.id);
        if (line.id != who && !(actor && actor->of == who)) continue;
        const int from = layout_.y_of(at);
        drawing_.add(Box{line.x - 17, from, 34, layout_.y_of(end) - from, ink::paused}, {}, "pause",
                     printable(who) + " is paused");
      }
    }
  }

  void event(std::size_t at) {
    const auto& event = trace_.events[at];
    if (event.kind == TraceKind::eval || event.kind == TraceKind::cmd) return ran(at);
    if (event.kind == TraceKind::recv) return received(at);
    if (event.kind == TraceKind::send) return sent(at);
    if (event.kind == TraceKind::repl) return replicated(at);
    if (event.kind == TraceKind::drop) return lost(at);
    if (event.kind == TraceKind::expire) return expired(at);
    if (event.kind == TraceKind::prop) return violated(at);
    if (is_fault(event.kind)) return fault(at);
  }

  void arrow(const DrawnArrow& a, std::size_t at) {
    const auto tooltip = tooltip_text(trace_, trace_.events[at]);
    if (!a.lost) drawing_.add(Mark{Sign::dot, a.x0, a.y0, 4, a.colour});
    drawing_.add(Line{a.x0, a.y0, a.x1, a.y1, a.colour, a.dash, Head::arrow, 11}, event_id(at),
                 fmt::format("message {}", word_of(trace_.events[at])), tooltip);
    if (a.lost) drawing_.add(Mark{Sign::cross, a.x1 + (a.x1 > a.x0 ? 5 : -5), a.y1, 9, ink::error});
  }

  /// Beside an end of an arrow, on the side to which the arrow runs, above or below its line.
  void label(int x, int y, int towards, const std::string& text, const char* colour, int width_max) {
    const bool right = towards > x;
    drawing_.add(Text{x + (right ? 9 : -9), y, cut_to_width(text, small_font, std::max(width_max, 60)),
                      right ? Align::left : Align::right, small_font, false, colour, true});
  }

  void sent(std::size_t at) {
    const auto& event = trace_.events[at];
    const auto* from = layout_.lifeline(event.who);
    const auto* to = layout_.lifeline(event.to);
    if (!from || !to || from->node) return;  // what a node sends is drawn where it is heard
    if (!messages_.ran_at(at) && !messages_.lost_at(at)) {  // still under way when the trace ended
      const int y = layout_.y_of(at);
      arrow({from->x, y, (from->x + to->x) / 2, y + 8, ink::request, Dash::dotted, false}, at);
    }
    label(from->x, layout_.y_of(at) - 7, to->x, message_text(event), ink::request,
          std::abs(to->x - from->x) - 24);
  }

  void ran(std::size_t at) {
    const auto& event = trace_.events[at];
    const auto* node = layout_.lifeline(event.who);
    if (!node || event.of) return;
    const auto* from = layout_.lifeline(event.from);
    const int y = layout_.y_of(at);
    if (from) {
      const auto send = messages_.request_of(at);
      const int y0 = send ? layout_.y_of(*send) : y - 12;
      arrow({from->x, y0, node->x, y, ink::request, Dash::solid, false}, at);
      if (!send) label(from->x, y0 - 7, node->x, message_text(event), ink::request, SequenceLayout::gap - 24);
    }
    drawing_.add(Mark{Sign::dot, node->x, y, 6, ink::request}, {}, "ran", tooltip_text(trace_, event));
    if (event.changes.empty()) return;
    const int away = from && from->x > node->x ? node->x - 1 : node->x + 1;
    label(node->x, y - 7, away, changes_text(trace_, event), ink::granted, SequenceLayout::gap - 24);
  }

  void received(std::size_t at) {
    const auto& event = trace_.events[at];
    const auto* to = layout_.lifeline(event.who);
    const auto* from = layout_.lifeline(event.from);
    if (!to || !from) return;
    const int y = layout_.y_of(at);
    const auto ran = messages_.answer_of(at);
    if (!ran) {
      const auto cause = event.cause ? messages_.position_of(*event.cause) : std::nullopt;
      const bool known = cause && trace_.events[*cause].who == event.from;
      arrow({from->x, known ? layout_.y_of(*cause) : y - 10, to->x, y, ink::push, Dash::solid, false}, at);
      return label(to->x, y + 8, from->x, message_text(event), ink::push, std::abs(to->x - from->x) - 24);
    }
    const auto& request = trace_.events[*ran];
    const Answer meaning = answer(request);
    const char* colour = meaning == Answer::refused ? ink::refused
                         : meaning == Answer::error ? ink::error
                                                    : ink::granted;
    arrow({from->x, layout_.y_of(*ran), to->x, y, meaning == Answer::plain ? ink::muted : colour,
           Dash::dashed, false},
          at);
    const auto said =
        request.kind == TraceKind::eval || request.ret ? reply_text(request) : message_text(event);
    label(to->x, y + 8, from->x, said, meaning == Answer::plain ? ink::muted : colour,
          std::abs(to->x - from->x) - 24);
  }

  int y_of_cause(const sim::TraceEvent& event, const std::string& who, int otherwise) const {
    const auto cause = event.cause ? messages_.position_of(*event.cause) : std::nullopt;
    return cause && trace_.events[*cause].who == who ? layout_.y_of(*cause) : otherwise;
  }

  void replicated(std::size_t at) {
    const auto& event = trace_.events[at];
    const auto* to = layout_.lifeline(event.who);
    const auto* from = layout_.lifeline(event.from);
    if (!to || !from) return;
    const int y = layout_.y_of(at);
    arrow({from->x, y_of_cause(event, event.from, y - 10), to->x, y, ink::muted, Dash::dotted, false}, at);
    label(to->x, y + 8, from->x, "applies " + changes_text(trace_, event), ink::muted,
          std::abs(to->x - from->x) - 24);
  }

  bool is_down(const std::string& node, std::size_t at) const {
    for (std::size_t i = std::min(at + 1, trace_.events.size()); i-- > 0;) {
      if (trace_.events[i].who != node) continue;
      if (trace_.events[i].kind == TraceKind::restart) return false;
      if (trace_.events[i].kind == TraceKind::crash) return true;
    }
    return false;
  }

  void lost(std::size_t at) {
    const auto& event = trace_.events[at];
    const auto* from = layout_.lifeline(event.who);
    const auto* to = layout_.lifeline(event.to);
    if (!from || !to) return;
    const int y = layout_.y_of(at);
    const auto send = messages_.request_of(at);
    const int y0 = send ? layout_.y_of(*send) : from->node ? y_of_cause(event, event.who, y - 10) : y - 10;
    // What a dead node does not take got there; else it went astray on the way.
    const int x1 =
        is_down(event.to, at) ? to->x + (to->x > from->x ? -6 : 6) : from->x + (to->x - from->x) * 3 / 5;
    arrow({from->x, y0, x1, y, ink::error, Dash::dashed, true}, at);
    auto text = "lost: " + message_text(event);
    if (send) text = "lost" + (event.why.empty() ? "" : ": " + cut(printable(event.why), 60));
    label(x1, y + 11, from->x, text, ink::error, std::abs(x1 - from->x) + 40);
  }

  void expired(std::size_t at) {
    const auto& event = trace_.events[at];
    const auto* node = layout_.lifeline(event.who);
    if (!node) return;
    const int y = layout_.y_of(at);
    drawing_.add(Mark{Sign::diamond, node->x, y, 10, ink::error}, event_id(at), "expire",
                 tooltip_text(trace_, event));
    label(node->x, y, node->x + 1, event_text(trace_, event), ink::error, SequenceLayout::gap - 20);
  }

  void fault(std::size_t at) {
    const auto& event = trace_.events[at];
    const bool crash = event.kind == TraceKind::crash;
    const bool bad = crash || event.kind == TraceKind::cut;
    const auto text = cut_to_width((crash ? "✗ " : "") + fault_text(event), 9, 240, true);
    const int width = text_width(text, 9, true) + 16;
    const int middle =
        std::clamp(layout_.x_of(trace_, event.who), layout_.time_width + 6 + width / 2,
                   std::max(layout_.width - width / 2 - 14, layout_.time_width + 6 + width / 2));
    drawing_.add(Box{middle - width / 2, layout_.y_of(at) - 8, width, 16, ink::paper,
                     bad ? ink::error : "#7b8794", 10, true, text, 9, true, bad ? ink::error : ink::text},
                 event_id(at), fmt::format("fault {}", word_of(event)), tooltip_text(trace_, event));
  }

  std::set<std::string> believers(const sim::TraceEvent& event, std::size_t at) const {
    std::set<std::string> out;
    for (const auto step : event.steps) {
      const auto position = messages_.position_of(step);
      if (!position) continue;
      const auto* actor = find_actor(trace_, trace_.events[*position].who);
      if (actor && actor->kind == "thread") out.insert(actor->id);
    }
    for (const auto& band : ownership_.bands) {
      const bool now = band.begin <= at && band.end >= at && band.standing != Standing::waiting;
      if (now && band.shared && out.size() < 2) out.insert(band.thread);
    }
    return out;
  }

  void violated(std::size_t at) {
    const auto& event = trace_.events[at];
    const int y = layout_.y_of(at);
    int left = layout_.width;
    int right = 0;
    for (const auto& id : believers(event, at)) {
      const auto* line = layout_.lifeline(id);
      if (!line) continue;
      left = std::min(left, line->x);
      right = std::max(right, line->x);
      drawing_.add(Mark{Sign::dot, line->x, y, 10, ink::error});
    }
    if (right <= left) {
      left = layout_.time_width + 8;
      right = layout_.width - 20;
    }
    drawing_.add(Line{left, y, right, y, ink::error, Dash::solid, Head::none, 25}, event_id(at), "violation",
                 tooltip_text(trace_, event));
    const auto name = "VIOLATION  " + cut(printable(event.name), 60);
    const int width = text_width(name, 11, true) + 24;
    const int middle = (left + right) / 2;
    drawing_.add(Box{middle - width / 2, y - 10, width, 20, ink::error, ink::error, 10, true, name, 11, true,
                     ink::paper},
                 {}, "violation");
    const auto why = cut_to_width(printable(event.why), 9, layout_.width - 160);
    if (!why.empty()) drawing_.add(Text{middle, y + 20, why, Align::centre, 9, false, ink::error, true});
  }

  /// What an actor did by itself, beside its lifeline.
  void notes(const Row& row) {
    const auto& first = trace_.events[row.begin];
    const auto* line = layout_.lifeline(first.who);
    if (!line || line->node) return;
    std::vector<std::string> texts;
    for (std::size_t at = row.begin; at < row.end; ++at) {
      const auto& kind = trace_.events[at].kind;
      const bool own = kind == TraceKind::inv || kind == TraceKind::ret || kind == TraceKind::enter ||
                       kind == TraceKind::leave || kind == TraceKind::park || kind == TraceKind::timer;
      const bool said_by_next =
          kind == TraceKind::ret && at + 1 < row.end && trace_.events[at + 1].kind == TraceKind::enter;
      if (!own || said_by_next) continue;
      texts.push_back(event_text(trace_, trace_.events[at]));
    }
    if (texts.empty()) return;
    const bool outer = line == &layout_.lifelines.front() || line == &layout_.lifelines.back();
    const int width = outer ? SequenceLayout::note_width - 12 : SequenceLayout::gap - 30;
    int y = row.y - 6 * (static_cast<int>(texts.size()) - 1);
    for (const auto& text : texts) {
      const bool strong = text.starts_with("inside ");
      drawing_.add(Text{line->x + line->side * 10, y, cut_to_width(text, 9, width, strong),
                        line->side < 0 ? Align::right : Align::left, 9, strong, ink::text, true},
                   event_id(row.begin), "note", tooltip_text(trace_, first));
      y += 12;
    }
  }

  const sim::Trace& trace_;
  SequenceLayout layout_;
  Messages messages_;
  Ownership ownership_;
  Drawing drawing_;
};

}  // namespace

Drawing sequence_diagram(const sim::Trace& trace, const Window& window) {
  return SequenceDrawer(trace, window).draw();
}

}  // namespace lockstep::reports
