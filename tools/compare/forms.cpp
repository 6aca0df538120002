// The comparison as a table for a terminal, as Markdown, JSON and HTML.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/findings/markup.h"
#include "reports/text/text.h"
#include "tools/compare/compared.h"

namespace lockstep::tools {

namespace {

/// "proved", "passed", "violated 3", "-".
std::string word_of(const Cell& cell) {
  if (cell.verdict == "not offered") return "-";
  return cell.verdict == "violated" ? fmt::format("violated {}", cell.decisions) : cell.verdict;
}

std::string cost_of(const Cost& cost) { return fmt::format("{}/{}", cost.commands, cost.messages); }

std::string bounds_of(const AskingLimits& limits) {
  return fmt::format(
      "At most {} states are searched for each; where that is not all, {} schedules are sampled.",
      limits.states_max, limits.runs);
}

/// What the columns stand for.
std::vector<std::string> legend() {
  std::vector<std::string> lines;
  for (const Question& question : questions())
    lines.push_back(fmt::format("{}: {}", question.key, question.says));
  lines.emplace_back("alone, two: commands that servers run, and messages, for one client and for two");
  return lines;
}

std::string table(const std::vector<ComparedRow>& rows, const AskingLimits& limits) {
  std::size_t width = 6;
  for (const ComparedRow& row : rows) width = std::max(width, row.contestant.name.size());
  std::string text = fmt::format("{:<{}}", "", width);
  for (const Question& question : questions()) text += fmt::format(" {:<11}", question.key);
  text += " alone  two\n";
  for (const ComparedRow& row : rows) {
    text += fmt::format("{:<{}}", row.contestant.name, width);
    for (const Cell& cell : row.cells) text += fmt::format(" {:<11}", word_of(cell));
    text += fmt::format(" {:<6} {}\n", cost_of(row.alone), cost_of(row.contended));
  }
  text += "\n";
  for (const std::string& line : legend()) text += line + "\n";
  text += "violated N: by a schedule that leaves the default one at N places; -: not offered.\n";
  text += bounds_of(limits) + "\n";
  for (const ComparedRow& row : rows)
    for (const Cell& cell : row.cells)
      if (!cell.trail.empty())
        text += fmt::format("lockstep replay {} --scenario {}\n", reports::shell_word(cell.trail),
                            reports::shell_word(cell.scenario));
  return text;
}

std::string markdown(const std::vector<ComparedRow>& rows, const AskingLimits& limits) {
  std::string text = "| |", rule = "|---|";
  for (const Question& question : questions()) {
    text += fmt::format(" {} |", question.key);
    rule += "---|";
  }
  text += " alone | two |\n" + rule + "---|---|\n";
  for (const ComparedRow& row : rows) {
    text += fmt::format("| `{}` |", row.contestant.name);
    for (const Cell& cell : row.cells) text += fmt::format(" {} |", word_of(cell));
    text += fmt::format(" {} | {} |\n", cost_of(row.alone), cost_of(row.contended));
  }
  text += "\n";
  for (const std::string& line : legend()) text += "- " + line + "\n";
  return text + "\n" + bounds_of(limits) + "\n";
}

std::string json(const std::vector<ComparedRow>& rows, const AskingLimits& limits) {
  nlohmann::ordered_json all;
  all["states-max"] = limits.states_max;
  all["runs"] = limits.runs;
  for (const Question& question : questions())
    all["questions"].push_back({{"key", question.key}, {"says", question.says}, {"scenario", question.text}});
  for (const ComparedRow& row : rows) {
    nlohmann::ordered_json one{{"scheme", row.contestant.name}, {"says", row.contestant.says}};
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Cell& cell = row.cells[i];
      nlohmann::ordered_json its{{"verdict", cell.verdict}};
      if (cell.verdict == "violated")
        its.update({{"decisions", cell.decisions},
                    {"property", cell.property},
                    {"why", cell.why},
                    {"scenario", cell.scenario},
                    {"trail", cell.trail},
                    {"trace", cell.trace},
                    {"picture", cell.picture}});
      one["cells"][std::string(questions()[i].key)] = std::move(its);
    }
    one["alone"] = {{"commands", row.alone.commands}, {"messages", row.alone.messages}};
    one["contended"] = {{"commands", row.contended.commands}, {"messages", row.contended.messages}};
    all["rows"].push_back(std::move(one));
  }
  return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string html(const std::vector<ComparedRow>& rows, const AskingLimits& limits) {
  const auto safe = [](std::string_view text) { return reports::markup_text(std::string(text)); };
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Lock schemes</title><style>\n"
      "body{font:15px sans-serif;margin:2em}td,th{padding:.2em .5em;text-align:left;border-bottom:1px solid "
      "#ccc}\n"
      ".proved{background:#dfd}.passed{background:#efe}.violated{background:#fdd}.unknown{background:#ffd}\n"
      "</style></head><body><h1>Lock schemes</h1><table><tr><th></th>";
  for (const Question& question : questions())
    text += fmt::format("<th title=\"{}\">{}</th>", safe(question.says), safe(question.key));
  text += "<th>alone</th><th>two</th></tr>\n";
  for (const ComparedRow& row : rows) {
    text += fmt::format("<tr><th title=\"{}\">{}</th>", safe(row.contestant.says), safe(row.contestant.name));
    for (const Cell& cell : row.cells) {
      const std::string word = safe(word_of(cell));
      text +=
          cell.trail.empty()
              ? fmt::format("<td class=\"{}\">{}</td>", safe(cell.verdict), word)
              : fmt::format("<td class=\"violated\"><a href=\"{}\">{}</a> <a href=\"{}\">picture</a></td>",
                            safe(cell.trail), word, safe(cell.picture));
    }
    text += fmt::format("<td>{}</td><td>{}</td></tr>\n", cost_of(row.alone), cost_of(row.contended));
  }
  text += "</table><ul>\n";
  for (const std::string& line : legend()) text += "<li>" + safe(line) + "</li>\n";
  return text + "</ul><p>" + safe(bounds_of(limits)) + "</p></body></html>\n";
}

}  // namespace

std::string comparison(const std::vector<ComparedRow>& rows, const AskingLimits& limits, CompareForm form) {
  switch (form) {
    case CompareForm::table:
      return table(rows, limits);
    case CompareForm::markdown:
      return markdown(rows, limits);
    case CompareForm::json:
      return json(rows, limits);
    case CompareForm::html:
      return html(rows, limits);
  }
  return {};
}

}  // namespace lockstep::tools
