#include "reports/diagrams/failover.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/diagrams/failover_grid.h"
#include "reports/diagrams/legend.h"
#include "reports/diagrams/ownership.h"
#include "reports/diagrams/timeline_lanes.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

constexpr int grid_left = 168;
constexpr int cell_width = 270;
constexpr int copying_width = 54;  // beside the cells of an epoch, for each pair of nodes
constexpr int gap = 74;            // between epochs
constexpr int row_height = 30;
constexpr int row_bar_height = 18;
constexpr int cell_line_height = 13;

struct Column {
  Epoch epoch;
  int x = 0, width = 0;  // of the cells
};

struct CellLine {
  std::string text;
  const char* colour = ink::text;
  std::string id;
};

struct Flag {
  std::size_t at = 0;
  std::string text;
  int level = 0;
};

class FailoverDrawer {
 public:
  FailoverDrawer(const sim::Trace& trace, const FailoverOptions& options)
      : trace_(trace),
        options_(options),
        grid_(failover_grid(trace, options.window, options.epochs_max)),
        ownership_(ownership(trace)) {}

  Drawing draw() {
    place_columns();
    drawing_.name = "failover";
    drawing_.width = right_ + 24;
    draw_title(drawing_, trace_);
    headers();
    const int flags = place_flags();
    int y = title_bottom + 40 + flags * 18;
    const int bars_top = y;
    for (Lane& lane : timeline_lanes(trace_, ownership_)) {
      if (lane.kind != LaneKind::owner && lane.kind != LaneKind::thread) continue;
      lane.y = y + row_height / 2;
      client_lane(lane);
      y += row_height;
    }
    draw_flags(y, bars_top);
    y = nodes(y + 16);
    const auto legend = failover_legend(drawing_);
    drawing_.width = std::max(drawing_.width, legend_width(legend) + 24);
    draw_legend(drawing_, legend, 12, y + 18);
    drawing_.height = y + 38;
    return std::move(drawing_);
  }

 private:
  void place_columns() {
    int x = grid_left;
    for (std::size_t i = 0; i < grid_.epochs.size(); ++i) {
      columns_.push_back({grid_.epochs[i], x, cell_width});
      right_ = x + cell_width + static_cast<int>(grid_.copying[i].size()) * copying_width;
      x = right_ + gap;
    }
  }

  /// Where a position stands: by the order of events within its epoch, whose room for copies counts in.
  int x_of(std::size_t at) const {
    if (at < columns_.front().epoch.begin) return columns_.front().x;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Epoch& epoch = columns_[i].epoch;
      if (at >= epoch.end) continue;
      const auto width = static_cast<std::size_t>(span_of(i));
      return columns_[i].x + static_cast<int>((at - epoch.begin) * width / (epoch.end - epoch.begin));
    }
    return right_;
  }

  int span_of(std::size_t column) const {
    return columns_[column].width + static_cast<int>(grid_.copying[column].size()) * copying_width;
  }

  void headers() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Epoch& epoch = columns_[i].epoch;
      if (epoch.begin >= trace_.events.size()) continue;
      const bool last = epoch.end >= trace_.events.size();
      const auto begins = time_text(trace_.events[epoch.begin].time_us);
      const auto until = last ? std::string("the end") : time_text(trace_.events[epoch.end].time_us);
      drawing_.add(Box{columns_[i].x, title_bottom + 6, span_of(i), 18, ink::fault, ink::none, 10, true,
                       fmt::format("epoch {} · {} … {}", epoch.number, begins, until), 10, true},
                   fmt::format("epoch-{}", epoch.number), "epoch");
    }
    const auto note = [this](int x, std::size_t count, const char* words, Align align) {
      if (count > 0)
        drawing_.add(
            Text{x, title_bottom + 15, fmt::format("… {} {}", count, words), align, 9, false, ink::muted});
    };
    note(grid_left - 10, grid_.earlier, "earlier epochs", Align::right);
    note(right_, grid_.later, "later epochs", Align::left);
    if (grid_.later > 0) drawing_.width += 90;
  }

  std::size_t shown_begin() const { return columns_.front().epoch.begin; }
  std::size_t shown_end() const { return columns_.back().epoch.end; }

  /// Violations are named above the rows of clients, each as low as it touches no other; returns the height.
  int place_flags() {
    std::vector<int> used;
    for (std::size_t at = shown_begin(); at < shown_end(); ++at) {
      if (trace_.events[at].kind != TraceKind::prop) continue;
      Flag flag{at, "✗ " + cut(printable(trace_.events[at].name), 40), 0};
      const int half = text_width(flag.text, 8, true) / 2 + 8;
      std::size_t level = 0;
      while (level < used.size() && used[level] > x_of(at) - half) ++level;
      if (level == used.size()) used.push_back(0);
      used[level] = x_of(at) + half;
      flag.level = static_cast<int>(level);
      flags_.push_back(std::move(flag));
    }
    return static_cast<int>(used.size());
  }

  void draw_flags(int bottom, int bars_top) {
    for (const Flag& flag : flags_) {
      const int x = x_of(flag.at), y = bars_top - 12 - 18 * flag.level;
      drawing_.add(Line{x, y + 7, x, bottom, ink::error, Dash::solid, Head::none, 20});
      const int width = text_width(flag.text, 8, true) + 12;
      drawing_.add(Box{x - width / 2, y - 7, width, 14, ink::error, ink::error, 8, true, flag.text, 8, true,
                       ink::paper},
                   fmt::format("ev-{}", trace_.events[flag.at].index), "violation",
                   tooltip_text(trace_, trace_.events[flag.at]));
    }
  }

  void lane_title(int y, const std::string& title, const std::string& subtitle) {
    drawing_.add(Text{grid_left - 14, y - 5, title, Align::right, 10, true});
    drawing_.add(Text{grid_left - 14, y + 8, subtitle, Align::right, 8, false, ink::muted});
  }

  void client_lane(const Lane& lane) {
    const bool truth = lane.kind == LaneKind::owner;
    lane_title(lane.y, lane.title, truth ? "truth" : lane.subtitle + " believes");
    drawing_.add(Line{grid_left, lane.y, right_, lane.y, ink::faint});
    if (truth) {
      for (const Tenure& tenure : ownership_.tenures)
        if (tenure.lock == lane.id) tenure_bar(lane, tenure);
      return;
    }
    for (const Band& band : whole_bands(ownership_))
      if (band.thread == lane.id) belief_bar(lane, band);
  }

  bool is_shown(std::size_t begin, std::size_t end) const {
    return begin < shown_end() && end > shown_begin();
  }

  void bar(Box box, const std::string& words, std::size_t begin, const char* css,
           const std::string& tooltip) {
    if (box.width <= 0) return;
    const auto& event = trace_.events[std::min(begin, trace_.events.size() - 1)];
    const bool hatched = box.fill == ink::lost;
    drawing_.add(box, fmt::format("ev-{}", event.index), css, tooltip);
    if (hatched) drawing_.add(Hatch{box.x, box.y, box.width, box.height});
    if (text_width(words, 9) + 8 > box.width) return;
    drawing_.add(Text{box.x + box.width / 2, box.y + box.height / 2, words, Align::centre, 9, hatched,
                      hatched ? ink::error : ink::text, hatched});
  }

  void tenure_bar(const Lane& lane, const Tenure& tenure) {
    if (!is_shown(tenure.begin, tenure.end)) return;
    const bool second = is_second(trace_, tenure.thread);
    const int x = x_of(tenure.begin);
    const auto who = cut(printable(tenure.thread), 24);
    bar({x, lane.y - row_bar_height / 2, x_of(tenure.end) - x, row_bar_height,
         second ? ink::second : ink::held, second ? ink::second_line : ink::held_line, 8},
        who + " holds", tenure.begin, "tenure", fmt::format("{} is held by {}", lane.title, who));
    if (tenure.by_failover) drawing_.add(Mark{Sign::cross, x_of(tenure.end), lane.y, 9, ink::error});
  }

  void belief_bar(const Lane& lane, const Band& band) {
    if (!is_shown(band.begin, band.end)) return;
    const int x = x_of(band.begin);
    const auto lock = cut(printable(band.lock), 30);
    const char* words = band.standing == Standing::waiting ? "waits"
                        : band.standing == Standing::holds ? "believes it holds"
                                                           : "believes, holds nothing";
    bar(band_box(band.standing, {x, lane.y - row_bar_height / 2, x_of(band.end) - x, row_bar_height}), words,
        band.begin, band_class(band.standing),
        fmt::format("{} {} {}", lane.subtitle, band_words(band.standing), lock));
  }

  std::vector<CellLine> lines_of(const Cell& cell) const {
    std::vector<CellLine> lines;
    for (std::size_t i = 0; i < cell.turns.size(); ++i) {
      if (i == options_.lines_max) {
        lines.push_back({fmt::format("… {} more", cell.turns.size() - i), ink::muted, ""});
        break;
      }
      const sim::TraceEvent& event = trace_.events[cell.turns[i]];
      lines.push_back({fmt::format("#{} {}", event.index, fault_text(event)), ink::error,
                       fmt::format("ev-{}", event.index)});
    }
    for (std::size_t i = 0; i < cell.stored.size(); ++i) {
      if (i == options_.lines_max) {
        lines.push_back({fmt::format("… {} more keys", cell.stored.size() - i), ink::muted, ""});
        break;
      }
      lines.push_back({cell.stored[i].text, cell.stored[i].missing ? ink::refused : ink::text, ""});
    }
    if (cell.role != "down" && cell.stored.empty()) lines.push_back({"stores nothing", ink::muted, ""});
    return lines;
  }

  int nodes(int y) {
    for (std::size_t node = 0; node < grid_.nodes.size(); ++node) {
      std::vector<std::vector<CellLine>> texts;
      std::size_t most = 1;
      for (const auto& cells : grid_.cells) {
        texts.push_back(lines_of(cells[node]));
        most = std::max(most, texts.back().size());
      }
      const int height = 28 + static_cast<int>(most) * cell_line_height;
      lane_title(y + height / 2, cut_to_width(actor_text(trace_, grid_.nodes[node]), 10, 150, true),
                 cut(printable(grid_.nodes[node]), 24));
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        draw_cell(i, node, texts[i], {columns_[i].x, y, columns_[i].width, height});
        if (i + 1 < columns_.size()) passage(i, node, y + height / 2);
      }
      places_.push_back({y, y + height});
      y += height + 14;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) draw_copying(i);
    return y;
  }

  void draw_cell(std::size_t column, std::size_t node, const std::vector<CellLine>& lines, Box box) {
    const Cell& cell = grid_.cells[column][node];
    const bool down = cell.first_role == "down" && cell.role == "down";
    const bool master = cell.role == "master" || (cell.role == "down" && cell.first_role == "master");
    box.fill = down ? ink::down : master ? ink::master : ink::replica;
    box.border = down ? "#9aa5b1" : master ? ink::master_line : ink::replica_line;
    const Epoch& epoch = columns_[column].epoch;
    std::string all;
    for (const CellLine& line : lines) all += (all.empty() ? "" : "; ") + line.text;
    drawing_.add(box, fmt::format("cell-{}-{}", epoch.number, node), down ? "node down" : "node", all);
    if (down) drawing_.add(Hatch{box.x, box.y, box.width, box.height, ink::replica_line});
    const std::string role = cell.first_role == cell.role ? cell.role : cell.first_role + " → " + cell.role;
    drawing_.add(
        Text{box.x + 8, box.y + 12, role, Align::left, 10, true, down ? ink::master_line : ink::text, down});
    int y = box.y + 28;
    for (const CellLine& line : lines) {
      drawing_.add(Text{box.x + 8, y, cut_to_width(line.text, 9, box.width - 16), Align::left, 9, false,
                        line.colour, down},
                   line.id, "", line.text);
      y += cell_line_height;
    }
  }

  /// From one epoch to the next: as before, promoted, or down.
  void passage(std::size_t column, std::size_t node, int y) {
    const Cell& before = grid_.cells[column][node];
    const Cell& after = grid_.cells[column + 1][node];
    const int x0 = columns_[column].x + span_of(column), x1 = columns_[column + 1].x;
    const auto promoted = std::find_if(after.turns.begin(), after.turns.end(), [&](std::size_t at) {
      return trace_.events[at].kind == TraceKind::promote;
    });
    const bool now = promoted != after.turns.end() && before.role != "master";
    const bool down = before.role == "down";
    const char* colour = now ? ink::granted : down ? ink::error : ink::muted;
    drawing_.add(
        Line{x0 + 2, y, x1 - 2, y, colour, down ? Dash::dashed : Dash::solid, Head::arrow, now ? 20 : 10});
    if (!now && !down) return;
    drawing_.add(Text{(x0 + x1) / 2, y - 8, now ? "promoted" : "down", Align::centre, 8, now, colour, true});
  }

  std::size_t row_of(const std::string& id) const {
    const auto found = std::find(grid_.nodes.begin(), grid_.nodes.end(), id);
    return static_cast<std::size_t>(found - grid_.nodes.begin());
  }

  void draw_copying(std::size_t column) {
    int x = columns_[column].x + columns_[column].width + 12;
    for (const Copying& one : grid_.copying[column]) {
      const std::size_t from = row_of(one.from), to = row_of(one.to);
      if (from >= places_.size() || to >= places_.size()) continue;
      const bool downwards = from < to;
      const int y0 = downwards ? places_[from].second - 10 : places_[from].first + 10;
      const int y1 = downwards ? places_[to].first + 10 : places_[to].second - 10;
      copies(one.applied, x, y0, y1, one, false);
      copies(one.lost, x + (one.applied.empty() ? 0 : 22), y0, y1, one, true);
      x += copying_width;
    }
  }

  void copies(const std::vector<std::size_t>& events, int x, int y0, int y1, const Copying& one, bool lost) {
    if (events.empty()) return;
    const int end = lost ? (y0 + y1) / 2 : y1;
    const char* colour = lost ? ink::error : ink::muted;
    const auto id = fmt::format("ev-{}", trace_.events[events.front()].index);
    const auto words = fmt::format("{} writes of {} {} {}", events.size(), printable(one.from),
                                   lost ? "never reach" : "applied by", printable(one.to));
    const char* css = lost ? "effects lost" : "effects";
    drawing_.add(
        Line{x, y0, x, end, colour, lost ? Dash::dashed : Dash::dotted, lost ? Head::none : Head::arrow, 12},
        id, css, words);
    if (lost) drawing_.add(Mark{Sign::cross, x, end, 9, ink::error}, id, css, words);
    drawing_.add(
        Text{x + 3, (y0 + end) / 2, fmt::format("{}", events.size()), Align::left, 8, lost, colour, true}, {},
        "", words);
  }

  const sim::Trace& trace_;
  const FailoverOptions& options_;
  FailoverGrid grid_;
  Ownership ownership_;
  std::vector<Column> columns_;
  std::vector<Flag> flags_;
  std::vector<std::pair<int, int>> places_;  // top and bottom of each node's row
  int right_ = grid_left;
  Drawing drawing_;
};

}  // namespace

Drawing failover_diagram(const sim::Trace& trace, const FailoverOptions& options) {
  return FailoverDrawer(trace, options).draw();
}

}  // namespace lockstep::reports
