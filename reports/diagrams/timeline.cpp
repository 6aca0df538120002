#include "reports/diagrams/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/diagrams/legend.h"
#include "reports/diagrams/messages.h"
#include "reports/diagrams/ownership.h"
#include "reports/diagrams/timeline_axis.h"
#include "reports/diagrams/timeline_lanes.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

constexpr int left_margin = 168;
constexpr int lane_height = 36;
constexpr int bar_height = 20;
constexpr int top = title_bottom;

class TimelineDrawer {
 public:
  TimelineDrawer(const sim::Trace& trace, const TimelineOptions& options)
      : trace_(trace),
        shown_(shown_events(trace, options.window)),
        axis_(trace, shown_, options, left_margin),
        messages_(trace),
        ownership_(ownership(trace)) {}

  Drawing draw() {
    lanes_ = timeline_lanes(trace_, ownership_);
    const int marks_height = place_marks();
    axis_y_ = top + marks_height + 20;
    int y = axis_y_ + 14;
    for (auto& lane : lanes_) {
      lane.y = y + lane_height / 2;
      y += lane_height;
    }
    bottom_ = y;
    drawing_.name = "timeline";
    drawing_.width = axis_.right() + 24 + tail_width();
    drawing_.height = bottom_ + 44;
    frame();
    pauses();
    mark_lines(false);
    for (const auto& tick : axis_.ticks()) {
      drawing_.add(Text{tick.x, axis_y_ - 10, tick.label, Align::centre, 9, false, ink::muted, true});
    }
    for (const auto& lane : lanes_) content(lane);
    mark_lines(true);
    for (auto& label : labels_) drawing_.add(std::move(label));
    mark_labels();
    const auto legend = timeline_legend(drawing_);
    drawing_.width = std::max(drawing_.width, legend_width(legend) + 24);
    draw_legend(drawing_, legend, 12, bottom_ + 24);
    return std::move(drawing_);
  }

 private:
  struct TopMark {
    std::size_t at = 0;
    std::string text;
    int level = 0;
    bool violation = false;
  };

  /// Faults and violations get labels above the axis, on the lowest level where they touch no other; returns
  /// the height.
  int place_marks() {
    std::vector<int> used;  // the right end of what stands on each level
    for (auto at = shown_.begin; at < shown_.end; ++at) {
      const auto& event = trace_.events[at];
      const bool violation = event.kind == TraceKind::prop;
      if (!violation && !is_fault(event.kind)) continue;
      TopMark mark{at, violation ? "✗ " + cut(printable(event.name), 40) : fault_text(event), 0, violation};
      const int half = text_width(mark.text, 8, true) / 2 + 8;
      const int x = axis_.x_of(at);
      std::size_t level = 0;
      while (level < used.size() && used[level] > x - half) ++level;
      if (level == used.size()) used.push_back(0);
      used[level] = x + half;
      mark.level = static_cast<int>(level);
      marks_.push_back(std::move(mark));
    }
    return static_cast<int>(used.size()) * 18;
  }

  /// Room for the deadlines of leases that outlast the trace.
  int tail_width() const {
    int width = 0;
    for (const Tenure& tenure : ownership_.tenures)
      if (tenure.end >= shown_.end && !tenure.deadlines_us.empty())
        width = std::max(width, text_width("→ " + time_text(tenure.deadlines_us.back().second), 8) + 8);
    return width;
  }

  void frame() {
    draw_title(drawing_, trace_);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const auto& lane = lanes_[i];
      if (i % 2 == 0) {
        drawing_.add(Box{8, lane.y - lane_height / 2, drawing_.width - 16, lane_height, "#f8f9fb"});
      }
      drawing_.add(Text{left_margin - 14, lane.y - 5, lane.title, Align::right, 10, true});
      drawing_.add(Text{left_margin - 14, lane.y + 8, lane.subtitle, Align::right, 8, false, ink::muted});
      drawing_.add(Line{axis_.left(), lane.y, axis_.right(), lane.y, ink::faint});
    }
    for (const auto& tick : axis_.ticks()) {
      drawing_.add(Line{tick.x, axis_y_, tick.x, bottom_, ink::faint});
    }
    drawing_.add(Line{axis_.left(), axis_y_, axis_.right(), axis_y_, "#9aa5b1"});
    for (const auto& [from, to] : axis_.stretched()) {
      drawing_.add(Box{from, axis_y_ - 2, to - from, 4, ink::instant}, {}, "instant",
                   "all of this is one instant");
    }
    if (shown_.begin > 0) {
      drawing_.add(Text{12, axis_y_ - 10, fmt::format("… {} earlier events", shown_.begin), Align::left, 9,
                        false, ink::muted});
    }
  }

  std::size_t end_of(std::size_t at, TraceKind end_kind) const {
    std::size_t end = at + 1;
    while (end < trace_.events.size() &&
           !(trace_.events[end].kind == end_kind && trace_.events[end].who == trace_.events[at].who)) ++end;
    return end;
  }

  void pauses() {
    for (std::size_t at = 0; at < shown_.end; ++at) {
      const auto& event = trace_.events[at];
      const bool pause = event.kind == TraceKind::pause;
      if (!pause && event.kind != TraceKind::cut) continue;
      const int from = axis_.x_of(at);
      const int to = axis_.x_of(end_of(at, pause ? TraceKind::resume : TraceKind::heal));
      for (const auto& lane : lanes_) {
        const auto* actor = find_actor(trace_, lane.id);
        const bool befallen = lane.id == event.who || (actor && actor->of == event.who);
        if ((pause && !befallen) || to <= from) continue;
        drawing_.add(
            Box{from, lane.y - lane_height / 2, to - from, lane_height, pause ? ink::paused : ink::severed},
            {}, pause ? "pause" : "cut", tooltip_text(trace_, event));
        if (!pause || lane.kind != LaneKind::watchdog) continue;
        drawing_.add(Text{(from + to) / 2, lane.y, "paused", Align::centre, 9, false, ink::master_line});
      }
    }
  }

  void content(const Lane& lane) {
    switch (lane.kind) {
      case LaneKind::owner:
        vacancies(lane);
        return owners(lane);
      case LaneKind::thread:
        beliefs(lane);
        return wake_ups(lane);
      case LaneKind::watchdog: return renewals(lane);
      case LaneKind::node: return roles(lane);
    }
  }

  /// The middle of the widest part of a bar that no violation's line crosses.
  std::pair<int, int> free_part(const Box& box) const {
    int from = box.x;
    std::pair<int, int> best{box.x, box.x};
    const auto offer = [&](int to) {
      if (to - from > best.second - best.first) best = {from, to};
      from = to;
    };
    for (const auto& mark : marks_) {
      const int x = axis_.x_of(mark.at);
      if (mark.violation && x > from && x < box.x + box.width) offer(x);
    }
    offer(box.x + box.width);
    return best;
  }

  /// Drawn last, so that no line goes through it; the longest of the texts that fits.
  void label(const Box& box, const std::vector<std::string>& texts, bool bold, const char* colour,
             bool backed) {
    const auto [from, to] = free_part(box);
    for (const auto& text : texts) {
      if (text_width(text, 9, bold) + 10 > to - from) continue;
      labels_.push_back(
          Text{(from + to) / 2, box.y + box.height / 2, text, Align::centre, 9, bold, colour, backed});
      return;
    }
  }

  /// Times in which a lock is free while somebody waits for it.
  void vacancies(const Lane& lane) {
    for (const Vacancy& vacancy : vacancies_of(lane.id, ownership_, trace_.events.size())) {
      if (vacancy.begin >= shown_.end || vacancy.end <= shown_.begin) continue;
      const int from = axis_.x_of(vacancy.begin);
      const int to = axis_.x_of(std::min(vacancy.end, shown_.end));
      const auto last = std::min(vacancy.end, trace_.events.size() - 1);
      const std::int64_t begin_us = trace_.events[vacancy.begin].time_us;
      if (trace_.events[last].time_us <= begin_us) continue;  // handed over at once
      const auto length = time_text(trace_.events[last].time_us - begin_us);
      const Box box{from, lane.y - bar_height / 2, to - from, bar_height, ink::vacant, ink::refused, 8};
      if (box.width <= 0) continue;
      drawing_.add(box, fmt::format("free-{}", vacancy.begin), "free",
                   fmt::format("{} is free for {}, and a thread waits for it", lane.title, length));
      label(box, {"free for " + length, "free"}, false, ink::text, false);
    }
  }

  /// Whom a message woke, and what came of it.
  void wake_ups(const Lane& lane) {
    for (auto at = shown_.begin; at < shown_.end; ++at) {
      const auto& event = trace_.events[at];
      if (event.kind != TraceKind::timer || event.who != lane.id || event.meaning != "wake-up") continue;
      const int x = axis_.x_of(at);
      const bool fails = fails_next(trace_, at);
      drawing_.add(Mark{Sign::diamond, x, lane.y, 11, ink::push}, fmt::format("ev-{}", at), "wake-up",
                   tooltip_text(trace_, event));
      labels_.push_back(Text{x, lane.y + bar_height / 2 + 5,
                             fails ? "takes the wake-up, and gives up" : "takes the wake-up", Align::centre,
                             7, false, fails ? ink::error : ink::push, true});
    }
  }

  void owners(const Lane& lane) {
    for (const auto& tenure : ownership_.tenures) {
      if (tenure.lock != lane.id || tenure.begin >= shown_.end || tenure.end <= shown_.begin) continue;
      const bool second = is_second(trace_, tenure.thread);
      const int from = axis_.x_of(tenure.begin);
      const bool open = tenure.end >= shown_.end;
      const int to = open ? axis_.x_of(shown_.end) - 64 : axis_.x_of(tenure.end);
      const auto who = cut(printable(tenure.thread), 24);
      const bool leased = !tenure.deadlines_us.empty();
      const auto deadline = leased ? "lease to " + time_text(tenure.deadlines_us.back().second) : "no lease";
      Box box{from, lane.y - bar_height / 2, to - from, bar_height, second ? ink::second : ink::held,
              second ? ink::second_line : ink::held_line, 8};
      if (box.width <= 0) continue;
      drawing_.add(box, fmt::format("tenure-{}", tenure.begin), "tenure",
                   fmt::format("{} is held by {}, {}", lane.title, who, deadline));
      label(box, {fmt::format("{} · {}", who, deadline), who}, false, ink::text, false);
      for (std::size_t i = 1; i < tenure.deadlines_us.size(); ++i) {
        const int x = axis_.x_of(tenure.deadlines_us[i].first);
        if (x > from && x < to) drawing_.add(Line{x, box.y + 2, x, box.y + bar_height - 2, box.border});
      }
      if (open && leased) tail(lane, to, tenure.deadlines_us.back().second, box.fill);
      if (tenure.by_failover) drawing_.add(Mark{Sign::cross, to, lane.y, 9, ink::error});
    }
  }

  /// What is left of a lease when the trace ends fades out; its deadline is written where it fits.
  void tail(const Lane& lane, int from, std::int64_t deadline_us, const std::string& colour) {
    drawing_.add(Box{from, lane.y - bar_height / 2, axis_.right() - from, bar_height, colour + ":#ffffff"},
                 {}, "tail", "the lease ends at " + time_text(deadline_us));
    drawing_.add(
        Text{axis_.right() + 2, lane.y, "→ " + time_text(deadline_us), Align::left, 8, false, ink::muted});
  }

  void beliefs(const Lane& lane) {
    auto bands = whole_bands(ownership_);
    std::erase_if(bands, [](const Band& band) { return band.standing == Standing::mistaken; });
    for (const auto& band : ownership_.bands) {  // these stay parted: alone, and while another believes too
      if (band.standing == Standing::mistaken) bands.push_back(band);
    }
    for (const auto& band : bands) {
      if (band.thread == lane.id && band.begin < shown_.end && band.end > shown_.begin) belief(lane, band);
    }
  }

  void belief(const Lane& lane, const Band& band) {
    const int from = axis_.x_of(band.begin);
    Box box =
        band_box(band.standing, {from, lane.y - bar_height / 2, axis_.x_of(band.end) - from, bar_height});
    if (box.width <= 0) return;
    if (band.standing == Standing::holds && is_second(trace_, band.thread)) {
      box.fill = "#cfe2f8";
      box.border = ink::second_line;
    }
    drawing_.add(
        box, fmt::format("bar-{}-{}", printable(band.thread), band.begin), band_class(band.standing),
        fmt::format("{} {} {}", lane.subtitle, band_words(band.standing), cut(printable(band.lock), 30)));
    if (band.standing == Standing::waiting) return label(box, {"waits"}, false, ink::text, false);
    if (band.standing == Standing::holds)
      return label(box, {"critical section", "inside"}, false, ink::text, false);
    drawing_.add(Hatch{box.x, box.y, box.width, box.height});
    label(box, {band.shared ? "OVERLAP" : "lost"}, true, ink::error, true);
  }

  void renewals(const Lane& lane) {
    for (auto at = shown_.begin; at < shown_.end; ++at) {
      const auto& event = trace_.events[at];
      if (event.kind != TraceKind::renew || event.who != lane.id) continue;
      std::size_t send = at + 1;
      while (send < trace_.events.size() &&
             !(trace_.events[send].kind == TraceKind::send && trace_.events[send].who == lane.id))
        ++send;
      const auto ran = messages_.ran_at(send);
      const bool refused = ran && answer(trace_.events[*ran]) == Answer::error;
      const bool lost = messages_.lost_at(send).has_value();
      const char* colour = refused || lost ? ink::error : ran ? ink::granted : ink::muted;
      const int x = axis_.x_of(at);
      drawing_.add(Mark{lost ? Sign::hollow_up : refused ? Sign::down : Sign::up, x, lane.y - 2, 11, colour},
                   fmt::format("ev-{}", at), "renewal", tooltip_text(trace_, event));
      const char* words = lost ? "lost" : refused ? "refused" : ran ? "renewed" : "under way";
      drawing_.add(Text{x, lane.y + 11, words, Align::centre, 7, false, colour});
    }
  }

  void roles(const Lane& lane) {
    const auto* actor = find_actor(trace_, lane.id);
    std::string role = actor ? printable(actor->role) : "";
    bool down = false;
    std::size_t from = 0;
    const auto flush = [&](std::size_t to) {
      const int x0 = axis_.x_of(from);
      const int x1 = axis_.x_of(to);
      Box box{x0, lane.y - bar_height / 2, x1 - x0, bar_height, role == "master" ? ink::master : ink::replica,
              role == "master" ? ink::master_line : ink::replica_line, 8};
      if (down) {
        box.fill = ink::down;
        box.border = "#9aa5b1";
      }
      from = to;
      if (box.width <= 0) return;
      drawing_.add(box, {}, down ? "node down" : "node",
                   fmt::format("{} is {}", lane.title, down ? "down" : role));
      if (down) drawing_.add(Hatch{box.x, box.y, box.width, box.height, ink::replica_line});
      label(box, {down ? "down" : role}, down, down ? ink::master_line : ink::text, down);
    };
    for (std::size_t at = 0; at < shown_.end; ++at) {
      const auto& event = trace_.events[at];
      const bool turns = event.kind == TraceKind::crash || event.kind == TraceKind::restart ||
                         event.kind == TraceKind::promote || event.kind == TraceKind::demote;
      if (event.who != lane.id || !turns) continue;
      flush(at);
      if (event.kind == TraceKind::crash || event.kind == TraceKind::restart)
        down = event.kind == TraceKind::crash;
      if (event.kind == TraceKind::promote) role = "master";
      if (event.kind == TraceKind::demote) role = "replica";
    }
    flush(shown_.end);
    lag(lane);
  }

  /// From the write on the master until the replica applied it, or until it was lost.
  void lag(const Lane& lane) {
    for (auto at = shown_.begin; at < shown_.end; ++at) {
      const auto& event = trace_.events[at];
      const auto* sender = find_actor(trace_, event.who);
      const bool lost =
          event.kind == TraceKind::drop && event.to == lane.id && sender && sender->kind == "redis";
      if ((event.kind != TraceKind::repl || event.who != lane.id) && !lost) continue;
      const auto cause = event.cause ? messages_.position_of(*event.cause) : std::nullopt;
      const int x0 = axis_.x_of(cause.value_or(at));
      const int x1 = axis_.x_of(at);
      const int y = lane.y + bar_height / 2 - 3;
      if (x1 > x0) {
        drawing_.add(Box{x0, y, x1 - x0, 4, lost ? ink::lost_line : ink::waiting_line},
                     fmt::format("ev-{}", at), lost ? "effects lost" : "effects",
                     tooltip_text(trace_, event));
      }
      if (lost) drawing_.add(Mark{Sign::cross, x1, y + 2, 9, ink::error});
    }
  }

  const char* colour_of(const TopMark& mark) const {
    const auto& kind = trace_.events[mark.at].kind;
    const bool bad = mark.violation || kind == TraceKind::crash || kind == TraceKind::cut;
    return bad ? ink::error : ink::master_line;
  }

  int y_of(const TopMark& mark) const { return axis_y_ - 28 - 18 * mark.level; }

  /// Faults lie behind the bars, violations over them.
  void mark_lines(bool violations) {
    for (const auto& mark : marks_) {
      if (mark.violation != violations) continue;
      const int x = axis_.x_of(mark.at);
      drawing_.add(Line{x, y_of(mark) + 7, x, bottom_, colour_of(mark),
                        violations ? Dash::solid : Dash::dashed, Head::none, violations ? 20 : 8});
    }
  }

  void mark_labels() {
    for (const auto& mark : marks_) {
      const char* colour = colour_of(mark);
      const int width = text_width(mark.text, 8, true) + 12;
      drawing_.add(Box{axis_.x_of(mark.at) - width / 2, y_of(mark) - 7, width, 14,
                       mark.violation ? ink::error : ink::paper, colour, 8, true, mark.text, 8, true,
                       mark.violation ? ink::paper : colour},
                   fmt::format("ev-{}", mark.at), mark.violation ? "violation" : "fault",
                   tooltip_text(trace_, trace_.events[mark.at]));
    }
  }

  const sim::Trace& trace_;
  Shown shown_;
  TimelineAxis axis_;
  Messages messages_;
  Ownership ownership_;
  std::vector<Lane> lanes_;
  std::vector<TopMark> marks_;
  std::vector<Text> labels_;
  int axis_y_ = 0, bottom_ = 0;
  Drawing drawing_;
};

}  // namespace

Drawing timeline_diagram(const sim::Trace& trace, const TimelineOptions& options) {
  return TimelineDrawer(trace, options).draw();
}

}  // namespace lockstep::reports
