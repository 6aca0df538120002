// page_data.h: what a page knows, as JSON: the run, event by event, and all that its options bring.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/page/page.h"

namespace lockstep::reports {

/// The picture that stands in the page as it is, for readers without JavaScript; absent: none may.
const PagePicture* plain_picture(const PageOptions& options);

nlohmann::ordered_json page_data(const sim::Trace& trace, const PageOptions& options);

}  // namespace lockstep::reports
