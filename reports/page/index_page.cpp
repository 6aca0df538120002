#include "reports/page/index_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/findings/markup.h"
#include "reports/page/page.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

constexpr std::string_view index_style =
    "body{font:14px/1.5 \"DejaVu Sans\",sans-serif;max-width:90em;margin:2em auto;padding:0 1em;"
    "color:#1f2933;background:#fff}table{border-collapse:collapse;width:100%}"
    "td,th{border:1px solid #c3cad2;padding:.3em .6em;text-align:left;vertical-align:top}"
    ".different{background:#f6c9c4}.unknown,.vacuous{background:#fff1c2}.as{background:#bfe3c6}"
    "ul{margin:0;padding-left:1.2em}"
    "@media(prefers-color-scheme:dark){body{color:#e4e7eb;background:#16191d}"
    ".different,.unknown,.vacuous,.as{color:#1f2933}a{color:#9cc3ef}.as a,.different a{color:#1d4f91}}";

/// "as", the first word of "as expected"; what the style calls it.
std::string class_of_outcome(Outcome outcome) {
  if (outcome == Outcome::different) return "different";
  const std::string_view words = words_of(outcome);
  return std::string(words.substr(0, words.find(' ')));
}

/// A link within the folder: every byte that means something in an address is written as its number.
std::string address(const std::string& file) {
  std::string out;
  for (const char c : file) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.' || c == '/';
    if (plain) out += c;
    else out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string verdict_item(const IndexedScenario& scenario, const PropertyResult& one) {
  std::string text = markup_text(one.property + ": " + one.verdict);
  const auto page = scenario.pages.find(one.property);
  if (page != scenario.pages.end()) text = fmt::format("<a href=\"{}\">{}</a>", address(page->second), text);
  text += one.as_expected ? " as expected" : markup_text(", expected " + one.expected);
  if (one.vacuous) text += markup_text(" (vacuous: never saw " + one.premise + ")");
  if (one.verdict == "unknown" && !one.why.empty()) text += markup_text(": " + one.why);
  return fmt::format("<li class=\"{}\">{}</li>\n", class_of_outcome(outcome_of(one)), text);
}

std::string covered_text(const CheckResult& result) {
  std::string text = result.searched ? grouped(result.states) + " states" : "not searched";
  if (result.reduced) text += " by partial-order reduction";
  if (result.searched && !result.complete)
    text += result.limit == "decided" ? ", all decided" : ", cut by " + result.limit;
  if (result.runs > 0) text += fmt::format(", {} samples", grouped(result.runs));
  return text;
}

std::string scenario_row(const IndexedScenario& scenario) {
  const CheckResult& result = scenario.result;
  const Outcome outcome = outcome_of(result);
  std::string items;
  std::size_t plain = 0;  // proved or passed as expected, by default: counted only
  for (const PropertyResult& one : result.properties) {
    const bool told = one.named || !one.as_expected || one.vacuous || scenario.pages.contains(one.property);
    if (told) items += verdict_item(scenario, one);
    else ++plain;
  }
  for (const std::string& witness : result.unseen)
    items += fmt::format("<li class=\"vacuous\">{}</li>\n", markup_text("never seen: " + witness));
  if (plain > 0) items += fmt::format("<li>and {} that hold as expected</li>\n", plain);
  return fmt::format(
      "<tr><td class=\"{}\">{}</td><td><b>{}</b><br>{}</td><td><ul>\n{}</ul></td><td>{}<br>{}</td></tr>\n",
      class_of_outcome(outcome), markup_text(std::string(words_of(outcome))), markup_text(result.scenario),
      markup_text(scenario.about), items, markup_text(covered_text(result)), markup_text(result.bounds));
}

}  // namespace

std::string index_page(const std::vector<IndexedScenario>& scenarios) {
  std::vector<const IndexedScenario*> sorted;
  std::vector<CheckResult> results;
  for (const IndexedScenario& one : scenarios) {
    sorted.push_back(&one);
    results.push_back(one.result);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return outcome_of(a->result) > outcome_of(b->result);
  });
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'\">\n"
      "<title>Scenarios · Lockstep</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{} scenarios</h1>\n"
      "<p>{}</p>\n<table>\n<tr><th>outcome</th><th>scenario</th><th>verdicts</th><th>covered</th></tr>\n",
      csp_digest(index_style), index_style, scenarios.size(), markup_lines(summary_text(results)));
  for (const IndexedScenario* one : sorted) out += scenario_row(*one);
  return out + "</table>\n</body>\n</html>\n";
}

}  // namespace lockstep::reports
