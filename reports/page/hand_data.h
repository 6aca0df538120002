// hand_data.h: what a page knows for going through a scenario by hand, as JSON.
//
// Texts are a table of their own, since moves and what comes of them are the same in many states.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/page/page.h"

namespace lockstep::reports {

/// states: [time, shown, possible, [[index, move, flags, to or -1, [told…]]…]]; flags: 1 fault, 2 a part.
nlohmann::ordered_json hand_data(const PageByHand& hand);

}  // namespace lockstep::reports
