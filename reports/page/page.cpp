#include "reports/page/page.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/diagrams/failover.h"
#include "reports/diagrams/graphviz.h"
#include "reports/diagrams/sequence.h"
#include "reports/diagrams/timeline.h"
#include "reports/page/page_data.h"
#include "reports/page/texts.h"
#include "reports/text/story.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

/// JSON that may stand in a script element: no tag can begin in it.
std::string embedded_json(const nlohmann::ordered_json& json) {
  std::string safe;
  for (const char c : json.dump()) {
    if (c == '<') safe += "\\u003c";
    else safe += c;
  }
  return safe;
}

std::string html_text(std::string_view printable_text) {
  std::string out;
  for (const char c : printable_text) {
    if (c == '<') out += "&lt;";
    else if (c == '&') out += "&amp;";
    else out += c;
  }
  return out;
}

std::string_view page_part(std::string_view name) {
  for (const sim::EmbeddedFile& file : page_texts())
    if (file.name == name) return file.text;
  return {};
}

}  // namespace

std::string csp_digest(std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  return "sha256-" + base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

PagePicture page_picture(const std::string& name, const std::string& dot, Engine engine) {
  constexpr std::size_t svg_bytes_max = std::size_t{4} << 20;
  const auto svg = render(dot, engine, "svg");
  if (!svg) return {.name = name, .svg = "", .missing = svg.problem().text};
  if (svg->size() > svg_bytes_max)
    return {.name = name, .svg = "", .missing = "the picture is too large for a page: " + name};
  return {.name = name, .svg = svg->substr(std::min(svg->find("<svg"), svg->size())), .missing = ""};
}

PagePicture page_timeline(const sim::Trace& trace, std::size_t bars_max) {
  const TimelineOptions whole{.window = {{}, {}, trace.events.size() + 1}};
  Drawing drawing = timeline_diagram(trace, whole);
  const auto bars = std::count_if(
      drawing.elements.begin(), drawing.elements.end(),
      [](const Element& one) { return !one.id.empty() || std::holds_alternative<Box>(one.shape); });
  if (static_cast<std::size_t>(bars) <= bars_max)
    return page_picture("timeline", to_dot(drawing), Engine::pinned);
  return {.name = "timeline", .svg = "", .missing = "", .marks = {}, .painted = std::move(drawing)};
}

std::vector<PagePicture> page_pictures(const sim::Trace& trace) {
  return {page_picture("sequence", to_dot(sequence_diagram(trace)), Engine::pinned),
          page_timeline(trace),
          page_picture("failover", to_dot(failover_diagram(trace)), Engine::pinned)};
}

std::string page(const sim::Trace& trace, const PageOptions& options) {
  const std::string_view style = page_part("page.css");
  // Each defines what the last one uses.
  const std::array scripts{page_part("heading.js"),    page_part("by_hand.js"), page_part("event_list.js"),
                           page_part("painted.js"), page_part("selftest.js"), page_part("page.js")};
  std::string allowed;
  for (const std::string_view script : scripts) allowed += fmt::format(" '{}'", csp_digest(script));
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; "
      "script-src{}\">\n",
      csp_digest(style), allowed);
  out += fmt::format("<title>{} · Lockstep</title>\n<style>{}</style>\n</head>\n<body>\n",
                     html_text(printable(options.title.empty() ? trace.scenario : options.title)), style);
  out +=
      "<noscript><p>To go through this run, the page needs JavaScript; it loads nothing from anywhere.</p>\n";
  if (const PagePicture* plain = plain_picture(options)) out += plain->svg;
  out += fmt::format("<pre>{}</pre></noscript>\n", html_text(story(trace)));
  out += fmt::format("<script type=\"application/json\" id=\"lockstep-data\">{}</script>\n",
                     embedded_json(page_data(trace, options)));
  for (const std::string_view script : scripts) out += fmt::format("<script>{}</script>\n", script);
  return out + "</body>\n</html>\n";
}

}  // namespace lockstep::reports
