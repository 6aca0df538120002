#include "reports/page/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/diagrams/ownership.h"
#include "reports/page/drawing_data.h"
#include "reports/page/hand_data.h"
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
  std::set<std::string> about;  // locks and keys
  if (!event.lock.empty()) about.insert(event.lock);
  about.insert(event.keys.begin(), event.keys.end());
  for (const sim::KeyChange& change : event.changes) about.insert(change.key);
  json["about"] = PageJson::array();
  for (const std::string& one : about) json["about"].push_back(cut(printable(one), 200));
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

/// Which events are listed: all, or so many up to the first violation, or to the end.
struct Cut {
  std::size_t begin = 0, end = 0;
};

Cut cut_of(const sim::Trace& trace, std::size_t events_max) {
  const std::size_t size = trace.events.size();
  if (size <= events_max) return {0, size};
  const auto broken = std::find_if(trace.events.begin(), trace.events.end(),
                                   [](const auto& one) { return one.kind == sim::TraceKind::prop; });
  const std::size_t last =
      broken == trace.events.end() ? size : static_cast<std::size_t>(broken - trace.events.begin()) + 1;
  const std::size_t begin = last - std::min(last, events_max);
  return {begin, std::min(size, begin + events_max)};
}

/// What is stored and who holds before the first event that is listed.
PageJson page_earlier(const sim::Trace& trace, const Cut& cut) {
  std::map<std::string, PageJson> changes, truths;
  for (std::size_t at = 0; at < cut.begin; ++at) {
    const PageJson event = page_event(trace, trace.events[at]);
    for (const PageJson& one : event["changes"]) changes[one["key"].get<std::string>()] = one;
    for (const PageJson& one : event["truths"]) truths[one["lock"].get<std::string>()] = one;
  }
  PageJson earlier{{"events", cut.begin},
                   {"later", trace.events.size() - cut.end},
                   {"changes", PageJson::array()},
                   {"truths", PageJson::array()}};
  for (const auto& [key, one] : changes) earlier["changes"].push_back(one);
  for (const auto& [lock, one] : truths) earlier["truths"].push_back(one);
  return earlier;
}

PageJson page_bands(const sim::Trace& trace, const Cut& cut) {
  PageJson bands = PageJson::array();
  for (const Band& band : whole_bands(ownership(trace))) {
    if (band.end <= cut.begin || band.begin >= cut.end) continue;
    bands.push_back({{"thread", printable(band.thread)},
                     {"lock", printable(band.lock)},
                     {"standing", standing_text(band.standing)},
                     {"begin", std::max(band.begin, cut.begin) - cut.begin},
                     {"end", band.end - cut.begin}});
  }
  return bands;
}

PageJson page_pictures_data(const PageOptions& options, const Cut& cut) {
  PageJson pictures = PageJson::array();
  for (const PagePicture& one : options.pictures) {
    PageJson marks = PageJson::object();
    for (const auto& [event, id] : one.marks)
      if (event >= cut.begin && event < cut.end) marks[fmt::format("{}", event - cut.begin)] = id;
    const bool plain = &one == plain_picture(options);
    pictures.push_back({{"name", one.name},
                        {"svg", plain ? "" : one.svg},
                        {"plain", plain},
                        {"missing", printable(one.missing)},
                        {"marks", std::move(marks)}});
    if (one.painted) pictures.back()["drawing"] = drawing_data(*one.painted);
  }
  return pictures;
}

PageJson page_properties(const sim::Trace& trace, const PageOptions& options, const Cut& cut) {
  PageJson properties = PageJson::array();
  for (const PageProperty& one : options.properties) {
    PageJson row{{"name", printable(one.name)},
                 {"says", printable(one.says)},
                 {"broken", one.broken},
                 {"vacuous", one.vacuous}};
    for (std::size_t at = cut.begin; at < cut.end && one.broken; ++at) {
      const sim::TraceEvent& event = trace.events[at];
      if (event.kind != sim::TraceKind::prop || event.name != one.name) continue;
      row["event"] = at - cut.begin;
      break;
    }
    properties.push_back(std::move(row));
  }
  return properties;
}

}  // namespace

const PagePicture* plain_picture(const PageOptions& options) {
  if (options.pictures.empty()) return nullptr;
  const PagePicture& one = options.pictures.front();
  const bool may = !one.svg.empty() && one.svg.find("</noscript") == std::string::npos &&
                   one.svg.find("<script") == std::string::npos;
  return may ? &one : nullptr;
}

nlohmann::ordered_json page_data(const sim::Trace& trace, const PageOptions& options) {
  const Cut cut = cut_of(trace, std::max<std::size_t>(options.events_max, 1));
  PageJson json{{"scenario", printable(options.title.empty() ? trace.scenario : options.title)},
                {"about", printable(trace.about)},
                {"scripts", printable(trace.scripts)},
                {"result", printable(trace.result)},
                {"again", printable(options.again)},
                {"events", PageJson::array()},
                {"rows", options.rows_max},
                {"bands", page_bands(trace, cut)},
                {"pictures", page_pictures_data(options, cut)}};
  if (cut.end - cut.begin < trace.events.size()) json["earlier"] = page_earlier(trace, cut);
  for (std::size_t at = cut.begin; at < cut.end; ++at)
    json["events"].push_back(page_event(trace, trace.events[at]));
  json["choices"] = PageJson::array();
  for (const PageChoice& choice : options.choices) {
    if (choice.event >= cut.end) break;
    json["choices"].push_back(page_choice(choice));
    json["choices"].back()["event"] = std::max(choice.event, cut.begin) - cut.begin;
  }
  if (options.beside) json["beside"] = page_beside(*options.beside);
  if (options.by_hand) json["hand"] = hand_data(*options.by_hand);
  json["properties"] = page_properties(trace, options, cut);
  json["facts"] = PageJson::array();
  for (const auto& [what, value] : options.facts)
    json["facts"].push_back({printable(what), printable(value)});
  return json;
}

}  // namespace lockstep::reports
