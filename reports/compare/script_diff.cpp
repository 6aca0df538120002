#include "reports/compare/script_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

using DiffJson = nlohmann::ordered_json;
using Lines = std::vector<std::string>;

constexpr std::size_t side_columns = 46;

std::string joined(const Lines& words, std::string_view between = ", ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

/// Both sides beside each other, each cut to half a line.
void beside(std::string& out, const std::string& name, const Lines& a, const Lines& b) {
  for (std::size_t i = 0; i < std::max({a.size(), b.size(), std::size_t{1}}); ++i) {
    const std::string left = cut(i < a.size() ? a[i] : i == 0 ? "–" : "", side_columns);
    const std::string right = cut(i < b.size() ? b[i] : i == 0 ? "–" : "", side_columns);
    const std::string space(side_columns - std::min(side_columns, columns(left)), ' ');
    std::string line = fmt::format("     {:<10} {}{}  {}", i == 0 ? name : "", left, space, right);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
}

void tell(std::string& out, const ScriptDifference& difference, const ScriptDiff& diff) {
  out += fmt::format("  they differ in {} after {} step{}:\n", joined(difference.in, " and "),
                     difference.steps.size(), difference.steps.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < difference.steps.size(); ++i) {
    const StepShown& step = difference.steps[i];
    const bool last = i + 1 == difference.steps.size();
    const bool alike = step.a.reply == step.b.reply;
    out += fmt::format("  {} {}. {}{}\n", last ? "▶" : " ", i + 1, step.call,
                       last || step.a.reply.empty() ? "" : " → " + (alike ? step.a.reply : "…"));
    if (!last) continue;
    beside(out, "", {diff.a}, {diff.b});
    beside(out, "reply", {step.a.reply}, {step.b.reply});
    beside(out, "commands", step.a.commands, step.b.commands);
    beside(out, "published", step.a.messages, step.b.messages);
    beside(out, "replicas", step.a.replicated, step.b.replicated);
    beside(out, "stored", step.a.stored, step.b.stored);
  }
}

std::string verdict_of(const KindCompared& kind) {
  if (kind.difference && !kind.only_minor) return "differ";
  if (kind.difference && kind.covers_all()) return "differ only in " + joined(kind.difference->in, " and ");
  if (kind.difference) return "differ in " + joined(kind.difference->in, " and ") + "; the rest is unknown";
  return kind.covers_all() ? "equivalent within the bounds" : "unknown";
}

DiffJson json_of(const SideShown& side) {
  return {{"reply", side.reply},
          {"commands", side.commands},
          {"published", side.messages},
          {"replicated", side.replicated},
          {"stored", side.stored}};
}

DiffJson json_of(const std::optional<CountedScript>& side, const std::optional<std::size_t>& place) {
  if (!side || !place) return nullptr;
  const CountedLine& line = side->lines[*place];
  DiffJson json{{"line", *place + 1}, {"text", line.text}, {"hits", line.hits}};
  if (line.branch) json["branch"] = {{"yes", line.branch->taken}, {"no", line.branch->not_taken}};
  return json;
}

DiffJson json_of(const PairedScripts& lines) {
  DiffJson scripts = DiffJson::array();
  for (const ScriptPair& pair : lines.scripts) {
    DiffJson rows = DiffJson::array();
    for (const PairedRow& row : pair.rows)
      rows.push_back({{"same", row.same}, {"a", json_of(pair.a, row.a)}, {"b", json_of(pair.b, row.b)}});
    scripts.push_back({{"role", pair.a ? pair.a->role : pair.b->role},
                       {"runs_a", pair.a ? pair.a->runs : 0},
                       {"runs_b", pair.b ? pair.b->runs : 0},
                       {"rows", std::move(rows)}});
  }
  return scripts;
}

DiffJson json_of(const KindCompared& kind) {
  DiffJson json{{"kind", kind.kind},
                {"roles", kind.roles},
                {"verdict", verdict_of(kind)},
                {"states", kind.states},
                {"transitions", kind.transitions},
                {"complete", kind.complete}};
  if (!kind.limit.empty()) json["limit"] = kind.limit;
  if (!kind.beyond_reach.empty()) json["beyond_reach"] = kind.beyond_reach;
  if (!kind.note.empty()) json["note"] = kind.note;
  if (kind.lines) json["scripts"] = json_of(*kind.lines);
  if (!kind.difference) return json;
  json["differ_in"] = kind.difference->in;
  json["only"] = kind.only_minor && kind.covers_all();
  json["steps"] = DiffJson::array();
  for (const StepShown& step : kind.difference->steps)
    json["steps"].push_back({{"call", step.call}, {"a", json_of(step.a)}, {"b", json_of(step.b)}});
  return json;
}

std::string_view word_of(Compared outcome) {
  return outcome == Compared::same ? "same" : outcome == Compared::differ ? "differ" : "unknown";
}

std::string conclusion(const ScriptDiff& diff) {
  switch (outcome_of(diff)) {
    case Compared::differ:
      return "they differ";
    case Compared::unknown:
      return "unknown: a limit was reached, or scripts changed that no call sends or that go by more than "
             "calls come to";
    case Compared::same:
      break;
  }
  return diff.kinds.empty() ? "the same texts" : "equivalent within the bounds";
}

}  // namespace

Compared outcome_of(const ScriptDiff& diff) {
  bool unknown = !diff.unsent.empty();
  bool differ = !diff.only_a.empty() || !diff.only_b.empty();
  for (const KindCompared& kind : diff.kinds) {
    differ |= kind.difference.has_value();
    unknown |= !kind.difference && !kind.covers_all();
  }
  return differ ? Compared::differ : unknown ? Compared::unknown : Compared::same;
}

std::string diff_text(const ScriptDiff& diff) {
  std::string out = fmt::format("a  {}\nb  {}\n", diff.a, diff.b);
  if (!diff.same.empty()) out += fmt::format("same text: {}\n", joined(diff.same));
  if (!diff.only_a.empty()) out += fmt::format("only in a: {}\n", joined(diff.only_a));
  if (!diff.only_b.empty()) out += fmt::format("only in b: {}\n", joined(diff.only_b));
  if (!diff.unsent.empty())
    out += fmt::format("unknown, since no call of a lock sends them: {}\n", joined(diff.unsent));
  for (const KindCompared& kind : diff.kinds) {
    out += fmt::format("\n{} lock (changed: {}): {}\n", kind.kind, joined(kind.roles), verdict_of(kind));
    out += fmt::format("  {} states, {} transitions{}\n", grouped(kind.states), grouped(kind.transitions),
                       kind.complete        ? ", complete"
                       : kind.limit.empty() ? ""
                                            : "; cut: " + kind.limit);
    if (!kind.beyond_reach.empty() && (!kind.difference || kind.only_minor))
      out += fmt::format("  beyond the bounds: {}\n", kind.beyond_reach);
    if (!kind.note.empty()) out += fmt::format("  note: {}\n", kind.note);
    if (kind.difference) tell(out, *kind.difference, diff);
    if (kind.lines) out += paired_text(*kind.lines);
  }
  if (!diff.kinds.empty()) out += fmt::format("\nbounds: {}\n", diff.bounds);
  return out + conclusion(diff) + "\n";
}

std::string diff_json(const ScriptDiff& diff) {
  DiffJson json{{"a", diff.a},           {"b", diff.b},           {"outcome", word_of(outcome_of(diff))},
                {"bounds", diff.bounds}, {"same", diff.same},     {"only_a", diff.only_a},
                {"only_b", diff.only_b}, {"unsent", diff.unsent}, {"kinds", DiffJson::array()}};
  for (const KindCompared& kind : diff.kinds) json["kinds"].push_back(json_of(kind));
  return json.dump(2, ' ', false, DiffJson::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::reports
