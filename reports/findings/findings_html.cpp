#include <fmt/format.h>

#include "reports/findings/findings.h"
#include "reports/findings/markup.h"

namespace lockstep::reports {

namespace {

constexpr std::string_view style =
    "body{font:14px/1.5 sans-serif;max-width:80em;margin:2em auto;padding:0 1em;color:#111;background:#fff}"
    "table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.2em .6em;text-align:left}"
    "tr.failed td:first-child{background:#f6c9c4}tr.unknown td:first-child,tr.vacuous td:first-child"
    "{background:#fff1c2}tr.fine td:first-child{background:#bfe3c6}"
    "pre{overflow:auto;border:1px solid #bbb;padding:.6em}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#151515}td:first-child{color:#111}}";

const char* class_of(Weight weight) {
  switch (weight) {
    case Weight::fine:
      return "fine";
    case Weight::vacuous:
      return "vacuous";
    case Weight::unknown:
      return "unknown";
    case Weight::failed:
      return "failed";
  }
  return "";
}

std::string row_html(const Finding& finding) {
  return fmt::format(
      "<tr class=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
      class_of(finding.weight), markup_text(finding.outcome), markup_text(finding.scenario),
      markup_text(finding.property), markup_text(verdicts_text(finding)), markup_lines(place_text(finding)),
      markup_text(finding.why.empty() ? finding.reason : finding.why));
}

}  // namespace

std::string findings_html(const Findings& findings) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>lockstep {}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<h1>{}</h1>\n<p>{}</p>\n<ul>\n",
      markup_text(findings.command), style, markup_text(counts_text(findings)), markup_text(findings.about));
  for (const ChangedScript& one : findings.changed)
    out += fmt::format("<li>changed: {} ({}, +{} −{})</li>\n", markup_text(one.role), markup_text(one.file),
                       one.added, one.removed);
  for (const std::string& one : findings.trails) out += "<li>trails: " + markup_text(one) + "</li>\n";
  for (const std::string& note : findings.notes) out += "<li>" + markup_text(note) + "</li>\n";
  if (!findings.complete) out += "<li>incomplete: interrupted</li>\n";
  out +=
      "</ul>\n<table>\n<tr><th>outcome</th><th>scenario</th><th>property</th><th>verdict</th>"
      "<th>place</th><th></th></tr>\n";
  for (const Finding* one : worst_first(findings)) out += row_html(*one);
  for (const Finding& one : findings.all)
    if (!one.told()) out += row_html(one);
  out += "</table>\n";
  for (const Finding* one : worst_first(findings)) {
    if (one->story.empty()) continue;
    out += fmt::format("<h2>{} · {}</h2>\n<pre>{}</pre>\n", markup_text(one->scenario),
                       markup_text(one->property), markup_lines(one->story));
    if (!one->replay.empty()) out += "<pre>" + markup_text(one->replay) + "</pre>\n";
  }
  return out + "</body>\n</html>\n";
}

}  // namespace lockstep::reports
