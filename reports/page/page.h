// page.h: a run as one HTML file that is read with the keyboard and asks nothing of the network.
//
// Nothing but the page's own style and script may act in it: the content security policy allows these two by
// their digests, and nothing else. What came from the run is JSON in which no `<` is left, every text of it
// printable (text.h), and the script puts it into the page as text only. Pictures are SVG, made beforehand; a
// picture that could not be made is told with the reason. The same input gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "sim/trace.h"

namespace lockstep::reports {

struct PagePicture {
  std::string name;     // of its tab: "sequence"
  std::string svg;      // empty: there is none
  std::string missing;  // then: why, and what to do
};

struct PageOptions {
  std::string again;  // the command that shows the run again; empty: there is none
  std::vector<PagePicture> pictures;
};

std::string page(const sim::Trace& trace, const PageOptions& options);

/// Sequence and timeline of the whole run, or the sentence that says what is missing for them.
std::vector<PagePicture> page_pictures(const sim::Trace& trace);

/// The digest of a script or style as a content security policy names it: "sha256-…".
std::string csp_digest(std::string_view text);

}  // namespace lockstep::reports
