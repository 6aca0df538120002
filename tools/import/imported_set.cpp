#include "tools/import/imported_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lua/sha1.h"
#include "reports/text/text.h"
#include "scenarios/format/script_reader.h"

namespace lockstep::tools {

namespace {

using Json = nlohmann::ordered_json;

/// A basic string of TOML.
std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : reports::printable(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

/// "lock (getRawName())": the word that clients go by, and what Java says for it.
std::string words_text(const std::vector<std::string>& words, const std::vector<JavaWord>& java) {
  std::vector<std::string> both;
  for (std::size_t i = 0; i < words.size(); ++i)
    both.push_back(toml_text(fmt::format("{} ({})", words[i], java[i].told())));
  return fmt::format("[{}]", fmt::join(both, ", "));
}

std::string script_table(const PlacedScript& script) {
  const FoundScript& found = *script.found;
  return fmt::format(
      "\n[[script]]\nfile     = \"{0}.lua\"\nrole     = \"{0}\"\norigin   = {1}\nkeys     = {2}\nargs     = "
      "{3}\n"
      "replies  = {4}\n",
      script.role, toml_text(fmt::format("{}, {}:{}", found.name(), found.path, found.line)),
      words_text(script.keys, *found.keys), words_text(script.args, *found.args),
      toml_text("as " + found.answer + " reads them"));
}

std::string set_text(const std::string& set_name, const Placement& placement) {
  std::string text =
      "# Imported from Java sources by `lockstep import`. Each .lua file holds the bytes that go over the "
      "wire;\n"
      "# imported.json says where they stand, and what else was found.\nformat = 1\n";
  for (const PlacedScript& script : placement.placed) text += script_table(script);
  text += fmt::format("\n[set.{}]\n", toml_text(set_name));
  for (const PlacedScript& script : placement.placed) text += fmt::format("{0} = \"{0}.lua\"\n", script.role);
  return text;
}

Json words_json(const std::optional<std::vector<JavaWord>>& words) {
  if (!words) return nullptr;
  Json list = Json::array();
  for (const JavaWord& word : *words) list.push_back(word.told());
  return list;
}

/// `found` and `left_out` are in one order, and so is what is placed, once it is sorted by script.
Json outcome_json(const FoundScript& one, const Placement& placement) {
  for (const PlacedScript& script : placement.placed) {
    const bool also = std::find(script.also.begin(), script.also.end(), &one) != script.also.end();
    if (script.found == &one || also)
      return {{"role", script.role}, {"key_words", script.keys}, {"arg_words", script.args}};
  }
  for (const LeftOut& left : placement.left_out)
    if (left.found == &one) return {{"left_out", left.why}};
  return {{"left_out", "its class is no lock's"}};
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::string import_record(const std::vector<FoundScript>& found, const Placement& placement) {
  Json list = Json::array();
  for (const FoundScript& one : found) {
    Json entry{{"path", one.path},     {"line", one.line},   {"class", one.type},   {"method", one.method},
               {"called", one.called}, {"under", one.under}, {"answer", one.answer}};
    if (one.text) entry["sha1"] = lua::sha1_hex(*one.text);
    if (one.text) entry["text"] = *one.text;
    entry["keys"] = words_json(one.keys);
    entry["args"] = words_json(one.args);
    entry.update(outcome_json(one, placement));
    list.push_back(std::move(entry));
  }
  const Json record{{"format", 1}, {"scripts", std::move(list)}};
  return record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

sim::Result<Files> imported_files(const std::string& set_name, const std::vector<FoundScript>& found,
                                  const Placement& placement) {
  Files files{{"set.toml", set_text(set_name, placement)},
              {"imported.json", import_record(found, placement)}};
  for (const PlacedScript& script : placement.placed) files[script.role + ".lua"] = *script.found->text;
  const scenarios::FileLoader load = [&](const std::string& path) -> sim::Result<std::string> {
    const auto file = files.find(path.substr(path.rfind('/') + 1));
    if (file == files.end()) return sim::Problem{"there is no such file"};
    return file->second;
  };
  const auto sets = scenarios::read_script_sets(files["set.toml"], "imported", load);
  if (!sets) return sets.problem();
  return files;
}

std::string import_report(const std::vector<FoundScript>& found, const Placement& placement) {
  std::string text = fmt::format("placed: {}\n", counted(placement.placed.size(), "script", "scripts"));
  for (const PlacedScript& script : placement.placed) {
    const FoundScript& one = *script.found;
    text += fmt::format("  {}  {}\n    {}:{}\n    sha1 {}\n    KEYS {}  ARGV {}\n", script.role,
                        reports::printable(one.name()), reports::printable(one.path), one.line,
                        lua::sha1_hex(*one.text), fmt::join(script.keys, " "), fmt::join(script.args, " "));
    for (const FoundScript* other : script.also)
      text += fmt::format("    the same: {}:{} {}\n", reports::printable(other->path), other->line,
                          reports::printable(other->name()));
  }
  text += fmt::format("left out: {}\n",
                      counted(placement.left_out.size(), "script of locks", "scripts of locks"));
  for (const LeftOut& left : placement.left_out)
    text += fmt::format("  {}:{}: {}: {}\n", reports::printable(left.found->path), left.found->line,
                        reports::printable(left.found->name()), reports::printable(left.why));
  const auto others =
      std::count_if(found.begin(), found.end(), [](const FoundScript& one) { return !one.of_lock; });
  if (others > 0)
    text += fmt::format("not of locks: {}\n", counted(static_cast<std::size_t>(others), "script", "scripts"));
  return text;
}

}  // namespace lockstep::tools
