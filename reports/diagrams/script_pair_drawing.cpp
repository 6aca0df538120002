#include <fmt/format.h>

#include <algorithm>

#include "reports/diagrams/script_pair.h"
#include "reports/diagrams/script_rows.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

constexpr int paired_row_height = 16;
constexpr int count_x = 58, number_x = 82, code_x = 96;  // from the left edge of a side
constexpr int indent_points = 14;
constexpr int code_points_max = 520;
constexpr int between = 22;  // the column of marks

class PairDrawer {
 public:
  explicit PairDrawer(const PairedScripts& pairs) : pairs_(pairs) {}

  Drawing draw() {
    drawing_.name = "scripts";
    measure();
    const int behind_a = title(pairs_.a, 8);
    int y = std::max(behind_a, title(pairs_.b, right_));
    if (!pairs_.unrun.empty()) {
      drawing_.add(Text{12, y, cut(unrun_text(pairs_), 140), Align::left, 9, true, ink::refused});
      y += paired_row_height;
    }
    for (std::size_t i = 0; i < pairs_.scripts.size(); ++i) y = pair(i, y + 10);
    drawing_.height = y + 12;
    return std::move(drawing_);
  }

  static std::string unrun_text(const PairedScripts& pairs) {
    std::string text = "differ, and ran on neither side:";
    for (const std::string& role : pairs.unrun) text += " " + printable(role);
    return text;
  }

 private:
  void measure() {
    int code = 240, note = 0;
    for (const ScriptPair& one : pairs_.scripts)
      for (const auto* side : {&one.a, &one.b}) {
        if (!*side) continue;
        for (const CountedLine& line : (*side)->lines) {
          code = std::max(code, line.indent * indent_points + text_width(code_text(line), 9));
          if (const std::string text = note_of(line); !text.empty())
            note = std::max(note, text_width(text, 8, true));
        }
      }
    note_ = code_x + std::min(code, code_points_max) + 12;
    width_ = note_ + note + 12;
    right_ = 8 + width_ + between;
    drawing_.width = right_ + width_ + 8;
  }

  static std::string note_of(const CountedLine& line) {
    if (!line.broken.empty()) return broken_text(line);
    return line.branch && line.hits > 0 ? branch_text(*line.branch) : "";
  }

  int title(const std::string& text, int x) {
    int y = 18;
    bool first = true;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const int size = first ? 11 : 9;
      drawing_.add(Text{x + 4, y, cut_to_width(printable(text.substr(at, end - at)), size, width_ - 8, first),
                        Align::left, size, first});
      first = false;
      y += paired_row_height;
      at = end + 1;
    }
    return y;
  }

  void heading(const std::optional<CountedScript>& side, int x, int y) {
    drawing_.add(Box{x, y, width_, 18, ink::fault});
    const std::string text = side ? script_heading(*side) : "no such script";
    drawing_.add(Text{x + 6, y + 9, text, Align::left, 10, true});
    if (side)
      drawing_.add(Text{x + width_ - 6, y + 9,
                        cut_to_width(script_origin(*side), 8, width_ - text_width(text, 10, true) - 20),
                        Align::right, 8, false, ink::muted});
  }

  int pair(std::size_t number, int y) {
    const ScriptPair& one = pairs_.scripts[number];
    heading(one.a, 8, y);
    heading(one.b, right_, y);
    y += 18;
    for (const PairedRow& row : one.rows) {
      const int middle = y + paired_row_height / 2;
      if (row.a)
        line(one.a->lines[*row.a], fmt::format("line-a-{}-{}", number, *row.a + 1), *row.a, row, 8, y);
      if (row.b)
        line(one.b->lines[*row.b], fmt::format("line-b-{}-{}", number, *row.b + 1), *row.b, row, right_, y);
      if (!row.same)
        drawing_.add(Text{8 + width_ + between / 2, middle, std::string(1, mark_of(row)), Align::centre, 10,
                          true, ink::error});
      y += paired_row_height;
    }
    return y;
  }

  void line(const CountedLine& line, const std::string& id, std::size_t place, const PairedRow& row, int x,
            int y) {
    const int middle = y + paired_row_height / 2;
    const bool first = x == 8, reached = line.hits > 0, broken = !line.broken.empty();
    const char* fill = broken ? ink::lost : !row.same ? (first ? ink::severed : ink::held)
                       : line.is_code && !reached ? ink::vacant : ink::paper;
    const char* css = broken ? "line broken" : row.same ? "line" : first ? "line removed" : "line added";
    const Box box{x, y, width_, paired_row_height, fill};
    drawing_.add(box, id, css, printable(line.text));
    if (broken) drawing_.add(Hatch{box.x, box.y, 6, box.height});
    if (line.is_code)
      drawing_.add(Text{x + count_x, middle, hits_text(line), Align::right, 8, !reached,
                        reached ? ink::granted : ink::refused});
    drawing_.add(
        Text{x + number_x, middle, fmt::format("{}", place + 1), Align::right, 8, false, ink::muted});
    const int indent = std::min(line.indent * indent_points, code_points_max / 2);
    drawing_.add(Text{x + code_x + indent, middle,
                      cut_to_width(code_text(line), 9, code_points_max - indent, broken), Align::left, 9,
                      broken, broken ? ink::error : ink::text});
    if (const std::string note = note_of(line); !note.empty())
      drawing_.add(Text{x + note_, middle, note, Align::left, 8, broken || is_half(line),
                        broken ? ink::error : is_half(line) ? ink::refused : ink::muted});
  }

  const PairedScripts& pairs_;
  int note_ = 0, width_ = 0, right_ = 0;
  Drawing drawing_;
};

constexpr std::size_t side_columns_max = 64;

/// One side of a row: its count, its number, and its text.
std::string side_text(const std::optional<CountedScript>& side, const std::optional<std::size_t>& place) {
  if (!side || !place) return "";
  const CountedLine& line = side->lines[*place];
  return fmt::format("{:>8} {:>3}  {}", hits_text(line), *place + 1, indented_code(line));
}

std::string side_note(const std::optional<CountedScript>& side, const std::optional<std::size_t>& place) {
  if (!side || !place) return "";
  const CountedLine& line = side->lines[*place];
  if (!line.broken.empty()) return fmt::format("{:14}{}", "", broken_text(line));
  return line.branch && line.hits > 0 ? fmt::format("{:14}-- {}", "", branch_text(*line.branch)) : "";
}

std::string row_text(const std::string& a, char mark, const std::string& b, std::size_t width) {
  const std::string left = cut(a.empty() ? " " : a, width);
  std::string row = left + std::string(width - std::min(width, columns(left)), ' ') + " " + mark + " " +
                    (b.empty() ? "" : cut(b, width));
  row.erase(row.find_last_not_of(' ') + 1);
  return row + "\n";
}

std::size_t side_width(const PairedScripts& pairs) {
  std::size_t width = 32;
  for (const ScriptPair& pair : pairs.scripts)
    for (const PairedRow& row : pair.rows)
      width = std::max({width, columns(side_text(pair.a, row.a)), columns(side_note(pair.a, row.a))});
  return std::min(width, side_columns_max);
}

void put_titles(std::string& out, const std::string& name, const std::string& title) {
  for (std::size_t at = 0; at < title.size();) {
    const std::size_t end = std::min(title.find('\n', at), title.size());
    out += fmt::format("{:<3}{}\n", at == 0 ? name : "", printable(title.substr(at, end - at)));
    at = end + 1;
  }
}

}  // namespace

Drawing script_pair_drawing(const PairedScripts& pairs) { return PairDrawer(pairs).draw(); }

std::string paired_text(const PairedScripts& pairs) {
  std::string out;
  put_titles(out, "a", pairs.a);
  put_titles(out, "b", pairs.b);
  if (!pairs.unrun.empty()) out += PairDrawer::unrun_text(pairs) + "\n";
  const std::size_t width = side_width(pairs);
  const auto of_side = [](const std::optional<CountedScript>& side, auto told) {
    return side ? told(*side) : std::string("no such script");
  };
  for (const ScriptPair& pair : pairs.scripts) {
    out += "\n" + row_text(of_side(pair.a, script_heading), pair.same() ? '=' : ' ',
                           of_side(pair.b, script_heading), width);
    out += row_text(of_side(pair.a, script_origin), ' ', of_side(pair.b, script_origin), width);
    for (const PairedRow& row : pair.rows) {
      const char mark = mark_of(row);
      out += row_text(side_text(pair.a, row.a), mark == '=' ? ' ' : mark, side_text(pair.b, row.b), width);
      const std::string a = side_note(pair.a, row.a), b = side_note(pair.b, row.b);
      if (!a.empty() || !b.empty()) out += row_text(a, ' ', b, width);
    }
  }
  return out;
}

}  // namespace lockstep::reports
