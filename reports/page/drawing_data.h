// drawing_data.h: a drawing as JSON, for the page to paint: its parts in order, with what is at their place.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/diagrams/drawing.h"

namespace lockstep::reports {

nlohmann::ordered_json drawing_data(const Drawing& drawing);

}  // namespace lockstep::reports
