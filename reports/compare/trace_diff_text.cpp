#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/compare/trace_diff.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

using DiffJson = nlohmann::ordered_json;

constexpr std::size_t context = 3;  // rows that are the same, before and behind those that are not

std::string told_together(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string index_text(const std::optional<std::int64_t>& index) {
  return index ? fmt::format("{}", *index) : "";
}

std::string row_text(const EventPair& row, bool first) {
  const std::string time = row.time_a_us == row.time_b_us
                               ? time_text(row.time_a_us)
                               : time_text(row.time_a_us) + ", " + time_text(row.time_b_us);
  const std::string side = row.a && row.b ? (row.differs() ? "~" : " ") : row.a ? "a" : "b";
  const std::string who = cut(row.who, 12);
  std::string line = fmt::format(
      "{} {} {:>4} {:>4}  {:<10}  {}{}  {}", first ? "▶" : " ", side, index_text(row.a), index_text(row.b),
      time, who, std::string(12 - std::min<std::size_t>(12, columns(who)), ' '), cut(row.what, 70));
  if (!row.changes.empty()) line += "  " + cut(row.changes, 70);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// Which rows are near one that differs.
std::vector<bool> near_difference(const TraceDiff& diff) {
  std::vector<bool> shown(diff.rows.size());
  for (std::size_t i = 0; i < diff.rows.size(); ++i)
    if (diff.rows[i].differs())
      for (std::size_t at = i - std::min(i, context); at < std::min(i + context + 1, shown.size()); ++at)
        shown[at] = true;
  return shown;
}

std::string rows_text(const TraceDiff& diff, std::size_t lines_max) {
  const std::vector<bool> shown = near_difference(diff);
  std::string out =
      fmt::format("    {:>4} {:>4}  {:<10}  {:<12}  {}\n", "#a", "#b", "t", "who", "what, and what changes");
  std::size_t lines = 0, left_out = 0;
  for (std::size_t i = 0; i < diff.rows.size(); ++i) {
    if (!shown[i]) {
      ++left_out;
      continue;
    }
    if (lines == lines_max) {
      const auto rest = std::count(shown.begin() + static_cast<std::ptrdiff_t>(i), shown.end(), true);
      return out + fmt::format("    … {} more lines; --max-lines shows them\n", rest);
    }
    if (left_out > 0) out += fmt::format("    … {} the same\n", left_out);
    left_out = 0;
    out += row_text(diff.rows[i], diff.first == i);
    ++lines;
  }
  return out;
}

DiffJson json_of(const EventPair& row) {
  DiffJson json;
  if (row.a) json["a"] = *row.a;
  if (row.b) json["b"] = *row.b;
  if (row.a) json["t_a"] = row.time_a_us;
  if (row.b) json["t_b"] = row.time_b_us;
  json["who"] = row.who;
  json["what"] = row.what;
  if (!row.changes.empty()) json["changes"] = row.changes;
  return json;
}

}  // namespace

std::string trace_diff_text(const TraceDiff& diff, const TraceDiffTextOptions& options) {
  std::string out = fmt::format("a  {}\nb  {}\n", diff.a, diff.b);
  for (const std::string& line : diff.header) out += line + "\n";
  if (diff.first) {
    const EventPair& first = diff.rows[*diff.first];
    out += fmt::format("the same for {} event{}, then they part at {}\n", *diff.first,
                       *diff.first == 1 ? "" : "s", time_text(first.a ? first.time_a_us : first.time_b_us));
    if (options.lines_max > 0) out += rows_text(diff, options.lines_max);
  }
  out += fmt::format("{} in both, {} only in a, {} only in b{}\n", diff.both, diff.only_a, diff.only_b,
                     diff.aligned ? "" : " (too different to be aligned)");
  if (diff.in.empty()) return out + "the same events\n";
  const bool only = diff.in.size() == 1;
  return out + fmt::format("they differ {}in {}\n", only ? "only " : "", told_together(diff.in));
}

std::string trace_diff_json(const TraceDiff& diff) {
  DiffJson json{
      {"a", diff.a},           {"b", diff.b},           {"outcome", diff.in.empty() ? "same" : "differ"},
      {"header", diff.header}, {"differ_in", diff.in},  {"both", diff.both},
      {"only_a", diff.only_a}, {"only_b", diff.only_b}, {"aligned", diff.aligned}};
  if (diff.first) json["same_for"] = *diff.first;
  json["rows"] = DiffJson::array();
  for (const EventPair& row : diff.rows)
    if (row.differs()) json["rows"].push_back(json_of(row));
  return json.dump(2, ' ', false, DiffJson::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::reports
