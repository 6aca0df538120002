#include "scenarios/format/section_schemes.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>

#include "lua/sha1.h"
#include "model/schemes/kind.h"
#include "model/schemes/written.h"
#include "scenarios/embedded.h"
#include "scenarios/format/scheme_reader.h"
#include "scenarios/format/section_servers.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::Described;
using model::Scheme;

namespace {

/// Equal schemes are one kind, for ever.
const model::LockKind* kind_of_scheme(const Scheme& scheme) {
  static std::mutex guard;
  static std::map<std::string, std::unique_ptr<const schemes::OwnKind>> kinds;
  std::string text = print_scheme(scheme) + scheme.says;
  for (const auto* all : {&scheme.acquire, &scheme.release, &scheme.undo})
    for (const Described& asked : *all) text += asked.script ? asked.script->text : "";
  if (scheme.renew && scheme.renew->script) text += scheme.renew->script->text;
  const std::lock_guard locked(guard);
  auto& its = kinds[text];
  if (its == nullptr) its = schemes::made_of(scheme);
  return &its->kind;
}

void read_table(TomlReading& reading, const toml::table& document, const Sources& sources,
                std::map<std::string, Scheme>& found) {
  const toml::table* table = reading.table(document, "scheme");
  if (table == nullptr) return;
  for (auto&& [key, node] : *table) {
    const toml::table* its = node.as_table();
    if (its == nullptr) {
      reading.wants(node, key.str(), "a table");
      continue;
    }
    Scheme scheme = read_scheme(reading, sources, key, *its);
    if (found.contains(scheme.name))
      reading.fail(reading.place_of(key), fmt::format("two schemes are called `{}`", scheme.name));
    found[scheme.name] = std::move(scheme);
  }
}

/// The text of a file of schemes: one of the user's, or one that comes with the program.
sim::Result<std::string> text_of_file(const std::string& word, const ScriptLibrary& library) {
  if (word.find('/') == std::string::npos && word.find('.') == std::string::npos) {
    std::vector<std::string> known;
    for (const model::LockKind* kind : schemes::kinds_of_servers()) known.emplace_back(kind->name);
    for (const EmbeddedFile& file : embedded_schemes()) {
      if (!file.name.ends_with(".scheme")) continue;
      const std::string_view name = file.name.substr(0, file.name.rfind('.'));
      if (name == word) return std::string(file.text);
      known.emplace_back(name);
    }
    return sim::Problem{fmt::format("unknown scheme `{}`; {}", word,
                                    did_you_mean(word, known, "there are " + either(known)))};
  }
  if (!library.load) return sim::Problem{"there are no files here"};
  return library.load(word);
}

/// The scripts of a scheme lie beside its file.
ScriptLibrary beside_file(const ScriptLibrary& library, const std::string& file) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string::npos || !library.load) return library;
  ScriptLibrary there = library;
  there.folder = file.substr(0, slash + 1);
  return there;
}

using Found = std::map<std::string, Scheme>;

sim::Result<Found> schemes_of(std::string_view text, const std::string& file, const Sources& sources) {
  Found found;
  TomlReading own(text, file);
  const std::optional<toml::table> document = own.parse("a scheme");
  if (document) {
    own.only(*document, "", {"format", "scheme"});
    const ScriptLibrary beside = beside_file(sources.library, file);
    read_table(own, *document, {beside, sources.properties}, found);
  }
  if (own.failed()) return own.problem();
  return found;
}

void read_file(TomlReading& reading, const toml::value<std::string>& word, const Sources& sources,
               Found& found) {
  const Place place = reading.place_of(word);
  const sim::Result<std::string> text = text_of_file(word.get(), sources.library);
  if (!text.ok()) return reading.fail(place, fmt::format("`schemes`: {}", text.problem().text));
  const sim::Result<Found> more = schemes_of(*text, word.get(), sources);
  if (!more.ok()) return reading.fail(place, more.problem());
  for (const auto& [name, scheme] : *more)
    if (!found.emplace(name, scheme).second)
      reading.fail(place, fmt::format("two schemes are called `{}`", name));
}

}  // namespace

sim::Result<std::vector<const model::LockKind*>> schemes_in(std::string_view text, const std::string& file,
                                                            const ScriptLibrary& library) {
  const sim::Result<Found> found = schemes_of(text, file, {library});
  if (!found.ok()) return found.problem();
  std::vector<const model::LockKind*> kinds;
  for (const auto& [name, scheme] : *found) kinds.push_back(kind_of_scheme(scheme));
  return kinds;
}

void read_schemes(TomlReading& reading, const toml::table& document, const ScriptLibrary& library,
                  const ScenarioVocabulary& vocabulary, model::Setup& setup) {
  const Sources sources{library, &vocabulary.properties};
  setup.kinds.assign(model::shipped_kinds().begin(), model::shipped_kinds().end());
  Found found;
  for (const auto* word : reading.texts(document, "schemes")) {
    if (const model::LockKind* kind = written_kind(word->get())) setup.kinds.push_back(kind);
    else read_file(reading, *word, sources, found);
  }
  read_table(reading, document, sources, found);
  if (reading.failed()) return;
  for (const auto& [name, scheme] : found) setup.kinds.push_back(kind_of_scheme(scheme));
}

}  // namespace lockstep::scenarios
