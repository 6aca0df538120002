#include "scenarios/format/section_schemes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "lua/sha1.h"
#include "model/schemes/kind.h"
#include "model/schemes/written.h"
#include "model/server/server.h"
#include "scenarios/embedded.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/scheme_words.h"
#include "scenarios/format/section_servers.h"
#include "scenarios/format/step_text.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::Described;
using model::Retry;
using model::Scheme;
using model::Template;
using sim::Duration;

namespace {

/// Whether a text of these names who holds the lock.
bool names_holder(const Template& text) {
  return text.has(Template::Name::owner) || text.has(Template::Name::token);
}

/// Reads one [scheme.NAME].
class SchemeReader {
 public:
  SchemeReader(TomlReading& reading, const ScriptLibrary& library, const toml::key& key,
               const toml::table& table)
      : reading_(reading),
        library_(library),
        key_(key),
        table_(table),
        where_(fmt::format("[scheme.{}]", key.str())) {}

  Scheme read();

 private:
  std::vector<Described> requests(std::string_view key, Part part);
  Described request(const toml::table& table, Part part);
  void script(const toml::table& table, Described& asked);
  void rules(const toml::table& table, Part part, Described& asked);
  std::vector<Template> templates(const toml::table& table, std::string_view key);
  void renewal();
  void retry();
  void holder();
  void check_replies(const toml::node& node, const std::vector<Described>& all);
  void missing(std::string_view what, std::string hint);

  TomlReading& reading_;
  const ScriptLibrary& library_;
  const toml::key& key_;
  const toml::table& table_;
  std::string where_;
  Scheme scheme_;
};

void SchemeReader::missing(std::string_view what, std::string hint) {
  reading_.fail(reading_.place_of(key_), fmt::format("{} wants `{}`", where_, what), std::move(hint));
}

std::vector<Template> SchemeReader::templates(const toml::table& table, std::string_view key) {
  std::vector<Template> found;
  for (const auto* text : reading_.texts(table, key))
    found.push_back(read_template(reading_, *text, text->get(), 0));
  return found;
}

void SchemeReader::script(const toml::table& table, Described& asked) {
  const auto* file = reading_.text(table, "script");
  if (file == nullptr) return;
  const sim::Result<lua::Script> found = find_script(file->get(), library_);
  if (!found.ok()) return reading_.fail(reading_.place_of(*file), found.problem());
  asked.script = *found;
  asked.keys = templates(table, "keys");
  asked.args = templates(table, "args");
  for (const Template& key : asked.keys) asked.script->keys.push_back(print(key));
  for (const Template& arg : asked.args) asked.script->args.push_back(print(arg));
  if (const auto unsent = unsent_word(*asked.script))
    reading_.fail(reading_.place_of(*file), *unsent, "say in `keys` and `args` what it is sent");
  asked.script->keys.clear();
  asked.script->args.clear();
}

void SchemeReader::rules(const toml::table& table, Part part, Described& asked) {
  const toml::table* replies = reading_.table(table, "reply");
  if (replies == nullptr) return;
  for (auto&& [pattern, node] : *replies) {
    const auto* word = node.as_string();
    if (word == nullptr) {
      reading_.wants(node, pattern.str(), "what the reply means, such as \"granted\"");
      continue;
    }
    model::ReplyRule rule = read_pattern(reading_, pattern);
    std::vector<std::string> known;
    for (const MeaningWord& one : meaning_words()) {
      if (one.part != part) continue;
      known.emplace_back(one.word);
      if (one.word != word->get()) continue;
      rule.meanings = one.meanings;
      rule.takes_wait = one.takes_wait;
      rule.word = one.word;
    }
    if (rule.meanings.empty())
      reading_.fail(reading_.place_of(*word), fmt::format("no reply here means `{}`", word->get()),
                    did_you_mean(word->get(), known, "it is " + either(known)));
    asked.rules.push_back(std::move(rule));
  }
}

Described SchemeReader::request(const toml::table& table, Part part) {
  Described asked;
  const Place place = reading_.place_of(table);
  asked.place = fmt::format("{}:{}:{}", reading_.source().file, place.line, place.column);
  const auto* send = reading_.text(table, "send");
  if (send != nullptr) asked.words = read_command(reading_, *send);
  if (send != nullptr && is_of_connection(asked))
    reading_.fail(reading_.place_of(*send),
                  fmt::format("`{}` is about a connection, and a request of a scheme has none of its own",
                              print(asked.words.front())),
                  "a script does it in one request");
  script(table, asked);
  if ((table.get("send") != nullptr) == (table.get("script") != nullptr))
    reading_.fail(
        place, "a request wants either `send`, a command, or `script`, a file",
        "{ send = \"SET {lock} {token} NX PX {lease}\", reply = { OK = \"granted\", nil = \"refused\" } }");
  if (table.get("reply") == nullptr) reading_.fail(place, "a request wants `reply`: what each reply means");
  rules(table, part, asked);
  return asked;
}

std::vector<Described> SchemeReader::requests(std::string_view key, Part part) {
  std::vector<Described> all;
  const toml::node* node = table_.get(key);
  if (node == nullptr) return all;
  const auto add = [&](const toml::node& one) {
    const toml::table* table = one.as_table();
    if (table == nullptr) return reading_.wants(one, key, "a table, or a list of tables");
    reading_.only(*table, fmt::format("`{}`", key), {"send", "script", "keys", "args", "reply"});
    all.push_back(request(*table, part));
  };
  if (const toml::array* list = node->as_array())
    for (const toml::node& one : *list) add(one);
  else add(*node);
  check_replies(*node, all);
  return all;
}

/// Commands that answer otherwise than by what the rules read.
void SchemeReader::check_replies(const toml::node& node, const std::vector<Described>& all) {
  if (reading_.failed()) return;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string unread = unread_reply(all[i]);
    const toml::node& at = node.is_array() ? *node.as_array()->get(i) : node;
    if (!unread.empty())
      reading_.fail(reading_.place_of(at), fmt::format("no rule of `reply` reads what `{}` may answer: {}",
                                                       print_command(all[i].words), unread));
  }
}

void SchemeReader::renewal() {
  const toml::table* table = reading_.table(table_, "renew");
  if (table == nullptr) return;
  reading_.only(*table, "`renew`", {"every", "send", "script", "keys", "args", "reply"});
  scheme_.renew = request(*table, Part::renew);
  check_replies(*table, {*scheme_.renew});
  if (table->get("every") == nullptr)
    reading_.fail(reading_.place_of(*table), "`renew` wants `every`, the time between two of them");
  positive(reading_, *table, "every", scheme_.renew_every);
}

void SchemeReader::retry() {
  const toml::table* table = reading_.table(table_, "retry");
  if (table == nullptr) return;
  reading_.only(*table, "`retry`", {"poll", "back-off", "most", "jitter", "channel", "at-latest", "times"});
  Retry& retry = scheme_.retry;
  const bool polls = table->get("poll") != nullptr, backs_off = table->get("back-off") != nullptr,
             listens = table->get("channel") != nullptr;
  if (polls + backs_off + listens != 1)
    return reading_.fail(reading_.place_of(*table), "`retry` is one of `poll`, `back-off` and `channel`");
  retry.how = polls ? Retry::How::poll : backs_off ? Retry::How::back_off : Retry::How::channel;
  positive(reading_, *table, polls ? "poll" : backs_off ? "back-off" : "at-latest", retry.first);
  if (listens && table->get("at-latest") == nullptr) retry.first = Duration{5'000};
  retry.most = backs_off ? retry.first * 16 : Duration::zero();
  if (backs_off) positive(reading_, *table, "most", retry.most);
  retry.jitter = reading_.duration(*table, "jitter").value_or(Duration::zero());
  retry.times = static_cast<std::uint32_t>(reading_.integer(*table, "times", 1, 1'000).value_or(0));
  if (const auto* channel = reading_.text(*table, "channel"))
    retry.channel = read_template(reading_, *channel, channel->get(), 0);
}

void SchemeReader::holder() {
  const toml::table* table = reading_.table(table_, "holder");
  if (table == nullptr) {
    if (table_.get("holder") == nullptr)
      missing("holder", "who holds the lock: `holder = { string = \"{token}\" }`");
    return;
  }
  model::HolderRule& rule = scheme_.holder;
  std::vector<std::string> forms, known{"key", "field"};
  for (const FormWord& form : holder_forms()) forms.emplace_back(form.word);
  known.insert(known.end(), forms.begin(), forms.end());
  reading_.only(*table, "`holder`", known);
  rule.key = {{{Template::Name::lock, {}}}};
  if (const auto* key = reading_.text(*table, "key")) rule.key = read_template(reading_, *key, key->get(), 0);
  std::size_t said = 0;
  for (const FormWord& form : holder_forms())
    if (const auto* text = reading_.text(*table, form.word)) {
      rule.form = form.form;
      rule.value = read_template(reading_, *text, text->get(), 0);
      ++said;
    }
  const bool in_field = said == 0 && table->get("field") != nullptr;
  if (in_field) rule.form = model::Stored::Form::hash;
  if (const auto* field = reading_.text(*table, "field"))
    rule.field = read_template(reading_, *field, field->get(), 0);
  const Place place = reading_.place_of(*table);
  if (said != 1 && !in_field)
    return reading_.fail(place, "`holder` says in one form where the holder stands",
                         "it is " + either(forms) + ", or `field` of a hash");
  if (!names_holder(in_field ? rule.field : rule.value))
    reading_.fail(place, "`holder` names no one: it wants {owner} or {token} in what is stored");
}

Scheme SchemeReader::read() {
  reading_.only(table_, where_,
                {"says", "server", "on", "lease", "drift", "timeout", "reentrant", "acquire", "release",
                 "undo", "renew", "retry", "holder"});
  scheme_.name = std::string(key_.str());
  if (!is_name(scheme_.name) || scheme_.name.find(':') != std::string::npos)
    reading_.fail(reading_.place_of(key_), fmt::format("`{}` is no name for a scheme", scheme_.name));
  for (const model::LockKind* kind : all_written_kinds())
    if (kind->name == scheme_.name)
      reading_.fail(reading_.place_of(key_), fmt::format("`{}` is a kind of lock already", scheme_.name));
  scheme_.says = reading_.string(table_, "says").value_or("");
  scheme_.server = read_server(reading_, table_);
  if (const auto on = reading_.word(table_, "on", on_words)) scheme_.on = static_cast<Scheme::On>(*on);
  positive(reading_, table_, "lease", scheme_.lease);
  positive(reading_, table_, "timeout", scheme_.timeout);
  scheme_.drift = reading_.duration(table_, "drift").value_or(Duration::zero());
  scheme_.reentrant = reading_.boolean(table_, "reentrant").value_or(false);
  scheme_.acquire = requests("acquire", Part::acquire);
  scheme_.release = requests("release", Part::release);
  scheme_.undo = requests("undo", Part::release);
  if (scheme_.undo.empty() && scheme_.on != Scheme::On::one) scheme_.undo = scheme_.release;
  const auto lacks = [&](std::string_view key, const std::vector<Described>& all) {
    const toml::node* node = table_.get(key);
    return all.empty() && (node == nullptr || node->is_array());
  };
  if (lacks("acquire", scheme_.acquire)) missing("acquire", "the requests that take the lock");
  if (lacks("release", scheme_.release)) missing("release", "the requests that give it back");
  renewal();
  retry();
  holder();
  return std::move(scheme_);
}

std::string text_of_requests(const std::vector<Described>& all) {
  std::string out;
  for (const Described& asked : all) {
    std::string one = asked.script ? fmt::format("script = {}", toml_text(asked.script->file))
                                   : fmt::format("send = {}", toml_text(print_command(asked.words)));
    const auto list = [&](std::string_view key, const std::vector<Template>& texts) {
      std::string items;
      for (const Template& text : texts) items += (items.empty() ? "" : ", ") + toml_text(print(text));
      if (!texts.empty()) one += fmt::format(", {} = [{}]", key, items);
    };
    list("keys", asked.keys);
    list("args", asked.args);
    std::string rules;
    for (const model::ReplyRule& rule : asked.rules)
      rules += fmt::format("{}{} = {}", rules.empty() ? "" : ", ", toml_text(print_pattern(rule)),
                           toml_text(rule.word));
    out += fmt::format("{}{{ {}, reply = {{ {} }} }}", out.empty() ? "" : ", ", one, rules);
  }
  return "[" + out + "]";
}

std::string text_of_retry(const Retry& retry) {
  std::string out;
  if (retry.how == Retry::How::poll) out = fmt::format("poll = \"{}\"", print(retry.first));
  if (retry.how == Retry::How::back_off)
    out = fmt::format("back-off = \"{}\", most = \"{}\"", print(retry.first), print(retry.most));
  if (retry.how == Retry::How::channel)
    out =
        fmt::format("at-latest = \"{}\", channel = {}", print(retry.first), toml_text(print(retry.channel)));
  if (retry.jitter > Duration::zero()) out += fmt::format(", jitter = \"{}\"", print(retry.jitter));
  if (retry.times > 0) out += fmt::format(", times = {}", retry.times);
  return "{ " + out + " }";
}

std::string text_of_holder(const model::HolderRule& rule) {
  std::string out = fmt::format("key = {}", toml_text(print(rule.key)));
  if (!rule.field.pieces.empty()) out += fmt::format(", field = {}", toml_text(print(rule.field)));
  for (const FormWord& form : holder_forms())
    if (form.form == rule.form && !rule.value.pieces.empty())
      out += fmt::format(", {} = {}", form.word, toml_text(print(rule.value)));
  return "{ " + out + " }";
}

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

void read_table(TomlReading& reading, const toml::table& document, const ScriptLibrary& library,
                std::map<std::string, Scheme>& found) {
  const toml::table* table = reading.table(document, "scheme");
  if (table == nullptr) return;
  for (auto&& [key, node] : *table) {
    const toml::table* its = node.as_table();
    if (its == nullptr) {
      reading.wants(node, key.str(), "a table");
      continue;
    }
    Scheme scheme = SchemeReader(reading, library, key, *its).read();
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

sim::Result<Found> schemes_of(std::string_view text, const std::string& file, const ScriptLibrary& library) {
  Found found;
  TomlReading own(text, file);
  const std::optional<toml::table> document = own.parse("a scheme");
  if (document) {
    own.only(*document, "", {"format", "scheme"});
    read_table(own, *document, beside_file(library, file), found);
  }
  if (own.failed()) return own.problem();
  return found;
}

void read_file(TomlReading& reading, const toml::value<std::string>& word, const ScriptLibrary& library,
               Found& found) {
  const Place place = reading.place_of(word);
  const sim::Result<std::string> text = text_of_file(word.get(), library);
  if (!text.ok()) return reading.fail(place, fmt::format("`schemes`: {}", text.problem().text));
  const sim::Result<Found> more = schemes_of(*text, word.get(), library);
  if (!more.ok()) return reading.fail(place, more.problem());
  for (const auto& [name, scheme] : *more)
    if (!found.emplace(name, scheme).second)
      reading.fail(place, fmt::format("two schemes are called `{}`", name));
}

}  // namespace

sim::Result<std::vector<const model::LockKind*>> schemes_in(std::string_view text, const std::string& file,
                                                            const ScriptLibrary& library) {
  const sim::Result<Found> found = schemes_of(text, file, library);
  if (!found.ok()) return found.problem();
  std::vector<const model::LockKind*> kinds;
  for (const auto& [name, scheme] : *found) kinds.push_back(kind_of_scheme(scheme));
  return kinds;
}

void read_schemes(TomlReading& reading, const toml::table& document, const ScriptLibrary& library,
                  model::Setup& setup) {
  setup.kinds.assign(model::shipped_kinds().begin(), model::shipped_kinds().end());
  Found found;
  for (const auto* word : reading.texts(document, "schemes")) {
    if (const model::LockKind* kind = written_kind(word->get())) setup.kinds.push_back(kind);
    else read_file(reading, *word, library, found);
  }
  read_table(reading, document, library, found);
  if (reading.failed()) return;
  for (const auto& [name, scheme] : found) setup.kinds.push_back(kind_of_scheme(scheme));
}

std::string print_scheme(const Scheme& scheme) {
  std::string out = fmt::format("\n[scheme.{}]\n", scheme.name);
  out += fmt::format("acquire = {}\n", text_of_requests(scheme.acquire));
  if (scheme.drift > Duration::zero()) out += fmt::format("drift = \"{}\"\n", print(scheme.drift));
  out += fmt::format("holder = {}\n", text_of_holder(scheme.holder));
  out += fmt::format("lease = \"{}\"\n", print(scheme.lease));
  out += fmt::format("on = \"{}\"\n", on_words[static_cast<std::size_t>(scheme.on)]);
  if (scheme.reentrant) out += "reentrant = true\n";
  out += fmt::format("release = {}\n", text_of_requests(scheme.release));
  if (scheme.renew) {
    std::string request = text_of_requests({*scheme.renew});
    out += fmt::format("renew = {{ every = \"{}\", {}\n", print(scheme.renew_every),
                       request.substr(3, request.size() - 4));
  }
  out += fmt::format("retry = {}\n", text_of_retry(scheme.retry));
  if (!scheme.says.empty()) out += fmt::format("says = {}\n", toml_text(scheme.says));
  if (scheme.server != nullptr) out += fmt::format("server = \"{}\"\n", scheme.server->name);
  out += fmt::format("timeout = \"{}\"\n", print(scheme.timeout));
  if (!scheme.undo.empty()) out += fmt::format("undo = {}\n", text_of_requests(scheme.undo));
  return out;
}

void print_schemes(std::string& out, const model::Setup& setup) {
  for (const model::LockKind* kind : setup.kinds)
    if (kind->scheme != nullptr) out += print_scheme(*kind->scheme);
}

}  // namespace lockstep::scenarios
