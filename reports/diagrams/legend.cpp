#include "reports/diagrams/legend.h"

#include <algorithm>

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

namespace {

using Kind = Sample::Kind;

std::vector<Sample> sequence_samples() {
  return {
      {Kind::band, ink::held, ink::held_line, Dash::solid, Sign::dot, "believes and holds"},
      {Kind::hatched_band, ink::lost, ink::lost_line, Dash::solid, Sign::dot, "believes, no longer holds"},
      {Kind::band, ink::waiting, ink::waiting_line, Dash::solid, Sign::dot, "waits"},
      {Kind::band, ink::paused, ink::none, Dash::solid, Sign::dot, "paused"},
      {Kind::arrow, "", ink::request, Dash::solid, Sign::dot, "request"},
      {Kind::arrow, "", ink::request, Dash::dotted, Sign::dot, "under way at the end"},
      {Kind::arrow, "", ink::granted, Dash::dashed, Sign::dot, "granted, done"},
      {Kind::arrow, "", ink::refused, Dash::dashed, Sign::dot, "refused"},
      {Kind::arrow, "", ink::error, Dash::dashed, Sign::dot, "error"},
      {Kind::arrow, "", ink::muted, Dash::dashed, Sign::dot, "confirmed"},
      {Kind::arrow, "", ink::push, Dash::solid, Sign::dot, "push"},
      {Kind::arrow, "", ink::muted, Dash::dotted, Sign::dot, "replication"},
      {Kind::sign, "", ink::error, Dash::solid, Sign::diamond, "a key dies"},
      {Kind::cross, "", ink::error, Dash::dashed, Sign::dot, "lost"}};
}

std::vector<Sample> timeline_samples() {
  return {
      {Kind::thin, ink::instant, ink::none, Dash::solid, Sign::dot, "one instant, drawn wide"},
      {Kind::band, ink::held, ink::held_line, Dash::solid, Sign::dot, "holds, or believes and holds"},
      {Kind::band, ink::second, ink::second_line, Dash::solid, Sign::dot, "the next owner"},
      {Kind::hatched_band, ink::lost, ink::lost_line, Dash::solid, Sign::dot, "believes, no longer holds"},
      {Kind::band, ink::waiting, ink::waiting_line, Dash::solid, Sign::dot, "waits"},
      {Kind::band, ink::vacant, ink::refused, Dash::solid, Sign::dot, "free, though a thread waits"},
      {Kind::sign, "", ink::push, Dash::solid, Sign::diamond, "takes a wake-up"},
      {Kind::band, ink::paused, ink::none, Dash::solid, Sign::dot, "paused"},
      {Kind::band, ink::severed, ink::none, Dash::solid, Sign::dot, "a link is cut"},
      {Kind::hatched_band, ink::down, ink::muted, Dash::solid, Sign::dot, "down"},
      {Kind::thin, ink::waiting_line, ink::none, Dash::solid, Sign::dot, "replication under way"},
      {Kind::thin, ink::lost_line, ink::none, Dash::solid, Sign::dot, "replication lost"},
      {Kind::sign, "", ink::granted, Dash::solid, Sign::up, "renewed"},
      {Kind::sign, "", ink::error, Dash::solid, Sign::hollow_up, "renewal lost"},
      {Kind::sign, "", ink::error, Dash::solid, Sign::down, "renewal refused"}};
}

std::vector<Sample> failover_samples() {
  return {
      {Kind::band, ink::held, ink::held_line, Dash::solid, Sign::dot, "holds, or believes and holds"},
      {Kind::band, ink::second, ink::second_line, Dash::solid, Sign::dot, "the next owner"},
      {Kind::hatched_band, ink::lost, ink::lost_line, Dash::solid, Sign::dot, "believes, no longer holds"},
      {Kind::band, ink::waiting, ink::waiting_line, Dash::solid, Sign::dot, "waits"},
      {Kind::band, ink::master, ink::master_line, Dash::solid, Sign::dot, "master"},
      {Kind::band, ink::replica, ink::replica_line, Dash::solid, Sign::dot, "replica"},
      {Kind::hatched_band, ink::down, ink::muted, Dash::solid, Sign::dot, "down"},
      {Kind::arrow, "", ink::muted, Dash::dotted, Sign::dot, "writes that were copied"},
      {Kind::cross, "", ink::error, Dash::dashed, Sign::dot, "lost"}};
}

bool shows(const Element& element, const Sample& sample) {
  const auto* box = std::get_if<Box>(&element.shape);
  const auto* line = std::get_if<Line>(&element.shape);
  const auto* mark = std::get_if<Mark>(&element.shape);
  switch (sample.kind) {
    case Kind::band:
    case Kind::hatched_band:
      return box != nullptr && box->fill == sample.fill && box->height > 4;
    case Kind::thin:
      return box != nullptr && box->fill == sample.fill && box->height <= 4;
    case Kind::arrow:
      return line != nullptr && line->head == Head::arrow && line->colour == sample.line &&
             line->dash == sample.dash && element.css != "message drop";  // those end in a cross
    case Kind::cross:
      return mark != nullptr && mark->sign == Sign::cross;
    case Kind::sign:
      return mark != nullptr && mark->sign == sample.sign && mark->colour == sample.line;
  }
  return false;
}

std::vector<Sample> shown_in(const Drawing& drawing, std::vector<Sample> samples) {
  std::erase_if(samples, [&](const Sample& sample) {
    return std::none_of(drawing.elements.begin(), drawing.elements.end(),
                        [&](const Element& element) { return shows(element, sample); });
  });
  return samples;
}

}  // namespace

std::vector<Sample> sequence_legend(const Drawing& drawing) { return shown_in(drawing, sequence_samples()); }
std::vector<Sample> timeline_legend(const Drawing& drawing) { return shown_in(drawing, timeline_samples()); }

void draw_title(Drawing& drawing, const sim::Trace& trace) {
  const auto name = cut_to_width(printable(trace.scenario), 12, drawing.width - 260, true);
  drawing.add(Text{12, 18, name, Align::left, 12, true});
  const auto under = printable(trace.scripts) + (trace.result.empty() ? "" : " · " + printable(trace.result));
  drawing.add(Text{24 + text_width(name, 12, true), 19, cut_to_width(under, 9, 220), Align::left, 9, false,
                   ink::muted});
  if (trace.about.empty()) return;
  const auto about = printable(trace.about);
  drawing.add(Text{12, 35, cut_to_width(about, 9, drawing.width - 24), Align::left, 9}, "about", "caption",
              about);
}

std::vector<Sample> failover_legend(const Drawing& drawing) {
  return shown_in(drawing, failover_samples());
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
      case Sample::Kind::thin:
        drawing.add(Box{x, y - 2, sample_width, 4, sample.fill});
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
