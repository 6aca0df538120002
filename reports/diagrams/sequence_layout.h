// sequence_layout.h: where the lifelines and rows of a sequence diagram stand.
//
// Threads and watchdogs of the first half of the processes stand at the left, nodes in the middle, the other
// processes at the right, so that few arrows cross a lifeline. A row holds what one actor did at one instant
// with at most one message.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/diagrams/legend.h"
#include "reports/diagrams/messages.h"
#include "reports/diagrams/sequence.h"

namespace lockstep::reports {

struct Lifeline {
  std::string id;
  std::string title, subtitle;
  bool node = false;
  int x = 0;
  int side = -1;  // -1: notes stand at its left, 1: at its right
};

struct Row {
  std::size_t begin = 0, end = 0;  // events [begin, end)
  int y = 0, height = 0;           // y: its middle
};

struct SequenceLayout {
  static constexpr int gap = 196;         // between lifelines
  static constexpr int note_width = 152;  // beside the outer lifelines
  static constexpr int row_height = 30;
  static constexpr int head_top = title_bottom + 4, head_height = 36;

  Shown shown;
  std::vector<Lifeline> lifelines;
  std::vector<Row> rows;
  int time_width = 78;  // times and step numbers
  int top = 0, bottom = 0, width = 0;

  SequenceLayout(const sim::Trace& trace, const Window& window);

  const Lifeline* lifeline(const std::string& id) const;
  /// The middle of the row that shows an event; the upper or lower end of the rows for events that are not
  /// shown.
  int y_of(std::size_t position) const;
  /// Where a fault of `who` is shown: its lifeline, or the middle of the lifelines of a process's threads.
  int x_of(const sim::Trace& trace, const std::string& who) const;

 private:
  void measure_times(const sim::Trace& trace);
  void place_lifelines(const sim::Trace& trace);
  void place_rows(const sim::Trace& trace);
  std::map<std::size_t, int> y_;
};

}  // namespace lockstep::reports
