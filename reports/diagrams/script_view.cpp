#include "reports/diagrams/script_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/diagrams/script_rows.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

constexpr int code_line_height = 16;
constexpr int gutter = 96;  // counts, and the numbers of lines
constexpr int indent_width = 14;

class ScriptDrawer {
 public:
  explicit ScriptDrawer(const CountedScripts& counted) : counted_(counted) {}

  Drawing draw() {
    drawing_.name = "script";
    measure();
    int y = 18;
    bool first = true;
    for (std::size_t at = 0; at < counted_.title.size();) {
      const std::size_t end = std::min(counted_.title.find('\n', at), counted_.title.size());
      drawing_.add(Text{12, y, cut(printable(counted_.title.substr(at, end - at)), 140), Align::left,
                        first ? 12 : 9, first});
      first = false;
      y += code_line_height;
      at = end + 1;
    }
    for (std::size_t i = 0; i < counted_.scripts.size(); ++i) y = script(i, y + 10);
    drawing_.height = y + 12;
    return std::move(drawing_);
  }

 private:
  void measure() {
    int code = 300, branch = 0;
    for (const CountedScript& one : counted_.scripts) {
      for (const CountedLine& line : one.lines) {
        code = std::max(code, line.indent * indent_width + text_width(code_text(line), 9));
        if (line.branch) branch = std::max(branch, text_width(branch_text(*line.branch), 8, true));
        if (!line.broken.empty()) branch = std::max(branch, text_width(broken_text(line), 8, true));
      }
    }
    note_x_ = gutter + code + 24;
    drawing_.width = note_x_ + branch + 24;
  }

  int script(std::size_t number, int y) {
    const CountedScript& one = counted_.scripts[number];
    drawing_.add(Box{8, y, drawing_.width - 16, 18, ink::fault});
    drawing_.add(Text{14, y + 9, script_heading(one), Align::left, 10, true});
    drawing_.add(Text{drawing_.width - 14, y + 9, script_origin(one), Align::right, 8, false, ink::muted});
    y += 18;
    for (std::size_t i = 0; i < one.lines.size(); ++i) {
      line(one.lines[i], fmt::format("line-{}-{}", number, i + 1), i + 1, y);
      y += code_line_height;
    }
    return y;
  }

  void line(const CountedLine& line, const std::string& id, std::size_t number, int y) {
    const int middle = y + code_line_height / 2;
    const bool reached = line.hits > 0, broken = !line.broken.empty();
    const char* css = broken ? "line broken" : !line.is_code ? "line" : reached ? "line hit" : "line missed";
    const char* fill = broken ? ink::lost : line.is_code && !reached ? ink::vacant : ink::paper;
    const Box row{8, y, drawing_.width - 16, code_line_height, fill};
    drawing_.add(row, id, css, printable(line.text));
    if (broken) drawing_.add(Hatch{row.x, row.y, 6, row.height});
    if (line.is_code)
      drawing_.add(Text{58, middle, reached ? grouped(line.hits) : "never", Align::right, 8, !reached,
                        reached ? ink::granted : ink::refused});
    drawing_.add(Text{82, middle, fmt::format("{}", number), Align::right, 8, false, ink::muted});
    drawing_.add(Text{gutter + line.indent * indent_width, middle, code_text(line), Align::left, 9, broken,
                      broken ? ink::error : ink::text});
    if (broken) drawing_.add(Text{note_x_, middle, broken_text(line), Align::left, 8, true, ink::error});
    else if (line.branch && reached)
      drawing_.add(Text{note_x_, middle, branch_text(*line.branch), Align::left, 8, is_half(line),
                        is_half(line) ? ink::refused : ink::muted});
  }

  const CountedScripts& counted_;
  int note_x_ = 0;
  Drawing drawing_;
};

}  // namespace

Drawing script_drawing(const CountedScripts& counted) { return ScriptDrawer(counted).draw(); }

std::string counted_text(const CountedScripts& counted) {
  std::string out;
  for (std::size_t at = 0; at < counted.title.size();) {
    const std::size_t end = std::min(counted.title.find('\n', at), counted.title.size());
    out += printable(counted.title.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  for (const CountedScript& script : counted.scripts) {
    out += fmt::format("\n{} ({})\n", script_heading(script), script_origin(script));
    for (std::size_t i = 0; i < script.lines.size(); ++i) {
      const CountedLine& line = script.lines[i];
      std::string row = fmt::format("{:>10} {:>4}  {}", hits_text(line), i + 1, indented_code(line));
      if (!line.broken.empty()) row += "   ✗ " + printable(line.broken);
      if (line.branch && line.hits > 0) row += "   -- " + branch_text(*line.branch);
      out += row + "\n";
    }
  }
  return out;
}

}  // namespace lockstep::reports
