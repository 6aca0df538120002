#include "reports/page/page.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <array>
#include <nlohmann/json.hpp>

#include "reports/diagrams/failover.h"
#include "reports/diagrams/graphviz.h"
#include "reports/diagrams/ownership.h"
#include "reports/diagrams/sequence.h"
#include "reports/diagrams/timeline.h"
#include "reports/page/texts.h"
#include "reports/text/story.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

using PageJson = nlohmann::ordered_json;

/// A key with its fields one by one, so that the page can say what became of each.
PageJson page_change(const sim::Trace& trace, const sim::KeyChange& change) {
  PageJson fields = PageJson::array();
  for (std::size_t i = 0; i < change.fields.size(); ++i) {
    const auto& [name, value] = change.fields[i];
    const bool named = change.type == "hash" || change.type == "zset";
    const std::string field = named                     ? printable(holder_name(trace, name))
                              : change.type == "string" ? ""
                                                        : fmt::format("{}", i + 1);
    fields.push_back({field, cut(printable(named ? value : holder_name(trace, value)), 200)});
  }
  if (change.pttl_ms) fields.push_back({"time to live", length_text(*change.pttl_ms)});
  return {{"key", cut(printable(change.node) + "/" + printable(change.key), 200)},
          {"present", change.present},
          {"fields", std::move(fields)},
          {"text", change_text(trace, change, true)}};
}

PageJson page_event(const sim::Trace& trace, const sim::TraceEvent& event) {
  PageJson json{
      {"index", event.index},        {"time", time_text(event.time_us)}, {"kind", printable(word_of(event))},
      {"who", printable(event.who)}, {"what", event_text(trace, event)}, {"all", tooltip_text(trace, event)}};
  if (event.choice) json["choice"] = {event.choice->first, event.choice->second};
  if (event.cause) json["cause"] = *event.cause;
  PageJson changes = PageJson::array();
  for (const sim::KeyChange& change : event.changes) changes.push_back(page_change(trace, change));
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
  json["fault"] = is_fault(event.kind);
  return json;
}

std::string standing_text(Standing standing) {
  switch (standing) {
    case Standing::waiting:
      return "waits";
    case Standing::holds:
      return "holds";
    case Standing::mistaken:
      return "mistaken";
  }
  return "";
}

PageJson page_choice(const PageChoice& choice) {
  PageJson ways = PageJson::array();
  for (const PageWay& way : choice.ways) {
    PageJson story = PageJson::array();
    for (const std::string& line : way.story) story.push_back(line);
    ways.push_back({{"move", printable(way.move)},
                    {"taken", way.taken},
                    {"breaks", way.breaks},
                    {"outcome", printable(way.outcome)},
                    {"story", std::move(story)},
                    {"again", printable(way.again)}});
  }
  return {{"event", choice.event}, {"decision", choice.decision}, {"ways", std::move(ways)}};
}

/// Each event of both runs, beside its like in the other.
PageJson page_beside(const TraceDiff& diff) {
  PageJson rows = PageJson::array();
  for (const EventPair& pair : diff.rows) {
    const std::string time = time_text(pair.a ? pair.time_a_us : pair.time_b_us);
    PageJson row{{"text", fmt::format("{}  {}  {}", time, pair.who, pair.what)}, {"differs", pair.differs()}};
    if (pair.a) row["a"] = *pair.a;
    if (pair.b) row["b"] = *pair.b;
    if (pair.a && pair.b && pair.differs()) row["other"] = time_text(pair.time_b_us);
    rows.push_back(std::move(row));
  }
  std::string told;
  for (const std::string& one : diff.in) told += (told.empty() ? "" : ", ") + one;
  return {
      {"a", printable(diff.a)}, {"b", printable(diff.b)}, {"in", printable(told)}, {"rows", std::move(rows)}};
}

PageJson page_json(const sim::Trace& trace, const PageOptions& options) {
  PageJson json{{"scenario", printable(trace.scenario)},
                {"about", printable(trace.about)},
                {"scripts", printable(trace.scripts)},
                {"result", printable(trace.result)},
                {"again", printable(options.again)},
                {"events", PageJson::array()},
                {"bands", PageJson::array()},
                {"pictures", PageJson::array()}};
  for (const sim::TraceEvent& event : trace.events) json["events"].push_back(page_event(trace, event));
  for (const Band& band : whole_bands(ownership(trace)))
    json["bands"].push_back({{"thread", printable(band.thread)},
                             {"lock", printable(band.lock)},
                             {"standing", standing_text(band.standing)},
                             {"begin", band.begin},
                             {"end", band.end}});
  for (const PagePicture& one : options.pictures) {
    PageJson marks = PageJson::object();
    for (const auto& [event, id] : one.marks) marks[fmt::format("{}", event)] = id;
    json["pictures"].push_back({{"name", one.name},
                                {"svg", one.svg},
                                {"missing", printable(one.missing)},
                                {"marks", std::move(marks)}});
  }
  json["choices"] = PageJson::array();
  for (const PageChoice& choice : options.choices) json["choices"].push_back(page_choice(choice));
  if (options.beside) json["beside"] = page_beside(*options.beside);
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

std::vector<PagePicture> page_pictures(const sim::Trace& trace) {
  return {page_picture("sequence", to_dot(sequence_diagram(trace)), Engine::pinned),
          page_picture("timeline", to_dot(timeline_diagram(trace)), Engine::pinned),
          page_picture("failover", to_dot(failover_diagram(trace)), Engine::pinned)};
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
  out +=
      "<noscript><p>To go through this run, the page needs JavaScript; it loads nothing from anywhere.</p>\n";
  out += fmt::format("<pre>{}</pre></noscript>\n", html_text(story(trace)));
  out += fmt::format("<script type=\"application/json\" id=\"lockstep-data\">{}</script>\n",
                     embedded_json(page_json(trace, options)));
  out += fmt::format("<script>{}</script>\n</body>\n</html>\n", script);
  return out;
}

}  // namespace lockstep::reports
