#include "model/client/scheme.h"

#include <algorithm>
#include <charconv>

#include "model/client/lock_kind.h"
#include "model/client/process.h"

namespace lockstep::model {

namespace {

using Name = Template::Name;

std::string filled(Name name, const Wording& wording) {
  const Purpose& purpose = wording.purpose;
  const auto lease = purpose.lease + purpose.wait;
  switch (name) {
    case Name::none:
      return {};
    case Name::lock:
      return purpose.lock;
    case Name::owner:
      return holder_of(purpose, wording.setup);
    case Name::token:
      return holder_of(purpose, wording.setup) + ":" + std::to_string(purpose.number.value);
    case Name::lease:
      return std::to_string(lease.count());
    case Name::seconds:
      return std::to_string((lease.count() + 999) / 1'000);
    case Name::now:
      return std::to_string(wording.now_ms);
    case Name::until:
      return std::to_string(wording.now_ms + lease.count());
  }
  return {};
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "uuid:1" of "uuid:1:7".
std::optional<std::string> owner_of_token(std::string_view token) {
  const std::size_t colon = token.rfind(':');
  if (colon == std::string_view::npos || !is_digits(token.substr(colon + 1))) return std::nullopt;
  return std::string(token.substr(0, colon));
}

/// What a name may stand for in a text; of the holder, who that is.
bool stands_for(Name name, std::string_view text, const std::string& lock, std::string& holder) {
  if (name == Name::lock) return text == lock;
  if (name == Name::owner) return !text.empty() && (holder = text, true);
  if (name != Name::token) return is_digits(text);
  const auto owner = owner_of_token(text);
  if (owner) holder = *owner;
  return owner.has_value();
}

/// Whether the pieces from `at` on may have been filled so; each name takes what is before the next text.
bool matches(const Template& text, std::size_t at, std::string_view stored, const std::string& lock,
             std::string& holder) {
  if (at == text.pieces.size()) return stored.empty();
  const Template::Piece& piece = text.pieces[at];
  if (piece.name == Name::none)
    return stored.starts_with(piece.text) &&
           matches(text, at + 1, stored.substr(piece.text.size()), lock, holder);
  for (std::size_t length = stored.size() + 1; length-- > 0;) {
    std::string found = holder;
    if (!stands_for(piece.name, stored.substr(0, length), lock, found)) continue;
    if (!matches(text, at + 1, stored.substr(length), lock, found)) continue;
    holder = found;
    return true;
  }
  return false;
}

/// The number that a text begins with.
std::optional<std::int64_t> leading_number(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} ? std::optional{number} : std::nullopt;
}

/// A reply that is one text: a status, a bulk string, an integer; of EXEC, what the last command says.
std::optional<std::string> text_of(const Reply& reply) {
  if (reply.array() != nullptr && !reply.array()->empty()) return text_of(reply.array()->back());
  if (reply.integer() != nullptr) return std::to_string(*reply.integer());
  if (reply.bulk() != nullptr) return *reply.bulk();
  if (reply.status() != nullptr) return reply.status()->text;
  return std::nullopt;
}

/// A command of a transaction has failed, and the others have not.
bool holds_error(const Reply& reply) {
  const Reply::Array* all = reply.array();
  return all != nullptr &&
         std::any_of(all->begin(), all->end(), [](const Reply& one) { return one.error() != nullptr; });
}

bool fits(const ReplyRule& rule, const Reply& reply, const Wording& wording) {
  if (rule.form == ReplyRule::Form::any) return true;
  if (rule.form == ReplyRule::Form::nil)
    return reply.is_nil() || std::holds_alternative<lua::NilArray>(reply.value);
  const std::optional<std::string> text = text_of(reply);
  if (!text) return false;
  const std::string wanted = fill(rule.value, wording);
  if (rule.form == ReplyRule::Form::text) return *text == wanted;
  const auto number = leading_number(*text), bound = leading_number(wanted);
  if (!number || !bound) return false;
  return rule.form == ReplyRule::Form::less ? *number < *bound : *number > *bound;
}

}  // namespace

bool Template::has(Name name) const {
  return std::any_of(pieces.begin(), pieces.end(), [&](const Piece& piece) { return piece.name == name; });
}

std::string fill(const Template& text, const Wording& wording) {
  std::string out;
  for (const Template::Piece& piece : text.pieces)
    out += piece.name == Name::none ? piece.text : filled(piece.name, wording);
  return out;
}

std::string print(const Template& text) {
  std::string out;
  for (const Template::Piece& piece : text.pieces) {
    if (piece.name == Name::none) out += piece.text;
    for (const auto& [word, name] : template_names)
      if (name == piece.name) out += "{" + std::string(word) + "}";
  }
  return out;
}

std::optional<std::string> holder_in(const Template& text, std::string_view stored, const std::string& lock) {
  std::string holder;
  if (!matches(text, 0, stored, lock, holder)) return std::nullopt;
  return holder;
}

bool Described::uses(Name name) const {
  const auto has = [&](const std::vector<Template>& texts) {
    return std::any_of(texts.begin(), texts.end(), [&](const Template& text) { return text.has(name); });
  };
  return has(words) || has(keys) || has(args) ||
         std::any_of(rules.begin(), rules.end(), [&](const ReplyRule& rule) { return rule.value.has(name); });
}

bool Described::compares_clock() const {
  return std::any_of(rules.begin(), rules.end(), [](const ReplyRule& rule) {
    return rule.value.has(Name::now) || rule.value.has(Name::until);
  });
}

bool Scheme::uses_token() const {
  const auto use = [](const std::vector<Described>& asked) {
    return std::any_of(asked.begin(), asked.end(),
                       [](const Described& one) { return one.uses(Name::token); });
  };
  return use(acquire) || use(release) || use(undo) || (renew && renew->uses(Name::token));
}

bool Scheme::holds_connections() const {
  const auto hold = [](const std::vector<Described>& asked) {
    return std::any_of(asked.begin(), asked.end(),
                       [](const Described& one) { return one.connection != Described::Connection::any; });
  };
  return hold(acquire) || hold(release) || hold(undo);
}

bool Retry::is_woken_by(std::string_view message) const {
  return how != How::keyspace_event || std::find(events.begin(), events.end(), message) != events.end();
}

Items read_described(const Described& described, const Request& request, const Reply& reply,
                     const Setup& setup) {
  if (holds_error(reply)) return {{.what = Meaning::failed, .wait = {}, .number = {}}};
  const Wording wording{setup, request.purpose, request.asked_ms};
  const ReplyRule* best = nullptr;
  for (const ReplyRule& rule : described.rules)
    if (fits(rule, reply, wording) && (best == nullptr || rule.form < best->form)) best = &rule;
  if (best == nullptr) return {Item{}};
  Items items;
  for (const Meaning what : best->meanings) items.push_back({.what = what, .wait = {}, .number = {}});
  if (best->takes_wait)
    if (const auto text = text_of(reply))
      if (const auto wait = leading_number(*text); wait && *wait >= 0) items.front().wait = Duration{*wait};
  return items;
}

}  // namespace lockstep::model
