#include "scenarios/format/include.h"

#include <fmt/format.h>

#include <filesystem>

namespace lockstep::scenarios {

namespace {

using std::filesystem::path;

/// Into a table that says more.
void merge(toml::table& into, toml::table&& from) {
  for (auto&& [key, node] : from) {
    toml::node* there = into.get(key.str());
    if (there == nullptr) into.insert(key, std::move(node));
    else if (there->is_table() && node.is_table()) merge(*there->as_table(), std::move(*node.as_table()));
  }
}

/// A path in a file of that folder, as the including file would write it.
void rebase(toml::node& node, const path& folder, bool always_path) {
  toml::value<std::string>* text = node.as_string();
  if (text == nullptr || folder.empty() || text->get().starts_with('/')) return;
  if (always_path || text->get().starts_with('.') || text->get().find('/') != std::string::npos)
    *text = (folder / text->get()).string();
}

/// A set is a name or a folder; the other keys of a table of scripts are files.
void rebase_scripts(toml::table& owner, const path& folder) {
  toml::node* scripts = owner.get("scripts");
  if (scripts == nullptr) return;
  rebase(*scripts, folder, false);
  if (toml::table* table = scripts->as_table())
    for (auto&& [key, node] : *table) rebase(node, folder, key.str() != "set");
}

/// Of requests of schemes, wherever they stand.
void rebase_requests(toml::node& node, const path& folder) {
  if (toml::array* list = node.as_array())
    for (toml::node& one : *list) rebase_requests(one, folder);
  if (toml::table* table = node.as_table())
    for (auto&& [key, one] : *table) {
      if (key.str() == "script") rebase(one, folder, false);
      else rebase_requests(one, folder);
    }
}

void rebase_all_scripts(toml::table& included, const path& folder) {
  rebase_scripts(included, folder);
  if (toml::node* schemes = included.get("scheme")) rebase_requests(*schemes, folder);
  if (toml::table* processes = included["process"].as_table())
    for (auto&& [name, process] : *processes)
      if (toml::table* table = process.as_table()) rebase_scripts(*table, folder);
}

bool same_file(const path& a, const path& b) { return a.lexically_normal() == b.lexically_normal(); }

}  // namespace

bool merge_included(TomlReading& reading, toml::table& document, const FileLoader& load, IncludedFile& file) {
  const auto* word = reading.text(document, "include");
  if (word == nullptr) return !reading.failed();
  const Place place = reading.place_of(*word);
  const path own(reading.source().file), named(word->get());
  const path full = named.is_absolute() ? named : own.parent_path() / named;
  const auto refused = [&](const Place& where, std::string what) {
    reading.fail(where, std::move(what));
    return false;
  };
  if (same_file(full, own)) return refused(place, "a file cannot include itself");
  auto text = load ? load(word->get()) : sim::Result<std::string>(sim::Problem{"there are no files here"});
  if (!text) return refused(place, fmt::format("`include`: {}", text.problem().text));
  file = {full.string(), *std::move(text)};
  auto included = reading.parse_included("a scenario", file.text, file.path);
  if (!included) return false;
  if (const toml::node* again = included->get("include")) {
    const auto* back = again->as_string();
    const bool cycle = back != nullptr && same_file(full.parent_path() / back->get(), own);
    return refused(reading.place_of(*again), cycle ? "the two files include each other"
                                                   : "an included file may not include another one");
  }
  included->erase("name");
  rebase_all_scripts(*included, named.parent_path());
  document.erase("include");
  merge(document, *std::move(included));
  return true;
}

}  // namespace lockstep::scenarios
