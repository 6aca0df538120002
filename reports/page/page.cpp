#include "reports/page/page.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <array>
#include <nlohmann/json.hpp>

#include "reports/diagrams/graphviz.h"
#include "reports/diagrams/ownership.h"
#include "reports/diagrams/sequence.h"
#include "reports/diagrams/timeline.h"
#include "reports/page/texts.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

using PageJson = nlohmann::ordered_json;

PageJson page_event(const sim::Trace& trace, const sim::TraceEvent& event) {
  PageJson json{{"index", event.index},
                {"time", time_text(event.time_us)},
                {"kind", printable(word_of(event))},
                {"who", printable(event.who)},
                {"what", event_text(trace, event)},
                {"all", tooltip_text(trace, event)}};
  if (event.choice) json["choice"] = {event.choice->first, event.choice->second};
  if (event.cause) json["cause"] = *event.cause;
  PageJson changes = PageJson::array();
  for (const sim::KeyChange& change : event.changes)
    changes.push_back({{"key", printable(change.node) + "/" + printable(change.key)},
                       {"present", change.present},
                       {"text", change_text(trace, change, true)}});
  json["changes"] = std::move(changes);
  PageJson truths = PageJson::array();
  for (const sim::LockTruth& truth : event.truths) {
    PageJson holds = PageJson::array();
    for (const sim::LockTruth::Hold& hold : truth.holds) {
      std::string text = printable(holder_name(trace, hold.who));
      if (hold.count != 1) text += fmt::format(" ×{}", hold.count);
      if (hold.left_ms) text += ", " + length_text(*hold.left_ms) + " left";
      holds.push_back(std::move(text));
    }
    truths.push_back({{"lock", printable(truth.lock)}, {"holds", std::move(holds)}});
  }
  json["truths"] = std::move(truths);
  return json;
}

std::string standing_text(Standing standing) {
  switch (standing) {
    case Standing::waiting: return "waits";
    case Standing::holds: return "holds";
    case Standing::mistaken: return "mistaken";
  }
  return "";
}

PageJson page_json(const sim::Trace& trace, const PageOptions& options) {
  PageJson json{{"scenario", printable(trace.scenario)}, {"about", printable(trace.about)},
                {"scripts", printable(trace.scripts)},   {"result", printable(trace.result)},
                {"again", printable(options.again)},     {"events", PageJson::array()},
                {"bands", PageJson::array()},            {"pictures", PageJson::array()}};
  for (const sim::TraceEvent& event : trace.events) json["events"].push_back(page_event(trace, event));
  for (const Band& band : whole_bands(ownership(trace)))
    json["bands"].push_back({{"thread", printable(band.thread)},
                             {"lock", printable(band.lock)},
                             {"standing", standing_text(band.standing)},
                             {"begin", band.begin},
                             {"end", band.end}});
  for (const PagePicture& one : options.pictures)
    json["pictures"].push_back({{"name", one.name}, {"svg", one.svg}, {"missing", printable(one.missing)}});
  return json;
}

/// JSON that may stand in a script element: no tag can begin in it.
std::string embedded_json(const PageJson& json) {
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

PagePicture page_picture(const char* name, const Drawing& drawing) {
  const auto svg = render(to_dot(drawing), Engine::pinned, "svg");
  if (!svg) return {.name = name, .svg = "", .missing = svg.problem().text};
  return {.name = name, .svg = svg->substr(std::min(svg->find("<svg"), svg->size())), .missing = ""};
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

std::vector<PagePicture> page_pictures(const sim::Trace& trace) {
  return {page_picture("sequence", sequence_diagram(trace)),
          page_picture("timeline", timeline_diagram(trace))};
}

std::string page(const sim::Trace& trace, const PageOptions& options) {
  const std::string_view style = page_part("page.css");
  const std::string_view script = page_part("page.js");
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; "
      "script-src '{}'\">\n",
      csp_digest(style), csp_digest(script));
  out += fmt::format("<title>{} · Lockstep</title>\n<style>{}</style>\n</head>\n<body>\n",
                     html_text(printable(trace.scenario)), style);
  out += "<noscript>This page needs JavaScript; it loads nothing from anywhere.</noscript>\n";
  out += fmt::format("<script type=\"application/json\" id=\"lockstep-data\">{}</script>\n",
                     embedded_json(page_json(trace, options)));
  out += fmt::format("<script>{}</script>\n</body>\n</html>\n", script);
  return out;
}

}  // namespace lockstep::reports
