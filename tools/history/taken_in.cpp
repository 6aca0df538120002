#include "tools/history/taken_in.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/text/text.h"
#include "scenarios/format/suggest.h"
#include "tools/history/keys_once.h"

namespace lockstep::tools {

namespace {

using TakenJson = nlohmann::ordered_json;

constexpr std::array member_names{"type", "process", "thread", "call", "lock",
                                  "mode", "answer",  "token",  "time", "lease"};

struct HistoryMap {
  std::map<std::string, std::string> members;                       // ours, and the way to theirs
  std::map<std::string, std::map<std::string, std::string>> words;  // of a member: theirs, and ours
  std::map<std::string, std::string> places;  // where the map says so: "m.toml:2:8: "
  double milliseconds = 1;                                          // of a unit of time
};

class MapReader {
 public:
  MapReader(std::string_view text, const std::string& file) : text_(text), file_(reports::printable(file)) {}

  sim::Result<HistoryMap> read() && {
    toml::table table;
    try {
      table = toml::parse(text_);
    } catch (const toml::parse_error& error) {
      return at(error.source(),
                "a map is TOML, and from here on this is none; `lockstep help import` shows one");
    }
    for (const auto& [key, value] : table)
      if (auto problem = section(std::string(key.str()), key.source(), value)) return *std::move(problem);
    return std::move(map_);
  }

 private:
  using Mistake = std::optional<sim::Problem>;

  sim::Problem at(const toml::source_region& region, const std::string& what) const {
    return {fmt::format("{}:{}:{}: {}", file_, region.begin.line, region.begin.column, what)};
  }

  Mistake section(const std::string& name, const toml::source_region& where, const toml::node& value) {
    if (name == "time-unit") return unit(value);
    const toml::table* table = value.as_table();
    if (table == nullptr || (name != "members" && name != "words"))
      return at(where, fmt::format("`{}` is none of time-unit, [members] and [words.MEMBER]",
                                   reports::printable(name)));
    for (const auto& [key, inner] : *table) {
      const std::string member(key.str());
      if (auto problem = no_member(member, key.source())) return problem;
      const auto way = inner.value_exact<std::string>();
      if (name == "members" && !way) return at(key.source(), fmt::format("`{}` wants a text", member));
      if (name == "members") {
        map_.members[member] = *way;
        map_.places[member] = at(inner.source(), "").text;
      }
      if (name == "members") continue;
      if (auto problem = words_of(member, key.source(), inner)) return problem;
    }
    return std::nullopt;
  }

  Mistake no_member(const std::string& name, const toml::source_region& where) const {
    const std::vector<std::string> known(member_names.begin(), member_names.end());
    if (std::find(known.begin(), known.end(), name) != known.end()) return std::nullopt;
    return at(where, fmt::format("`{}` is no member of a history; {}", reports::printable(name),
                                 scenarios::did_you_mean(name, known, "lockstep help histories lists them")));
  }

  Mistake words_of(const std::string& member, const toml::source_region& where, const toml::node& value) {
    const toml::table* table = value.as_table();
    if (table == nullptr) return at(where, fmt::format("`{}` wants a table of words", member));
    for (const auto& [theirs, ours] : *table) {
      const auto word = ours.value_exact<std::string>();
      if (!word) return at(theirs.source(), fmt::format("`{}` wants a text", theirs.str()));
      if (const auto wrong = wrong_word(member, *word))
        return at(ours.source(), fmt::format("[words.{}]: {}", member, reports::printable(*wrong)));
      map_.words[member][std::string(theirs.str())] = *word;
    }
    return std::nullopt;
  }

  Mistake unit(const toml::node& value) {
    const std::map<std::string, double> units{{"s", 1e3}, {"ms", 1}, {"us", 1e-3}, {"ns", 1e-6}};
    const auto found = units.find(value.value_exact<std::string>().value_or(""));
    if (found == units.end()) return at(value.source(), "`time-unit` wants s, ms, us or ns");
    map_.milliseconds = found->second;
    return std::nullopt;
  }

  std::string_view text_;
  std::string file_;
  HistoryMap map_;
};

/// What stands at the end of a way such as `client.id`; a member that is called so as a whole wins.
const TakenJson* at_end_of(const TakenJson& line, const std::string& way) {
  if (!line.is_object()) return nullptr;
  if (const auto whole = line.find(way); whole != line.end()) return &*whole;
  const std::size_t dot = way.find('.');
  if (dot == way.npos) return nullptr;
  const auto first = line.find(way.substr(0, dot));
  return first == line.end() ? nullptr : at_end_of(*first, way.substr(dot + 1));
}

TakenJson mapped_line(const TakenJson& line, const HistoryMap& map) {
  TakenJson mapped = TakenJson::object();
  for (const std::string name : member_names) {
    const auto way = map.members.find(name);
    const TakenJson* value = at_end_of(line, way == map.members.end() ? name : way->second);
    if (value == nullptr) continue;
    mapped[name] = *value;
    const auto words = map.words.find(name);
    if (words != map.words.end()) {
      const auto meant = words->second.find(value->is_string() ? value->get<std::string>() : value->dump());
      if (meant != words->second.end()) mapped[name] = meant->second;
    }
    const bool is_time = name == "time" || name == "lease";
    if (is_time && value->is_number()) mapped[name] = value->get<double>() * map.milliseconds;
  }
  return mapped;
}

}  // namespace

sim::Result<TakenIn> taken_in_json_lines(std::string_view text, const std::string& file, std::string_view map,
                                         const std::string& map_file) {
  const auto understood = MapReader(map, map_file).read();
  if (!understood) return understood.problem();
  TakenIn taken;
  std::set<std::string> found;  // members of the map that some line has
  bool any = false;
  std::string ours;  // line for line, so that mistakes have their places
  for (std::size_t at = 0; at < text.size(); ours += '\n') {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    KeysOnce<TakenJson> keys;
    const TakenJson parsed = TakenJson::parse(line, std::ref(keys), false);
    if (!parsed.is_object() || keys.twice() || parsed.contains("lockstep")) {
      ours += line;  // empty, a head, or a mistake that the reader tells
      continue;
    }
    const TakenJson mapped = mapped_line(parsed, *understood);
    for (const auto& [name, value] : mapped.items()) found.insert(name);
    any = true;
    const bool says_nothing = !mapped.contains("type") || mapped["type"] == "";
    if (says_nothing) ++taken.left_out;
    else ours += mapped.dump(-1, ' ', false, TakenJson::error_handler_t::replace);
  }
  for (const auto& [name, way] : understood->members)
    if (any && !found.contains(name))
      return sim::Problem{fmt::format("{}no line of {} has `{}`, which is to be the `{}`",
                                      understood->places.at(name), reports::printable(file),
                                      reports::printable(way), name)};
  auto events = parse_json_lines(ours, file);
  if (!events) return events.problem();
  taken.events = *std::move(events);
  return taken;
}

std::string history_lines(const std::vector<RecordedEvent>& events) {
  std::string out = TakenJson{{"lockstep", "history"}, {"v", 1}}.dump() + "\n";
  for (const RecordedEvent& event : events) {
    TakenJson line{{"type", event.type}};
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) line[name] = value;
    };
    const auto add_time = [&](const char* name, const std::optional<histories::Time>& nanoseconds) {
      if (!nanoseconds) return;
      if (*nanoseconds % 1'000'000 == 0) line[name] = *nanoseconds / 1'000'000;
      else line[name] = static_cast<double>(*nanoseconds) / 1e6;
    };
    add("process", event.process);
    add("thread", event.thread);
    add("call", event.call);
    add("lock", event.lock);
    add("mode", event.mode);
    if (event.answer) line["answer"] = *event.answer;
    if (event.token) line["token"] = *event.token;
    add_time("lease", event.lease);
    add_time("time", event.time);
    out += line.dump(-1, ' ', false, TakenJson::error_handler_t::replace) + "\n";
  }
  return out;
}

}  // namespace lockstep::tools
