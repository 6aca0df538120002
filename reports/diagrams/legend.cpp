#include "reports/diagrams/legend.h"

#include "reports/text/text.h"

namespace lockstep::reports {

namespace {
constexpr int sample_width = 22;
constexpr int font_size = 8;

int entry_width(const Sample& sample) {
  const int sign = sample.kind == Sample::Kind::sign ? 10 : sample_width;
  return sign + 6 + text_width(sample.words, font_size) + 18;
}
}  // namespace

Box band_box(Standing standing, Box place) {
  place.fill = standing == Standing::waiting ? ink::waiting
               : standing == Standing::holds ? ink::held
                                             : ink::lost;
  place.border = standing == Standing::waiting ? ink::waiting_line
                 : standing == Standing::holds ? ink::held_line
                                               : ink::lost_line;
  place.border_tenths = 8;
  return place;
}

const char* band_class(Standing standing) {
  return standing == Standing::waiting ? "band waiting"
         : standing == Standing::holds ? "band held"
                                       : "band mistaken";
}

const char* band_words(Standing standing) {
  return standing == Standing::waiting ? "waits for"
         : standing == Standing::holds ? "believes it holds, and does hold"
                                       : "believes it holds, but no longer holds";
}

std::vector<Sample> sequence_legend() {
  using Kind = Sample::Kind;
  return {
      {Kind::band, ink::held, ink::held_line, Dash::solid, Sign::dot, "believes and holds"},
      {Kind::hatched_band, ink::lost, ink::lost_line, Dash::solid, Sign::dot, "believes, no longer holds"},
      {Kind::band, ink::waiting, ink::waiting_line, Dash::solid, Sign::dot, "waits"},
      {Kind::arrow, "", ink::request, Dash::solid, Sign::dot, "request"},
      {Kind::arrow, "", ink::granted, Dash::dashed, Sign::dot, "granted"},
      {Kind::arrow, "", ink::refused, Dash::dashed, Sign::dot, "refused"},
      {Kind::arrow, "", ink::push, Dash::solid, Sign::dot, "push"},
      {Kind::arrow, "", ink::muted, Dash::dotted, Sign::dot, "replication"},
      {Kind::cross, "", ink::error, Dash::dashed, Sign::dot, "lost"}};
}

std::vector<Sample> timeline_legend() {
  using Kind = Sample::Kind;
  return {
      {Kind::band, ink::held, ink::held_line, Dash::solid, Sign::dot, "holds, or believes and holds"},
      {Kind::band, ink::second, ink::second_line, Dash::solid, Sign::dot, "the next owner"},
      {Kind::hatched_band, ink::lost, ink::lost_line, Dash::solid, Sign::dot, "believes, no longer holds"},
      {Kind::band, ink::waiting, ink::waiting_line, Dash::solid, Sign::dot, "waits"},
      {Kind::band, "#d7dce2", ink::none, Dash::solid, Sign::dot, "paused or down"},
      {Kind::sign, "", ink::granted, Dash::solid, Sign::up, "renewed"},
      {Kind::sign, "", ink::error, Dash::solid, Sign::hollow_up, "renewal lost"},
      {Kind::sign, "", ink::error, Dash::solid, Sign::down, "renewal refused"}};
}

int legend_width(const std::vector<Sample>& samples) {
  int width = 0;
  for (const auto& sample : samples) width += entry_width(sample);
  return width;
}

void draw_legend(Drawing& drawing, const std::vector<Sample>& samples, int x, int y) {
  for (const auto& sample : samples) {
    int sign_width = sample_width;
    switch (sample.kind) {
      case Sample::Kind::hatched_band:
      case Sample::Kind::band:
        drawing.add(Box{x, y - 5, sample_width, 10, sample.fill, sample.line, 8});
        if (sample.kind == Sample::Kind::hatched_band)
          drawing.add(Hatch{x, y - 5, sample_width, 10, sample.line});
        break;
      case Sample::Kind::arrow:
        drawing.add(Line{x, y, x + sample_width, y, sample.line, sample.dash, Head::arrow, 11});
        break;
      case Sample::Kind::cross:
        drawing.add(Line{x, y, x + sample_width - 5, y, sample.line, sample.dash, Head::none, 11});
        drawing.add(Mark{Sign::cross, x + sample_width - 3, y, 8, sample.line});
        break;
      case Sample::Kind::sign:
        sign_width = 10;
        drawing.add(Mark{sample.sign, x + 5, y, 9, sample.line});
        break;
    }
    drawing.add(Text{x + sign_width + 4, y, sample.words, Align::left, font_size, false, ink::muted});
    x += entry_width(sample);
  }
}

}  // namespace lockstep::reports
