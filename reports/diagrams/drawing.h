// drawing.h: boxes, lines, texts and marks at fixed places, and the DOT that shows them.
//
// Every diagram with its own geometry (sequence, timeline) is first a Drawing. Points are whole, x grows to
// the right, y grows downwards, and elements are drawn in the order in which they were added: later ones
// cover earlier ones. to_dot() writes them for `neato -n2`, which lays nothing out (pos="x,y!"); each line
// brings its own two invisible nodes, because Graphviz draws an edge directly after its ends, and that keeps
// the order. Texts must have passed printable() (text.h).
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace lockstep::reports {

/// One colour per meaning; a second sign (dash, shape, hatching, text) always goes with it.
namespace ink {
inline constexpr const char* none = "";
inline constexpr const char* paper = "#ffffff";
inline constexpr const char* text = "#1f2933";
inline constexpr const char* muted = "#7b8794";
inline constexpr const char* faint = "#e4e7eb";
inline constexpr const char* lifeline = "#c3cad2";
inline constexpr const char* held = "#bfe3c6";         // believes and holds
inline constexpr const char* held_line = "#3d9a50";
inline constexpr const char* lost = "#f6c9c4";         // believes and no longer holds
inline constexpr const char* lost_line = "#c2382b";
inline constexpr const char* waiting = "#fff1c2";
inline constexpr const char* waiting_line = "#d9a514";
inline constexpr const char* second = "#9cc3ef";       // the second owner
inline constexpr const char* second_line = "#2f6fb3";
inline constexpr const char* vacant = "#fbe3c0";  // free, and wanted
inline constexpr const char* paused = "#d7dce2";
inline constexpr const char* severed = "#fbeae8";  // a link is cut
inline constexpr const char* master = "#d3dce8";
inline constexpr const char* master_line = "#52606d";
inline constexpr const char* replica = "#f4f6f8";
inline constexpr const char* replica_line = "#b8c1cb";
inline constexpr const char* down = "#e4e8ec";
inline constexpr const char* instant = "#9aa5b1";
inline constexpr const char* fault = "#eceff2";
inline constexpr const char* request = "#1d4f91";
inline constexpr const char* granted = "#1f7a33";
inline constexpr const char* refused = "#a06a00";
inline constexpr const char* error = "#b3261e";
inline constexpr const char* push = "#6b3fa0";
}  // namespace ink

enum class Align { left, centre, right };
enum class Dash { solid, dashed, dotted };
enum class Head { none, arrow };
enum class Sign { dot, ring, up, hollow_up, down, cross, diamond };

struct Box {
  int x = 0, y = 0, width = 0, height = 0;  // top left corner
  std::string fill = ink::none;             // "#rrggbb", or two with ":" for a gradient from left to right
  std::string border = ink::none;
  int border_tenths = 10;
  bool rounded = false;
  std::string label;  // lines parted by '\n'
  int font_size = 9;
  bool bold = false;
  std::string colour = ink::text;
};

struct Text {
  int x = 0, y = 0;  // the middle of the line, at the side that `align` names
  std::string text;
  Align align = Align::left;
  int font_size = 9;
  bool bold = false;
  std::string colour = ink::text;
  bool backed = false;  // white behind it
};

struct Line {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  std::string colour = ink::text;
  Dash dash = Dash::solid;
  Head head = Head::none;
  int width_tenths = 10;
};

/// Diagonal lines inside a box: the second sign of what red means.
struct Hatch {
  int x = 0, y = 0, width = 0, height = 0;
  std::string colour = ink::lost_line;
  int step = 7;
};

struct Mark {
  Sign sign = Sign::dot;
  int x = 0, y = 0;  // its middle
  int size = 8;
  std::string colour = ink::text;
};

struct Element {
  std::variant<Box, Text, Line, Hatch, Mark> shape;
  std::string id;       // "ev-17"; may repeat in a Drawing, to_dot makes repetitions unique with ".2", ".3" …
  std::string css;      // class of the SVG element
  std::string tooltip;  // everything that the label had no room for
};

struct Drawing {
  std::string name;  // of the graph: a word
  int width = 0, height = 0;
  std::vector<Element> elements;

  template <class Shape>
  void add(Shape shape, std::string id = {}, std::string css = {}, std::string tooltip = {}) {
    elements.push_back({std::move(shape), std::move(id), std::move(css), std::move(tooltip)});
  }
};

std::string to_dot(const Drawing& drawing);

/// Text as a DOT string with its quotes; '\n' parts lines, which end with `line_end` ('n', 'l' or 'r': how
/// they align).
std::string dot_string(const std::string& printable_text, char line_end = 'n');

}  // namespace lockstep::reports
