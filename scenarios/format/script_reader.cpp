#include "scenarios/format/script_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lua/engine/engine.h"
#include "lua/scripts/embedded_scripts.h"
#include "lua/scripts/words_read.h"
#include "model/client/lock_kind.h"
#include "model/redisson/versions.h"
#include "scenarios/embedded.h"
#include "scenarios/format/reader.h"
#include "scenarios/format/suggest.h"
#include "scenarios/format/toml_reading.h"

namespace lockstep::scenarios {

using lua::Script;
using lua::ScriptSet;
using sim::Problem;
using sim::Result;

namespace {

constexpr std::size_t script_max = 1024 * 1024;

template <class V>
std::vector<std::string> names_in(const std::map<std::string, V>& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

/// The bytes of a script, or a clause: "the script X is empty".
Result<std::string> load_script(const std::string& path, const FileLoader& load) {
  if (!load) return Problem{fmt::format("the script file {} cannot be read here", path)};
  Result<std::string> bytes = load(path);
  if (!bytes.ok()) return Problem{fmt::format("cannot read the script {}: {}", path, bytes.problem().text)};
  if (bytes->find_first_not_of(" \t\r\n") == std::string::npos)
    return Problem{fmt::format("the script {} is empty", path)};
  if (bytes->size() > script_max) return Problem{fmt::format("the script {} is larger than 1 MiB", path)};
  if (bytes->find('\0') != std::string::npos)
    return Problem{fmt::format("the script {} is a binary file", path)};
  if (bytes->front() == '\x1b')
    return Problem{fmt::format("the script {} is compiled Lua; Redis takes source only", path)};
  return bytes;
}

}  // namespace

std::optional<std::string> unsent_word(const Script& script) {
  const lua::WordsRead read = lua::words_read(script.text);
  const auto clause = [&](std::string_view table, std::size_t number, const std::vector<std::string>& sent) {
    return fmt::format("the script {} reads {}[{}], and the role `{}` is sent {} of them{}{}", script.file,
                       table, number, script.role, sent.size(), sent.empty() ? "" : ": ",
                       fmt::join(sent, ", "));
  };
  if (read.keys > script.keys.size()) return clause("KEYS", read.keys, script.keys);
  if (read.args > script.args.size()) return clause("ARGV", read.args, script.args);
  return std::nullopt;
}

namespace {

/// Reads the tables of one set.toml.
class SetFile {
 public:
  SetFile(std::string_view text, const std::string& directory, std::string_view file, const FileLoader& load)
      : reading_(text, file), directory_(directory), load_(load) {}

  Result<std::map<std::string, ScriptSet>> read();

  /// Every script that was described, by file name.
  std::vector<Script> scripts() const {
    std::vector<Script> all;
    for (const auto& [file, script] : scripts_) all.push_back(script);
    return all;
  }

 private:
  void script(const toml::node& node);
  void set(const toml::key& key, const toml::node& node);
  void complete(const std::string& name);
  std::vector<std::string> strings(const toml::table& table, std::string_view key);
  std::vector<std::string> first_words(const toml::table& table, std::string_view key);

  TomlReading reading_;
  const std::string& directory_;
  const FileLoader& load_;
  std::map<std::string, Script> scripts_;  // by `file`
  std::map<std::string, ScriptSet> sets_;
  std::map<std::string, std::pair<std::string, Place>>
      likes_;  // by set: whose scripts serve where it has none
};

std::vector<std::string> SetFile::strings(const toml::table& table, std::string_view key) {
  std::vector<std::string> found;
  for (const auto* text : reading_.texts(table, key)) found.push_back(text->get());
  return found;
}

std::vector<std::string> SetFile::first_words(const toml::table& table, std::string_view key) {
  std::vector<std::string> found = strings(table, key);
  for (std::string& text : found) text = text.substr(0, text.find_first_of(" ,"));
  return found;
}

void SetFile::script(const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return reading_.wants(node, "script", "tables: [[script]]");
  reading_.only(*table, "[[script]]", {"file", "role", "origin", "keys", "args", "replies", "versions"});
  for (const char* key : {"file", "role"}) {
    if (table->get(key) == nullptr) {
      reading_.fail(reading_.place_of(node), fmt::format("a [[script]] wants its `{}`", key));
    }
  }
  const auto* file = reading_.text(*table, "file");
  if (file == nullptr) return;
  Script script;
  script.role = reading_.string(*table, "role").value_or("");
  script.file = directory_ + "/" + file->get();
  script.origin = reading_.string(*table, "origin").value_or("");
  script.keys = first_words(*table, "keys");
  script.args = first_words(*table, "args");
  script.replies = reading_.string(*table, "replies").value_or("");
  script.versions = reading_.string(*table, "versions").value_or("");
  if (file->get().find("..") != std::string::npos || file->get().starts_with('/')) {
    return reading_.fail(reading_.place_of(*file),
                         "`file` lies beside set.toml: no `..`, and no `/` in front");
  }
  const Result<std::string> bytes = load_script(script.file, load_);
  if (!bytes.ok()) return reading_.fail(reading_.place_of(*file), bytes.problem());
  script.text = *bytes;
  script.sha1 = lua::sha1_hex(script.text);
  if (const auto unsent = unsent_word(script))
    return reading_.fail(reading_.place_of(*file), *unsent,
                         "name what its KEYS and ARGV stand for in `keys` and `args`");
  if (!scripts_.emplace(file->get(), std::move(script)).second) {
    reading_.fail(reading_.place_of(*file), fmt::format("`{}` is described twice", file->get()));
  }
}

void SetFile::set(const toml::key& key, const toml::node& node) {
  const std::string name(key.str());
  const toml::table* table = node.as_table();
  if (table == nullptr) return reading_.wants(node, name, "a table");
  if (name.find_first_of("+=# \t/") != std::string::npos || name.empty()) {
    return reading_.fail(reading_.place_of(key), fmt::format("`{}` is no name for a script set", name));
  }
  ScriptSet set{.name = name, .stored = {}, .roles = {}};
  for (auto&& [role_key, value] : *table) {
    const std::string role(role_key.str());
    const auto* text = reading_.text(*table, role);
    if (text == nullptr) continue;
    if (role == "like") {
      likes_[name] = {text->get(), reading_.place_of(value)};
      continue;
    }
    if (role == "stored") {
      set.stored = text->get();
      const std::vector<std::string> known = model::names_of_shapes();
      if (std::find(known.begin(), known.end(), set.stored) == known.end())
        reading_.fail(reading_.place_of(value), fmt::format("no lock is stored as `{}`", set.stored),
                      did_you_mean(set.stored, known, "it is " + either(known)));
      continue;
    }
    const auto found = scripts_.find(text->get());
    if (found == scripts_.end()) {
      const std::vector<std::string> known = names_in(scripts_);
      reading_.fail(reading_.place_of(value), fmt::format("unknown script `{}`", text->get()),
                    did_you_mean(text->get(), known));
      continue;
    }
    if (found->second.role != role) {
      reading_.fail(reading_.place_of(role_key),
                    fmt::format("script `{}` does not serve as `{}`", text->get(), role),
                    fmt::format("its role is `{}`", found->second.role));
      continue;
    }
    set.roles[role] = found->second;
  }
  sets_[name] = std::move(set);
}

/// Puts in what a set has from the one that it is like, which may be like another.
void SetFile::complete(const std::string& name) {
  const auto found = likes_.find(name);
  if (found == likes_.end()) return;
  const auto [other, place] = found->second;
  likes_.erase(found);
  if (!sets_.contains(other) || other == name)
    return reading_.fail(place, fmt::format("no other set `{}` to be like", other),
                         did_you_mean(other, names_in(sets_)));
  complete(other);
  const ScriptSet usual = sets_.at(other);
  ScriptSet& set = sets_.at(name);
  set.roles.insert(usual.roles.begin(), usual.roles.end());
  if (set.stored.empty()) set.stored = usual.stored;
}

Result<std::map<std::string, ScriptSet>> SetFile::read() {
  const std::optional<toml::table> document = reading_.parse("a script set");
  if (!document) return reading_.problem();
  reading_.only(*document, "", {"format", "script", "set"});
  const toml::node* format = document->get("format");
  if (format == nullptr) {
    reading_.fail({1, 1, 1}, "a script set begins with `format = 1`");
  } else if (const auto* number = format->as_integer(); number == nullptr || number->get() != 1) {
    reading_.fail(reading_.place_of(*format), "`format` wants 1: this program reads no other");
  }
  if (const toml::array* scripts = reading_.array(*document, "script", "tables: [[script]]")) {
    for (const toml::node& node : *scripts) script(node);
  }
  if (const toml::table* sets = reading_.table(*document, "set")) {
    for (auto&& [key, node] : *sets) set(key, node);
    for (const std::string& name : names_in(sets_)) complete(name);
  }
  if (reading_.failed()) return reading_.problem();
  if (sets_.empty()) return problem_of_file(reading_.source(), "names no script set: it has no [set.NAME]");
  return sets_;
}

bool is_directory_word(const std::string& word) {
  return word.find('/') != std::string::npos || (!word.empty() && word.front() == '.');
}

Result<ScriptSet> set_of_directory(const std::string& word, const ScriptLibrary& library) {
  const std::size_t hash = word.find('#');
  std::string directory = word.substr(0, hash);
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  const std::string path = directory + "/set.toml";
  if (!library.load) return Problem{fmt::format("the script set {} cannot be read here", path)};
  const Result<std::string> text = library.load(path);
  if (!text.ok()) return Problem{fmt::format("cannot read the script set {}: {}", path, text.problem().text)};
  Result<std::map<std::string, ScriptSet>> sets = read_script_sets(*text, directory, library.load);
  if (!sets.ok()) return sets.problem();
  const std::vector<std::string> names = names_in(*sets);
  std::string wanted = hash == std::string::npos ? "" : word.substr(hash + 1);
  if (wanted.empty() && names.size() == 1) wanted = names.front();
  const auto found = sets->find(wanted);
  if (found == sets->end()) {
    return Problem{
        wanted.empty()
            ? fmt::format("{} has several script sets; write {}#SET with {}", path, directory, either(names))
            : fmt::format("{} has no script set `{}`; it has {}", path, wanted, either(names))};
  }
  ScriptSet set = found->second;
  set.name = directory + "#" + wanted;
  return set;
}

/// "redisson@3.40.1": the scripts of the newest set that is no newer, under the release's own name.
std::optional<ScriptSet> set_of_release(const std::string& word, const ScriptLibrary& library) {
  constexpr std::string_view prefix = "redisson@";
  if (!word.starts_with(prefix) || !redisson::is_release(word.substr(prefix.size()))) return std::nullopt;
  std::optional<ScriptSet> chosen;
  for (const auto& [name, set] : library.sets)
    if (name.starts_with(prefix) && !natural_less(word, name) &&
        (!chosen || natural_less(chosen->name, name)))
      chosen = set;
  if (chosen) chosen->name = word;
  return chosen;
}

}  // namespace

Result<std::map<std::string, ScriptSet>> read_script_sets(std::string_view text, const std::string& directory,
                                                          const FileLoader& load) {
  const std::string file = directory + "/set.toml";
  return SetFile(text, directory, file, load).read();
}

Result<ScriptLibrary> built_in_scripts(FileLoader load) {
  const std::string directory = "lua/scripts";
  const auto embedded = [&](const std::string& path) -> Result<std::string> {
    for (const lua::EmbeddedFile& file : lua::embedded_scripts()) {
      if (fmt::format("{}/{}", directory, file.name) == path) return std::string(file.text);
    }
    return Problem{"it is not in this program"};
  };
  const FileLoader load_embedded = embedded;
  const std::string path = directory + "/set.toml";
  const Result<std::string> text = embedded(path);
  if (!text.ok()) return text.problem();
  SetFile file(*text, directory, path, load_embedded);
  Result<std::map<std::string, ScriptSet>> sets = file.read();
  if (!sets.ok()) return sets.problem();
  return ScriptLibrary{.sets = std::move(sets).value(), .load = std::move(load), .scripts = file.scripts()};
}

Result<ScriptSet> find_script_set(const std::string& word, const ScriptLibrary& library) {
  const auto found = library.sets.find(word);
  if (found != library.sets.end()) return found->second;
  if (is_directory_word(word)) return set_of_directory(word, library);
  if (auto set = set_of_release(word, library)) return *std::move(set);
  const std::vector<std::string> known = names_in(library.sets);
  constexpr std::string_view before = "redisson@";
  const bool release = word.starts_with(before) && word.find('.') != std::string::npos &&
                       word.find_first_not_of("0123456789.", before.size()) == std::string::npos;
  const std::string hint =
      release ? fmt::format("releases of Redisson from {} to {} are known", redisson::versions().front().name,
                            redisson::versions().back().name)
              : did_you_mean(word, known, known.empty() ? "" : "there are " + either(known));
  return Problem{fmt::format("unknown script set `{}`{}{}", word, hint.empty() ? "" : "; ", hint)};
}

Result<Script> find_script(const std::string& word, const ScriptLibrary& library) {
  Script script;
  for (const Script& shipped : library.scripts)
    if (shipped.file == word || shipped.file.ends_with("/" + word)) script = shipped;
  for (const EmbeddedFile& file : embedded_schemes())
    if (script.text.empty() && file.name == word)
      script = {.role = word, .file = word, .text = std::string(file.text), .sha1 = lua::sha1_hex(file.text)};
  if (script.text.empty()) {
    script.file = word.starts_with('/') ? word : library.folder + word;
    const Result<std::string> bytes = load_script(script.file, library.load);
    if (!bytes.ok()) return bytes.problem();
    script.text = *bytes;
    script.sha1 = lua::sha1_hex(script.text);
  }
  script.role = word;
  script.keys.clear();
  script.args.clear();
  return script;
}

SetName split_set_name(const std::string& name) {
  const std::size_t hash = name.rfind('#');
  std::size_t plus = name.find('+', hash == std::string::npos ? 0 : hash);
  SetName parts{.base = name.substr(0, plus), .replaced = {}};
  while (plus != std::string::npos) {
    const std::size_t next = name.find('+', plus + 1);
    parts.replaced.insert(name.substr(plus + 1, next - plus - 1));
    plus = next;
  }
  return parts;
}

Result<ScriptSet> replace_script(ScriptSet set, const std::string& role, const std::string& path,
                                 const FileLoader& load) {
  const auto found = set.roles.find(role);
  if (found == set.roles.end()) {
    const std::vector<std::string> known = names_in(set.roles);
    return Problem{fmt::format("script set {} has no role `{}`; {}", set.name, role,
                               did_you_mean(role, known, "it has " + either(known)))};
  }
  const Result<std::string> bytes = load_script(path, load);
  if (!bytes.ok()) return bytes.problem();
  Script& script = found->second;
  script.file = path;
  script.origin = path;
  script.text = *bytes;
  script.sha1 = lua::sha1_hex(script.text);
  if (const auto unsent = unsent_word(script)) return Problem{*unsent};
  script.versions.clear();
  SetName name = split_set_name(set.name);
  name.replaced.insert(role);
  set.name = name.base;
  for (const std::string& each : name.replaced) set.name += "+" + each;
  return set;
}

Result<ScriptSet> apply_override(ScriptSet set, const std::string& spec, const ScriptLibrary& library) {
  if (spec.empty()) return Problem{"--scripts wants SET, DIR or ROLE=FILE, not nothing"};
  const std::size_t equals = spec.find('=');
  if (equals == std::string::npos) return find_script_set(spec, library);
  return replace_script(std::move(set), spec.substr(0, equals), spec.substr(equals + 1), library.load);
}

}  // namespace lockstep::scenarios
