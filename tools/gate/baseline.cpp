#include "tools/gate/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <tuple>

#include "reports/text/text.h"
#include "sim/base/digest.h"

namespace lockstep::tools {

namespace {

using BaselineJson = nlohmann::ordered_json;

constexpr std::string_view entries_begin = "\"entries\":[", accepted_begin = "],\"accepted\":[",
                           file_end = "]}";

/// What is wrong with a line; becomes a Problem in parse_baseline, the only catcher.
struct BadLine {
  std::string what;
};

std::string sum_of(std::string_view line) { return sim::hex(sim::digest_bytes(line)).substr(0, 16); }

std::string entry_line(const KeptVerdict& entry) {
  BaselineJson json{{"scenario", entry.scenario},
                    {"xxh3", entry.digest},
                    {"scripts", entry.scripts},
                    {"property", entry.property},
                    {"verdict", entry.verdict}};
  if (entry.vacuous) json["vacuous"] = true;
  if (entry.states > 0) json["states"] = entry.states;
  if (entry.steps > 0) json["steps"] = entry.steps;
  if (!entry.graph.empty()) json["graph"] = entry.graph;
  json["sum"] = sum_of(json.dump());
  return json.dump();
}

std::string accepted_line(const Acceptance& one) {
  return BaselineJson{
      {"scenario", one.scenario}, {"property", one.property}, {"reason", one.reason}, {"until", one.until}}
      .dump();
}

BaselineJson object_in(std::string_view line) {
  if (line.ends_with(',')) line.remove_suffix(1);
  BaselineJson json = BaselineJson::parse(line, nullptr, false);
  if (json.is_discarded() || !json.is_object()) throw BadLine{"is no JSON object on one line"};
  return json;
}

std::string text_in(const BaselineJson& json, const char* key, bool needed) {
  const auto found = json.find(key);
  if (found == json.end() && !needed) return "";
  if (found == json.end() || !found->is_string()) throw BadLine{fmt::format("has no text `{}`", key)};
  if (needed && found->get<std::string>().empty()) throw BadLine{fmt::format("has an empty `{}`", key)};
  return found->get<std::string>();
}

std::uint64_t count_in(const BaselineJson& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return 0;
  if (!found->is_number_unsigned()) throw BadLine{fmt::format("has a `{}` that is no count", key)};
  return found->get<std::uint64_t>();
}

KeptVerdict entry_in(std::string_view line) {
  const BaselineJson json = object_in(line);
  KeptVerdict entry{.scenario = text_in(json, "scenario", true),
                    .digest = text_in(json, "xxh3", true),
                    .scripts = text_in(json, "scripts", true),
                    .property = text_in(json, "property", true),
                    .verdict = text_in(json, "verdict", true),
                    .vacuous = json.value("vacuous", BaselineJson(false)) == true,
                    .states = count_in(json, "states"),
                    .steps = count_in(json, "steps"),
                    .graph = text_in(json, "graph", false)};
  const std::string sum = text_in(json, "sum", true);
  if (const std::string whole = entry_line(entry); whole != json.dump() || sum.empty())
    throw BadLine{"does not have the digest of its own line; entries are written by --update-baseline"};
  return entry;
}

Acceptance accepted_in(std::string_view line) {
  const BaselineJson json = object_in(line);
  for (const auto& [key, value] : json.items())
    if (key != "scenario" && key != "property" && key != "reason" && key != "until")
      throw BadLine{fmt::format("has a key `{}`; what is accepted has scenario, property, reason and until",
                                reports::printable(key))};
  Acceptance one{.scenario = text_in(json, "scenario", true),
                 .property = text_in(json, "property", true),
                 .reason = text_in(json, "reason", true),
                 .until = text_in(json, "until", true)};
  if (!is_day(one.until))
    throw BadLine{fmt::format("is accepted until `{}`, which is no day; write one as 2027-06-30",
                              reports::printable(one.until))};
  return one;
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void read_first_line(std::string_view line, const std::string& file, Baseline& into) {
  if (!line.ends_with(entries_begin)) throw BadLine{"is no baseline of a gate"};
  const BaselineJson json = BaselineJson::parse(std::string(line) + file_end.data(), nullptr, false);
  if (json.is_discarded() || json.value("lockstep", BaselineJson()) != "baseline")
    throw BadLine{"is no baseline of a gate"};
  const BaselineJson version = json.value("v", BaselineJson());
  if (version != baseline_format)
    throw BadLine{
        fmt::format("is a baseline of format {}, and this program reads format {}; {} is left as it is",
                    version.dump(), baseline_format, reports::printable(file))};
  into.program = text_in(json, "program", true);
}

}  // namespace

bool is_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  int parts[3]{};
  for (std::size_t i = 0, part = 0; i < text.size(); ++i) {
    if (i == 4 || i == 7) {
      ++part;
      continue;
    }
    if (text[i] < '0' || text[i] > '9') return false;
    parts[part] = parts[part] * 10 + (text[i] - '0');
  }
  return std::chrono::year_month_day{std::chrono::year(parts[0]),
                                     std::chrono::month(static_cast<unsigned>(parts[1])),
                                     std::chrono::day(static_cast<unsigned>(parts[2]))}
      .ok();
}

sim::Result<Baseline> parse_baseline(std::string_view text, const std::string& file) {
  const auto lines = lines_in(text);
  Baseline baseline;
  std::size_t at = 0;
  try {
    if (lines.empty()) return sim::Problem{reports::printable(file) + ": is empty"};
    read_first_line(lines.front(), file, baseline);
    enum class Part { entries, accepted, over } part = Part::entries;
    for (at = 1; at < lines.size(); ++at) {
      if (lines[at].empty()) continue;
      if (part == Part::over) throw BadLine{"stands behind the end"};
      if (lines[at] == accepted_begin && part == Part::entries) part = Part::accepted;
      else if (lines[at] == file_end && part == Part::accepted) part = Part::over;
      else if (part == Part::entries) baseline.entries.push_back(entry_in(lines[at]));
      else baseline.accepted.push_back(accepted_in(lines[at]));
    }
    at = lines.size() - 1;
    if (part != Part::over) throw BadLine{"is the last line: the file was cut off"};
  } catch (const BadLine& bad) {
    return sim::Problem{fmt::format("{}:{}: {}", reports::printable(file), at + 1, bad.what)};
  }
  return baseline;
}

std::string text_of(Baseline baseline) {
  const auto by_name = [](const auto& one) { return std::tie(one.scenario, one.property); };
  const auto in_order = [&](const auto& a, const auto& b) { return by_name(a) < by_name(b); };
  std::sort(baseline.entries.begin(), baseline.entries.end(), in_order);
  std::stable_sort(baseline.accepted.begin(), baseline.accepted.end(), in_order);
  const BaselineJson head{{"lockstep", "baseline"}, {"v", baseline_format}, {"program", baseline.program}};
  std::string out = head.dump();
  out.back() = ',';
  out += std::string(entries_begin) + "\n";
  const auto put = [&](const auto& all, auto line_of) {
    for (std::size_t i = 0; i < all.size(); ++i) out += line_of(all[i]) + (i + 1 < all.size() ? ",\n" : "\n");
  };
  put(baseline.entries, entry_line);
  out += std::string(accepted_begin) + "\n";
  put(baseline.accepted, accepted_line);
  return out + std::string(file_end) + "\n";
}

}  // namespace lockstep::tools
