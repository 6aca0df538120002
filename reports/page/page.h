// page.h: a run as one HTML file that is read with the keyboard and asks nothing of the network.
//
// Nothing but the page's own style and script may act in it: the content security policy allows these two by
// their digests, and nothing else. What came from the run is JSON in which no `<` is left, every text of it
// printable (text.h), and the script puts it into the page as text only. Pictures are SVG, made beforehand; a
// picture that could not be made is told with the reason. The same input gives the same bytes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/compare/trace_diff.h"
#include "reports/diagrams/graphviz.h"
#include "sim/trace.h"

namespace lockstep::reports {

struct PagePicture {
  std::string name;     // of its tab: "sequence"
  std::string svg;      // empty: there is none
  std::string missing;  // then: why, and what to do
  /// What is marked with an event, by its place in the trace: an id in the picture. Else what is called
  /// "ev-" and the index of the event.
  std::map<std::size_t, std::string> marks{};
};

/// A move that was possible at a decision, and what would have come of it.
struct PageWay {
  std::string move;
  bool taken = false, breaks = false;
  std::string outcome{};             // empty: it was taken, or not tried
  std::vector<std::string> story{};  // what happens then, one line an event
  std::string again{};               // the command that goes on by hand from there
};

struct PageChoice {
  std::size_t event = 0;     // place of the first event that came of it
  std::size_t decision = 0;  // counted from 1
  std::vector<PageWay> ways{};
};

struct PageOptions {
  std::string again;  // the command that shows the run again; empty: there is none
  std::vector<PagePicture> pictures;
  std::vector<PageChoice> choices{};  // in the order of their events; empty: not known
  std::optional<TraceDiff> beside{};  // this run and another, row by row
};

/// A picture of a tab, pinned or laid out; too large a one is told instead.
PagePicture page_picture(const std::string& name, const std::string& dot, Engine engine);

std::string page(const sim::Trace& trace, const PageOptions& options);

/// Sequence, timeline and failover grid of the whole run, or the sentence that says what is missing for them.
std::vector<PagePicture> page_pictures(const sim::Trace& trace);

/// The digest of a script or style as a content security policy names it: "sha256-…".
std::string csp_digest(std::string_view text);

}  // namespace lockstep::reports
