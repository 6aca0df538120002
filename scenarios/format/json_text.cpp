#include "scenarios/format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "scenarios/format/normalise.h"
#include "sim/base/byte_order_mark.h"

namespace lockstep::scenarios {

namespace {

using Json = nlohmann::ordered_json;

constexpr int depth_max = 32;

class AsToml {
 public:
  explicit AsToml(JsonText& out) : out_(out) { out_.toml = "# from JSON\n"; }

  /// Every value in the object on a line of its own, behind the keys that lead to it.
  void table(const Json& object, const std::vector<std::string>& above) {
    for (const auto& [key, value] : object.items()) {
      std::vector<std::string> keys = above;
      keys.push_back(key);
      if (value.is_object() && !value.empty()) {
        table(value, keys);
        continue;
      }
      std::string path;
      for (const std::string& one : keys) {
        if (!path.empty()) put(".");
        path += (path.empty() ? "" : ".") + one;
        mark(path);
        put(toml_text(one));
      }
      put(" = ");
      inline_value(value, path);
      out_.toml += "\n";
      ++line_;
      column_ = 1;
    }
  }

  /// The first value that TOML has no word for.
  const std::string& wrong() const { return wrong_; }

 private:
  void inline_value(const Json& value, const std::string& path) {
    mark(path);
    if (value.is_string()) return put(text_of(value.get<std::string>(), path));
    if (value.is_boolean() || value.is_number_integer()) return put(value.dump());
    if (value.is_number()) return put(number(value.get<double>()));
    if (value.is_array()) return inline_list(value, path);
    if (value.is_object()) return inline_table(value, path);
    if (wrong_.empty()) wrong_ = path;
    put("false");
  }
  void inline_list(const Json& list, const std::string& path) {
    put("[");
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) put(", ");
      inline_value(list[i], fmt::format("{}[{}]", path, i));
    }
    put("]");
  }
  void inline_table(const Json& object, const std::string& path) {
    put("{");
    bool first = true;
    for (const auto& [key, value] : object.items()) {
      const std::string inner = path + "." + key;
      put(first ? " " : ", ");
      first = false;
      mark(inner);
      put(toml_text(key) + " = ");
      inline_value(value, inner);
    }
    put(" }");
  }
  /// JSON has no dates.
  static std::string text_of(const std::string& text, const std::string& path) {
    const bool date = path == "time.epoch" && text.size() > 9 &&
                      text.find_first_not_of("0123456789-:.TZ+ ") == std::string::npos;
    return date ? text : toml_text(text);
  }
  static std::string number(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
  }
  void mark(const std::string& path) { out_.marks.push_back({line_, column_, path}); }
  void put(const std::string& text) {
    out_.toml += text;
    column_ += characters(text);
  }

  JsonText& out_;
  std::string wrong_;
  std::uint32_t line_ = 2, column_ = 1;
};

/// Looks on while the text is parsed.
struct Watch {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  std::string twice;
  bool too_deep = false;

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > depth_max) too_deep = true;
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second &&
        twice.empty())
      twice = parsed.get<std::string>();
    return true;
  }
};

Place place_of_byte(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 if there is none
  return {static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          characters(before.substr(line_begin)) + 1, 1, 0};
}

}  // namespace

std::string JsonText::path_at(const Place& place) const {
  std::string path;
  for (const Mark& mark : marks) {
    if (mark.line > place.line || (mark.line == place.line && mark.column > place.column)) break;
    if (mark.line == place.line) path = mark.path;
  }
  return path;
}

bool looks_like_json(const Source& source) {
  const std::string_view text = sim::without_mark(source.text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return source.file.ends_with(".json") || (first != std::string_view::npos && text[first] == '{');
}

sim::Result<JsonText> json_text(const Source& source) {
  Json document;
  Watch watch;
  try {  // nothing is thrown out of here
    document = Json::parse(source.text, std::ref(watch));
  } catch (const Json::parse_error& error) {
    return problem_at(source, place_of_byte(source.text, error.byte), "this is not JSON from here on");
  } catch (const Json::exception&) {  // a number without bounds
    return problem_of_file(source, "has a number that nothing can hold");
  }
  if (!document.is_object())
    return problem_of_file(source, "is JSON, but no object with the keys of a scenario");
  if (watch.too_deep) return problem_of_file(source, fmt::format("has more than {} levels", depth_max));
  if (!watch.twice.empty())
    return problem_of_file(source, fmt::format("has the key {} twice in one object", toml_text(watch.twice)));
  JsonText out;
  AsToml printer(out);
  printer.table(document, {});
  if (!printer.wrong().empty())
    return sim::Problem{
        fmt::format("error: a value is wanted, not null\n  --> {}: {}", source.file, printer.wrong())};
  return out;
}

}  // namespace lockstep::scenarios
