#include "reports/diagrams/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/text/text.h"
#include "sim/base/overloaded.h"

namespace lockstep::reports {

namespace {

std::string inches(int points) { return fmt::format("{:.4f}", points / 72.0); }

std::string tenths(int value) { return fmt::format("{}.{}", value / 10, value % 10); }

const char* font(bool bold) { return bold ? "DejaVu Sans Bold" : "DejaVu Sans"; }

const char* style(Dash dash) {
  return dash == Dash::dashed ? "dashed" : dash == Dash::dotted ? "dotted" : "solid";
}

class DotWriter {
 public:
  explicit DotWriter(const Drawing& drawing) : drawing_(drawing) {}

  std::string write() {
    out_ = fmt::format(
        "digraph {} {{\n"
        "  graph [splines=line, pad=\"0.05\", bgcolor=\"#ffffff\", tooltip=\" \"];\n"
        "  node [shape=box, label=\"\", margin=0, fixedsize=true, fontname=\"DejaVu Sans\", tooltip=\" \"];\n"
        "  edge [tooltip=\" \", arrowsize=0.7];\n",
        dot_string(drawing_.name));
    // A first element as large as the page: Graphviz moves the lowest left point of what it draws to the
    // origin.
    const Element page{{Box{0, 0, drawing_.width, drawing_.height, ink::paper}}, "page", "page", ""};
    element(page);
    for (const auto& each : drawing_.elements) element(each);
    return out_ + "}\n";
  }

 private:
  void element(const Element& each) {
    std::visit(
        sim::overloaded{[&](const Box& box) { draw(box, each); }, [&](const Text& text) { draw(text, each); },
                        [&](const Line& line) { draw(line, each); },
                        [&](const Hatch& hatch) { draw(hatch, each); },
                        [&](const Mark& mark) { draw(mark, each); }},
        each.shape);
    ++count_;
  }

  std::string identity(const Element& each) {
    std::string out;
    if (!each.id.empty()) {
      const int times = ++seen_[each.id];
      const auto id = times == 1 ? each.id : fmt::format("{}.{}", each.id, times);
      out += fmt::format(", id={}", dot_string(id));
    }
    if (!each.css.empty()) out += fmt::format(", class={}", dot_string(each.css));
    if (!each.tooltip.empty()) out += fmt::format(", tooltip={}", dot_string(each.tooltip));
    return out;
  }

  /// Half points of the middle, since a box of odd width has one.
  std::string place(int twice_x, int twice_y) const {
    const int up = 2 * drawing_.height - twice_y;
    const auto half = [](int twice) { return fmt::format("{}{}{}", twice < 0 ? "-" : "", std::abs(twice) / 2,
                                                         twice % 2 != 0 ? ".5" : ""); };
    return half(twice_x) + "," + half(up);
  }

  void draw(const Box& box, const Element& each) {
    const bool gradient = box.fill.find(':') != std::string::npos;
    const bool filled = box.fill != ink::none;
    const bool bordered = box.border != ink::none;
    const char* look = filled && box.rounded ? "filled,rounded"
                       : filled              ? "filled"
                       : box.rounded         ? "rounded"
                                             : "";
    out_ += fmt::format("  e{} [pos=\"{}!\", width={}, height={}, style=\"{}\"{}{}", count_,
                        place(2 * box.x + box.width, 2 * box.y + box.height), inches(box.width),
                        inches(box.height), look, filled ? fmt::format(", fillcolor=\"{}\"", box.fill) : "",
                        gradient ? ", gradientangle=0" : "");
    if (bordered) out_ += fmt::format(", color=\"{}\", penwidth={}", box.border, tenths(box.border_tenths));
    else out_ += ", color=\"none\", penwidth=0";
    if (!box.label.empty()) {
      out_ += fmt::format(", label={}, fontsize={}, fontcolor=\"{}\", fontname=\"{}\"", dot_string(box.label),
                          box.font_size, box.colour, font(box.bold));
    }
    out_ += identity(each) + "];\n";
  }

  void draw(const Text& text, const Element& each) {
    const int width = text_width(text.text, text.font_size, text.bold) + 6;
    const int height = text.font_size + 4;
    const int left = text.align == Align::left    ? text.x
                     : text.align == Align::right ? text.x - width
                                                  : text.x - width / 2;
    const char end = text.align == Align::left ? 'l' : text.align == Align::right ? 'r' : 'n';
    out_ +=
        fmt::format("  e{} [pos=\"{}!\", width={}, height={}, style=\"{}\"{}, color=\"none\", penwidth=0, ",
                    count_, place(2 * left + width, 2 * text.y), inches(width), inches(height),
                    text.backed ? "filled" : "", text.backed ? ", fillcolor=\"#ffffffd0\"" : "");
    out_ += fmt::format("label={}, fontsize={}, fontcolor=\"{}\", fontname=\"{}\"",
                        dot_string(text.text, end), text.font_size, text.colour, font(text.bold));
    out_ += identity(each) + "];\n";
  }

  void ends(int x0, int y0, int x1, int y1) {
    const auto end = [&](char side, int x, int y) {
      out_ += fmt::format("  e{}{} [pos=\"{}!\", shape=point, style=invis, width=0, height=0];\n", count_,
                          side, place(2 * x, 2 * y));
    };
    end('a', x0, y0);
    end('b', x1, y1);
  }

  /// A straight line as the Bézier curve that Graphviz wants, stopping `short_of` points before its end.
  std::string curve(int x0, int y0, int x1, int y1, int short_of) const {
    const double dx = x1 - x0;
    const double dy = y1 - y0;
    const double length = std::max(1.0, std::hypot(dx, dy));
    const double part = std::max(0.0, 1.0 - short_of / length);
    const auto at = [&](double share) {
      return fmt::format("{:.2f},{:.2f}", x0 + dx * part * share, drawing_.height - (y0 + dy * part * share));
    };
    return at(0) + " " + at(1 / 3.0) + " " + at(2 / 3.0) + " " + at(1);
  }

  void draw(const Line& line, const Element& each) {
    constexpr int head_points = 7;  // 10 points times arrowsize
    ends(line.x0, line.y0, line.x1, line.y1);
    const bool arrow = line.head == Head::arrow;
    const auto tip = arrow ? fmt::format("e,{} ", place(2 * line.x1, 2 * line.y1)) : std::string{};
    out_ += fmt::format(
        "  e{0}a -> e{0}b [pos=\"{1}{2}\", dir={3}, color=\"{4}\", style={5}, penwidth={6}{7}];\n", count_,
        tip, curve(line.x0, line.y0, line.x1, line.y1, arrow ? head_points : 0), arrow ? "forward" : "none",
        line.colour, style(line.dash), tenths(line.width_tenths), identity(each));
  }

  void draw(const Hatch& hatch, const Element& each) {
    // Each stroke goes up to the right; a stroke that begins at x + offset on the lower edge is clipped to
    // the box.
    std::string strokes;
    for (int offset = hatch.step - hatch.height; offset < hatch.width; offset += hatch.step) {
      const int from = std::max(offset, 0);
      const int to = std::min(offset + hatch.height, hatch.width);
      if (to - from < 2) continue;
      const int bottom = hatch.y + hatch.height;
      if (!strokes.empty()) strokes += ';';
      strokes += curve(hatch.x + from, bottom - (from - offset), hatch.x + to, bottom - (to - offset), 0);
    }
    if (strokes.empty()) return;
    ends(hatch.x, hatch.y, hatch.x + hatch.width, hatch.y + hatch.height);
    out_ += fmt::format("  e{0}a -> e{0}b [pos=\"{1}\", dir=none, color=\"{2}\", penwidth=0.7{3}];\n", count_,
                        strokes, hatch.colour, identity(each));
  }

  void draw(const Mark& mark, const Element& each) {
    if (mark.sign == Sign::cross) return draw_cross(mark, each);
    const char* shape = mark.sign == Sign::up || mark.sign == Sign::hollow_up ? "triangle"
                        : mark.sign == Sign::down                             ? "invtriangle"
                        : mark.sign == Sign::diamond                          ? "diamond"
                                                                              : "circle";
    const bool hollow = mark.sign == Sign::hollow_up || mark.sign == Sign::ring;
    out_ += fmt::format("  e{} [pos=\"{}!\", shape={}, width={}, height={}, style=filled, fillcolor=\"{}\", "
                        "color=\"{}\", penwidth=1.2{}];\n",
                        count_, place(2 * mark.x, 2 * mark.y), shape, inches(mark.size), inches(mark.size),
                        hollow ? ink::paper : mark.colour.c_str(), mark.colour, identity(each));
  }

  void draw_cross(const Mark& mark, const Element& each) {
    const int half = mark.size / 2;
    const int left = mark.x - half, right = mark.x + half, top = mark.y - half, bottom = mark.y + half;
    ends(left, top, right, bottom);
    out_ += fmt::format("  e{0}a -> e{0}b [pos=\"{1};{2}\", dir=none, color=\"{3}\", penwidth=2{4}];\n",
                        count_, curve(left, top, right, bottom, 0), curve(left, bottom, right, top, 0),
                        mark.colour, identity(each));
  }

  const Drawing& drawing_;
  std::string out_;
  std::map<std::string, int> seen_;
  int count_ = 0;
};

}  // namespace

std::string dot_string(const std::string& text, char line_end) {
  std::string out(1, '"');
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += fmt::format("\\{}", line_end);
    else if (c == '&') out += "&amp;";  // Graphviz reads entities in every label
    else out += c;
  }
  if (line_end != 'n') out += fmt::format("\\{}", line_end);
  out += '"';
  return out;
}

std::string to_dot(const Drawing& drawing) { return DotWriter(drawing).write(); }

}  // namespace lockstep::reports
