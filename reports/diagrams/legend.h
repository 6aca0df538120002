// legend.h: what every diagram has besides its content: colours of standings, a title with the scenario's
// sentence, and the line at the foot that says what the signs in it mean.
#pragma once

#include <string>
#include <vector>

#include "reports/diagrams/drawing.h"
#include "reports/diagrams/ownership.h"

namespace lockstep::reports {

/// `place` with the colours of a standing; red also wants a Hatch over it.
Box band_box(Standing standing, Box place);
const char* band_class(Standing standing);
const char* band_words(Standing standing);

/// The scenario, what it was run with, what came of it; below, what it is about.
void draw_title(Drawing& drawing, const sim::Trace& trace);
inline constexpr int title_bottom = 44;

struct Sample {
  enum class Kind { band, hatched_band, thin, arrow, cross, sign } kind = Kind::band;
  std::string fill, line;
  Dash dash = Dash::solid;
  Sign sign = Sign::dot;
  std::string words;
};

/// The samples of what a drawing shows.
std::vector<Sample> sequence_legend(const Drawing& drawing);
std::vector<Sample> timeline_legend(const Drawing& drawing);
std::vector<Sample> failover_legend(const Drawing& drawing);
int legend_width(const std::vector<Sample>& samples);
void draw_legend(Drawing& drawing, const std::vector<Sample>& samples, int x, int y);

}  // namespace lockstep::reports
