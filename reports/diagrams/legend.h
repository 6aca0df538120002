// legend.h: how standings look, and the line at the foot of a diagram that says what its signs mean.
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

struct Sample {
  enum class Kind { band, hatched_band, arrow, cross, sign } kind = Kind::band;
  std::string fill, line;
  Dash dash = Dash::solid;
  Sign sign = Sign::dot;
  std::string words;
};

std::vector<Sample> sequence_legend();
std::vector<Sample> timeline_legend();
int legend_width(const std::vector<Sample>& samples);
void draw_legend(Drawing& drawing, const std::vector<Sample>& samples, int x, int y);

}  // namespace lockstep::reports
