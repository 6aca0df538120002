#include "scenarios/format/scheme_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/client/lock_kind.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/scheme_words.h"
#include "scenarios/format/section_servers.h"
#include "scenarios/format/server_statements.h"
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
  SchemeReader(TomlReading& reading, const Sources& sources, const toml::key& key, const toml::table& table)
      : reading_(reading),
        library_(sources.library),
        properties_(sources.properties),
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
  std::vector<std::string> events(const toml::table& retry);
  void retry();
  void holder();
  Template one_name(const toml::value<std::string>& text, std::string_view what);
  std::vector<std::string> properties(std::string_view key);
  void check_replies(const toml::node& node, std::vector<Described>& all);
  void missing(std::string_view what, std::string hint);

  TomlReading& reading_;
  const ScriptLibrary& library_;
  const std::vector<std::string>* properties_;
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
  const bool holds = part != Part::renew && is_of_transaction(asked);
  if (send != nullptr && is_of_connection(asked) && !holds)
    reading_.fail(reading_.place_of(*send),
                  fmt::format("`{}` is about a connection, and a request of a scheme has none of its own",
                              print(asked.words.front())),
                  "a script does it in one request");
  const bool is_of_redis = scheme_.server == nullptr;
  if (send != nullptr && is_of_redis && !asked.words.empty() && (holds || !is_of_connection(asked)))
    if (const auto why = unsendable(asked)) reading_.fail(reading_.place_of(*send), *why);
  script(table, asked);
  if (const toml::node* said = send != nullptr ? table.get("send") : table.get("script");
      said != nullptr && !is_of_redis)
    if (const auto why = not_understood(*scheme_.server, asked))
      reading_.fail(reading_.place_of(*said), *why);
  for (const char* key : {"keys", "args"})
    if (table.get(key) != nullptr && table.get("script") == nullptr)
      reading_.fail(reading_.place_of(table.find(key)->first), fmt::format("`{}` is only for `script`", key));
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
  const auto endless = unending(all, part == Part::acquire ? "granted" : "released");
  if (endless && !reading_.failed())
    reading_.fail(reading_.place_of(node->is_array() ? *node->as_array()->get(endless->first) : *node),
                  endless->second);
  return all;
}

/// Transactions that are none, and commands that answer otherwise than by what the rules read.
void SchemeReader::check_replies(const toml::node& node, std::vector<Described>& all) {
  if (reading_.failed()) return;
  const auto place_of = [&](std::size_t i) -> const toml::node& {
    return node.is_array() ? *node.as_array()->get(i) : node;
  };
  if (const auto wrong = join_transactions(all))
    return reading_.fail(reading_.place_of(place_of(wrong->first)), wrong->second);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string unread =
        scheme_.server == nullptr ? unread_reply(all, i) : unread_answer(*scheme_.server, all[i]);
    const toml::node& at = place_of(i);
    if (!unread.empty())
      reading_.fail(reading_.place_of(at), fmt::format("no rule of `reply` reads what `{}` may answer: {}",
                                                       print_command(all[i].words), unread));
  }
}

void SchemeReader::renewal() {
  const toml::table* table = reading_.table(table_, "renew");
  if (table == nullptr) return;
  reading_.only(*table, "`renew`", {"every", "send", "script", "keys", "args", "reply"});
  std::vector<Described> one{request(*table, Part::renew)};
  check_replies(*table, one);
  scheme_.renew = std::move(one.front());
  if (table->get("every") == nullptr)
    reading_.fail(reading_.place_of(*table), "`renew` wants `every`, the time between two of them");
  positive(reading_, *table, "every", scheme_.renew_every);
}

/// The events of the lock's key that wake who waits.
std::vector<std::string> SchemeReader::events(const toml::table& retry) {
  std::vector<std::string> names;
  const std::vector<std::string>& known = key_events();
  for (const auto* event : reading_.texts(retry, "keyspace-event")) {
    if (std::find(known.begin(), known.end(), event->get()) == known.end())
      reading_.fail(reading_.place_of(*event),
                    fmt::format("no key of a lock has an event `{}`", event->get()),
                    did_you_mean(event->get(), known, "it is " + either(known)));
    names.push_back(event->get());
  }
  const toml::node* node = retry.get("keyspace-event");
  if (node != nullptr && names.empty() && !reading_.failed())
    reading_.fail(reading_.place_of(*node), "`keyspace-event` names the events that wake who waits",
                  "[\"del\", \"expired\"]");
  return names;
}

void SchemeReader::retry() {
  const toml::table* table = reading_.table(table_, "retry");
  if (table == nullptr) return;
  reading_.only(*table, "`retry`",
                {"poll", "back-off", "most", "jitter", "channel", "keyspace-event", "at-latest", "times"});
  Retry& retry = scheme_.retry;
  const bool polls = table->get("poll") != nullptr, backs_off = table->get("back-off") != nullptr,
             by_event = table->get("keyspace-event") != nullptr,
             listens = table->get("channel") != nullptr || by_event;
  if (polls + backs_off + listens != 1 || (by_event && table->get("channel") != nullptr))
    return reading_.fail(reading_.place_of(*table),
                         "`retry` is one of `poll`, `back-off`, `channel` and `keyspace-event`");
  if (listens && scheme_.server != nullptr)
    return reading_.fail(reading_.place_of(*table),
                         "who waits is told by Redis only; elsewhere it asks again");
  retry.how = polls       ? Retry::How::poll
              : backs_off ? Retry::How::back_off
              : by_event  ? Retry::How::keyspace_event
                          : Retry::How::channel;
  retry.events = events(*table);
  const auto is_only_for = [&](const char* key, bool fits, const char* what) {
    if (table->get(key) != nullptr && !fits)
      reading_.fail(reading_.place_of(table->find(key)->first),
                    fmt::format("`{}` is only for {}", key, what));
  };
  is_only_for("most", backs_off, "`back-off`");
  is_only_for("at-latest", listens, "`channel` and `keyspace-event`");
  is_only_for("jitter", !listens, "`poll` and `back-off`");
  positive(reading_, *table, polls ? "poll" : backs_off ? "back-off" : "at-latest", retry.first);
  if (listens && table->get("at-latest") == nullptr) retry.first = Duration{5'000};
  retry.most = backs_off ? retry.first * 16 : Duration::zero();
  if (backs_off) positive(reading_, *table, "most", retry.most);
  if (backs_off && retry.most < retry.first && !reading_.failed())
    reading_.fail(reading_.place_of(*table->get("most")), "`most` is less than the first sleep");
  retry.jitter = reading_.duration(*table, "jitter").value_or(Duration::zero());
  retry.times = static_cast<std::uint32_t>(reading_.integer(*table, "times", 1, 1'000).value_or(0));
  if (const auto* channel = reading_.text(*table, "channel")) retry.channel = one_name(*channel, "a channel");
}

/// Of what is called the same by all who want the lock.
Template SchemeReader::one_name(const toml::value<std::string>& text, std::string_view what) {
  Template name = read_template(reading_, text, text.get(), 0);
  using Name = Template::Name;
  if (name.pieces.empty()) reading_.fail(reading_.place_of(text), fmt::format("{} has a name", what));
  for (const auto& [word, stands_for] : model::template_names)
    if (stands_for != Name::lock && name.has(stands_for))
      reading_.fail(reading_.place_of(text),
                    fmt::format("{} is called the same by all: of the names in braces it has only {{lock}}, "
                                "not {{{}}}",
                                what, word));
  return name;
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
  if (const auto* key = reading_.text(*table, "key")) rule.key = one_name(*key, "the key of a lock");
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
  if (table->get("field") != nullptr && rule.form != model::Stored::Form::hash)
    reading_.fail(reading_.place_of(table->find("field")->first), "only a hash has a `field`");
  if (said != 1 && !in_field)
    return reading_.fail(place, "`holder` says in one form where the holder stands",
                         "it is " + either(forms) + ", or `field` of a hash");
  if (!names_holder(in_field ? rule.field : rule.value))
    reading_.fail(place, "`holder` names no one: it wants {owner} or {token} in what is stored");
}

/// What it promises, or is known not to keep.
std::vector<std::string> SchemeReader::properties(std::string_view key) {
  std::vector<std::string> names;
  for (const auto* name : reading_.texts(table_, key)) {
    const bool unknown = properties_ != nullptr && std::find(properties_->begin(), properties_->end(),
                                                             name->get()) == properties_->end();
    if (unknown)
      reading_.fail(reading_.place_of(*name), fmt::format("unknown property `{}`", name->get()),
                    did_you_mean(name->get(), *properties_, "`lockstep list properties` shows them"));
    names.push_back(name->get());
  }
  return names;
}

Scheme SchemeReader::read() {
  reading_.only(table_, where_,
                {"says", "promises", "weaknesses", "server", "on", "lease", "drift", "timeout", "reentrant",
                 "acquire", "release", "undo", "renew", "retry", "holder"});
  scheme_.name = std::string(key_.str());
  if (!is_name(scheme_.name) || scheme_.name.find(':') != std::string::npos)
    reading_.fail(reading_.place_of(key_), fmt::format("`{}` is no name for a scheme", scheme_.name));
  for (const model::LockKind* kind : all_written_kinds())
    if (kind->name == scheme_.name)
      reading_.fail(reading_.place_of(key_), fmt::format("`{}` is a kind of lock already", scheme_.name));
  scheme_.says = reading_.string(table_, "says").value_or("");
  scheme_.promises = properties("promises");
  scheme_.weaknesses = properties("weaknesses");
  scheme_.server = read_server(reading_, table_);
  if (const auto on = reading_.word(table_, "on", on_words)) scheme_.on = static_cast<Scheme::On>(*on);
  if (scheme_.server != nullptr && scheme_.on != Scheme::On::one)
    reading_.fail(reading_.place_of(*table_.get("on")), "a lock on several masters lies on Redis");
  positive(reading_, table_, "lease", scheme_.lease);
  positive(reading_, table_, "timeout", scheme_.timeout);
  scheme_.drift = reading_.duration(table_, "drift").value_or(Duration::zero());
  if (scheme_.drift > Duration::zero() && scheme_.on == Scheme::On::one)
    reading_.fail(reading_.place_of(*table_.get("drift")), "`drift` is only for a lock on several masters");
  else if (scheme_.drift > Duration::zero() && scheme_.drift >= scheme_.lease)
    reading_.fail(reading_.place_of(*table_.get("drift")), "nothing is left of the lease less the `drift`");
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
  if (scheme_.retry.how == Retry::How::keyspace_event) {
    scheme_.retry.channel.pieces = {{Template::Name::none, "__keyspace@0__:"}};
    for (const Template::Piece& piece : scheme_.holder.key.pieces)
      scheme_.retry.channel.pieces.push_back(piece);
  }
  return std::move(scheme_);
}

}  // namespace

model::Scheme read_scheme(TomlReading& reading, const Sources& sources, const toml::key& key,
                          const toml::table& table) {
  return SchemeReader(reading, sources, key, table).read();
}

}  // namespace lockstep::scenarios
