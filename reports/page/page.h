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
#include <utility>
#include <vector>

#include "reports/compare/trace_diff.h"
#include "reports/diagrams/drawing.h"
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
  std::optional<Drawing> painted{};  // instead of an SVG: the page draws what is in sight of it
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

/// A move that is possible in a state of PageByHand.
struct PageMove {
  std::size_t index = 0;  // in the list of what was possible
  std::string move;
  bool fault = false;
  bool part = false;                 // of the listed move, as a sampled run takes it; no number stands for it
  std::optional<std::size_t> to{};   // absent: the page does not know what comes of it
  std::vector<std::string> told{};   // what happens, one line an event
};

struct PageState {
  std::string time, shown;   // who holds, believes and waits, in lines
  std::size_t possible = 0;  // how many moves are listed
  std::vector<PageMove> moves{};
};

/// What can be gone through by hand: the states of the run, and those beside it that were met before a bound
/// was hit. Only states that are equal in every part, the time included, are one.
struct PageByHand {
  std::vector<PageState> states;
  std::vector<std::size_t> run;    // its states: `run[i]` is that after decision `before.size() + i`
  std::vector<std::size_t> taken;  // the move of `states[run[i]]` that the run took, by its place
  std::vector<PageMove> before;    // the decisions before the first state that is known
  std::vector<std::size_t> before_possible;
  std::string trail_head;          // a trail without decisions
  std::string command;             // that goes on by hand: "lockstep step plain/x"
  bool whole = false;              // nothing was left out
};

/// What one property has to say of the run.
struct PageProperty {
  std::string name, says;
  bool broken = false, vacuous = false;  // vacuous: its premise does not occur in this run
};

struct PageOptions {
  std::string again;  // the command that shows the run again; empty: there is none
  std::vector<PagePicture> pictures;
  std::vector<PageChoice> choices{};  // in the order of their events; empty: not known
  std::optional<TraceDiff> beside{};  // this run and another, row by row
  std::optional<PageByHand> by_hand{};
  std::vector<PageProperty> properties{};                   // empty: not known
  std::vector<std::pair<std::string, std::string>> facts{};  // of the run: what, and its value
  std::string title{};                                      // instead of the scenario's name
  std::size_t events_max = 100'000;  // shown: the last before and with the first violation, else of all
  std::size_t rows_max = 5'000;      // beyond, only the rows in sight are in the page
};

/// A picture of a tab, pinned or laid out; too large a one is told instead.
PagePicture page_picture(const std::string& name, const std::string& dot, Engine engine);

/// The timeline of the whole run. With more bars than so many it needs no Graphviz: the page paints it.
PagePicture page_timeline(const sim::Trace& trace, std::size_t bars_max = 5'000);

std::string page(const sim::Trace& trace, const PageOptions& options);

/// Sequence, timeline and failover grid of the whole run, or the sentence that says what is missing for them.
std::vector<PagePicture> page_pictures(const sim::Trace& trace);

/// The digest of a script or style as a content security policy names it: "sha256-…".
std::string csp_digest(std::string_view text);

}  // namespace lockstep::reports
