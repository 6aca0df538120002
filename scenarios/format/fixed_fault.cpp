// fixed_fault.cpp: one text of `fixed` in [faults]: "pause A at 5s", "crash A before reply to unlock orders".
#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/world/faults/table.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::Aim;
using model::FaultEvent;
using model::FixedFault;
using model::Form;
using model::Setup;
using EventKind = model::FaultEvent::Kind;

namespace {

/// A word that begins a text of `fixed`.
struct FixedWord {
  std::string_view word;
  model::FaultId fault;
  bool ends = false;
  Form form{};
};

std::vector<FixedWord> fixed_words(const Setup& setup) {
  std::vector<FixedWord> words;
  for (const model::FaultId fault : model::faults_as_told(setup)) {
    const model::FaultRow& row = model::fault_row(fault, setup);
    const auto add = [&](const model::FaultAct& act, bool ends) {
      if (!act.fixed.empty()) words.push_back({act.fixed, fault, ends, act.verb.form});
    };
    add(row.begin, false);
    if (row.end) add(row.end->act, true);
  }
  return words;
}

struct FaultWord {
  std::string_view text;
  std::size_t offset = 0;
};

/// A name with blanks stands in quotes.
std::vector<FaultWord> words_of_fault(std::string_view text) {
  std::vector<FaultWord> words;
  for (std::size_t at = text.find_first_not_of(' '); at < text.size();) {
    const bool quoted = text[at] == '\'' && text.find('\'', at + 1) != std::string_view::npos;
    const std::size_t end = std::min(text.find(quoted ? '\'' : ' ', at + 1), text.size()) + (quoted ? 1 : 0);
    words.push_back({quoted ? text.substr(at + 1, end - at - 2) : text.substr(at, end - at), at});
    at = std::min(text.find_first_not_of(' ', end), text.size());
  }
  return words;
}

/// Somebody that a text names.
struct Named {
  enum class Kind : std::uint8_t { process, thread, node } kind{};
  std::uint16_t number = 0;
};

bool befalls(Form form, Named::Kind kind) {
  switch (kind) {
    case Named::Kind::process:
      return form == Form::process || form == Form::cut;
    case Named::Kind::thread:
      return form == Form::thread;
    case Named::Kind::node:
      return form == Form::node || form == Form::part || form == Form::node_by_time;
  }
  return false;
}

class FixedReader {
 public:
  FixedReader(TomlReading& reading, const Setup& setup, const toml::value<std::string>& text)
      : reading_(reading), setup_(setup), text_(text), words_(words_of_fault(text.get())) {}

  std::optional<FixedFault> read() {
    if (!words_.empty() && !is_known(words_[0])) return std::nullopt;
    if (!read_fault()) return std::nullopt;
    fault_.text = std::string(words_[0].text) + said_;
    return fault_;
  }

 private:
  bool fail(const FaultWord& word, std::string what, std::string hint = {}) {
    reading_.fail(reading_.place_in(text_, word.offset, word.text.size()), std::move(what), std::move(hint));
    return false;
  }
  bool has_next() const { return at_ < words_.size(); }
  const FaultWord& last() const { return words_[std::min(at_, words_.size() - 1)]; }
  /// Passes over a word that only makes a text read well.
  void skip(std::string_view word) {
    if (has_next() && words_[at_].text == word) ++at_;
  }
  bool takes(std::string_view word) {
    const bool there = has_next() && words_[at_].text == word;
    if (there) ++at_;
    return there;
  }
  void say(std::string_view words) { said_ += fmt::format(" {}", words); }
  void say_name(std::string_view name) {
    say(name.find(' ') == std::string_view::npos ? std::string(name) : fmt::format("'{}'", name));
  }

  bool is_known(const FaultWord& word);
  bool read_fault();
  bool read_when();
  bool read_target(const std::vector<FixedWord>& meant);
  bool read_rest_of_target(Form form);
  bool read_event(FaultEvent& event, bool of_message);
  bool read_request(FaultEvent& event);
  bool read_deed(FaultEvent& event);
  bool read_lock(FaultEvent& event);
  bool read_whose(FaultEvent& event, std::string_view word);
  std::vector<std::string> names() const;
  std::optional<Named> find(std::string_view name) const;
  std::optional<Named> named(const FaultWord& word, std::string_view what);

  TomlReading& reading_;
  const Setup& setup_;
  const toml::value<std::string>& text_;
  std::vector<FaultWord> words_;
  std::size_t at_ = 1;
  FixedFault fault_;
  std::string said_;  // the text as it is written plainly
};

bool FixedReader::is_known(const FaultWord& word) {
  std::vector<std::string> known;
  for (const FixedWord& each : fixed_words(setup_)) {
    if (each.word == word.text) return true;
    if (std::find(known.begin(), known.end(), each.word) == known.end()) known.emplace_back(each.word);
  }
  return fail(word, fmt::format("unknown fixed fault `{}`", word.text),
              did_you_mean(word.text, known, "fixed faults are " + either(known)));
}

std::vector<std::string> FixedReader::names() const {
  std::vector<std::string> known;
  for (const auto& process : setup_.processes) known.push_back(process.name);
  for (const auto& node : setup_.nodes) known.push_back(node.name);
  return known;
}

std::optional<Named> FixedReader::find(std::string_view name) const {
  const auto among = [&](const auto& all, Named::Kind kind) -> std::optional<Named> {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].name == name) return Named{kind, static_cast<std::uint16_t>(i)};
    return std::nullopt;
  };
  if (const auto process = among(setup_.processes, Named::Kind::process)) return process;
  if (const auto node = among(setup_.nodes, Named::Kind::node)) return node;
  return among(setup_.threads, Named::Kind::thread);
}

std::optional<Named> FixedReader::named(const FaultWord& word, std::string_view what) {
  if (const auto found = find(word.text)) return found;
  std::vector<std::string> known = names();
  const std::string all = known.size() <= 12 ? "there are " + either(known) : "";
  for (const auto& thread : setup_.threads) known.push_back(thread.name);
  fail(word, fmt::format("there is no {} `{}`", what, word.text), did_you_mean(word.text, known, all));
  return std::nullopt;
}

bool FixedReader::read_fault() {
  if (words_.empty()) return fail({text_.get(), 0}, "a fixed fault reads like `pause A at 5s`");
  std::vector<FixedWord> meant;
  for (const FixedWord& each : fixed_words(setup_))
    if (each.word == words_[0].text) meant.push_back(each);
  const bool of_message = meant.front().form == Form::carried;
  if (!has_next())
    return fail(words_[0], fmt::format("`{0}` wants to know of whom: `{0} {1} at 5s`", words_[0].text,
                                       of_message ? "reply to lock orders" : "A"));
  if (!of_message) return read_target(meant) && read_when();
  fault_.fault = meant.front().fault;
  fault_.ends = meant.front().ends;
  fault_.aim = Aim::message;
  return read_event(fault_.message.emplace(), true) && read_when();
}

bool FixedReader::read_target(const std::vector<FixedWord>& meant) {
  const FaultWord word = words_[at_++];
  const auto target = named(word, "process or node");
  if (!target) return false;
  say_name(word.text);
  constexpr std::string_view kinds[] = {"process", "thread", "node"};
  for (const FixedWord& each : meant) {
    if (!befalls(each.form, target->kind)) continue;
    constexpr Aim aims[] = {Aim::process, Aim::thread, Aim::node};
    fault_.fault = each.fault;
    fault_.ends = each.ends;
    fault_.aim = each.form == Form::cut ? Aim::link : aims[static_cast<std::size_t>(target->kind)];
    fault_.target = target->number;
    return read_rest_of_target(each.form);
  }
  return fail(word, fmt::format("`{}` is not for a {}", words_[0].text,
                                kinds[static_cast<std::size_t>(target->kind)]));
}

bool FixedReader::read_rest_of_target(Form form) {
  for (const char* between : {"|", "from", "to"})
    if (form == Form::cut) skip(between);
  const bool of_key = form == Form::part && model::server_fault(fault_.fault, setup_).fault->of_keys;
  if (form != Form::cut && !of_key && form != Form::node_by_time) return true;
  if (!has_next() || words_[at_].text == "at")
    return fail(last(), form == Form::cut
                            ? fmt::format("`{0}` wants a node as well: `{0} A R0 at 5s`", words_[0].text)
                        : of_key              ? "`evict` wants a key as well: `evict R0 orders at 5s`"
                                             : "`jump` wants to know how far: `jump R0 +5s at 4s`");
  const FaultWord word = words_[at_++];
  if (form == Form::cut) {
    const auto node = named(word, "node");
    if (!node) return false;
    if (node->kind != Named::Kind::node) return fail(word, fmt::format("`{}` is no node", word.text));
    fault_.node = node->number;
  } else if (of_key) {
    fault_.key = word.text;
  } else {
    const sim::Result<sim::Duration> by = parse_offset(word.text);
    if (!by.ok()) return fail(word, by.problem().text);
    fault_.by = *by;
    say(print_offset(*by));
    return true;
  }
  say_name(word.text);
  return true;
}

bool FixedReader::read_when() {
  const bool of_message = fault_.aim == Aim::message;
  if (!has_next() && of_message && !fault_.ends) return true;
  const FaultWord& word = last();
  const bool before = takes("before");
  if (before || takes("after")) {
    if (before && of_message)
      return fail(word, fmt::format("`{}` befalls the message when it arrives; write `at` or `after`",
                                    words_[0].text));
    fault_.before = before;
    say(before ? "before" : "after");
    if (!read_event(fault_.event.emplace(), before)) return false;
    return !has_next() || fail(words_[at_], "a fixed fault ends behind its event");
  }
  if (!takes("at") || at_ + 1 != words_.size())
    return fail(word, of_message
                          ? "what befalls a message ends in `at` and a time, or in `after` and an event"
                          : "a fixed fault ends in `at` and a time: `pause A at 5s`");
  const sim::Result<sim::Duration> at = parse_duration(words_[at_].text);
  if (!at.ok()) return fail(words_[at_], at.problem().text);
  fault_.at = *at;
  say("at " + print(*at));
  return true;
}

/// What can arrive; behind `after`, also what threads do.
bool FixedReader::read_event(FaultEvent& event, bool arrives) {
  const FaultWord word = last();
  constexpr std::pair<std::string_view, EventKind> kinds[] = {{"request", EventKind::request},
                                                              {"reply", EventKind::reply},
                                                              {"message", EventKind::message},
                                                              {"subscription", EventKind::subscription},
                                                              {"effects", EventKind::effects}};
  const bool befallen = !fault_.message || fault_.event;  // else it is the message that is befallen
  for (const auto& [name, kind] : kinds) {
    if (word.text != name || !has_next()) continue;
    ++at_;
    event.kind = kind;
    say(name);
    switch (kind) {
      case EventKind::request:
      case EventKind::reply:
        return read_request(event);
      case EventKind::message:
        skip("of");
        return read_lock(event) && read_whose(event, "to");
      case EventKind::subscription:
        skip("to");
        return read_lock(event) && read_whose(event, "of");
      default:
        break;
    }
    if (!befallen) return fail(word, "`effects` are no message of a client; `lag R1` holds them back");
    return read_whose(event, "to");
  }
  if (has_next() && find(word.text)) {
    if (!arrives) return read_deed(event);
    return fail(word,
                "what a thread does is known when it is done; before it there is a message: `request "
                "lock orders of A` or `reply to lock orders of A`");
  }
  std::vector<std::string> known;
  for (const auto& [name, kind] : kinds) known.emplace_back(name);
  return fail(
      word, has_next() ? fmt::format("unknown event `{}`", word.text) : "here an event is missing",
      did_you_mean(word.text, known,
                   "events begin with " + either(known) + (arrives ? "" : ", or read `A acquires orders`")));
}

bool FixedReader::read_request(FaultEvent& event) {
  skip("to");
  if (event.kind == EventKind::reply) say("to");
  if (!has_next()) return fail(last(), "here a role is missing: `lock`, `unlock`");
  const FaultWord word = words_[at_++];
  std::vector<std::string> known;
  for (const auto& [role, script] : setup_.scripts.roles) known.push_back(role);
  for (const model::LockKind* kind : setup_.kinds)
    for (const model::Role& role : kind->roles) known.emplace_back(role.name);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  if (std::find(known.begin(), known.end(), word.text) == known.end())
    return fail(word, fmt::format("no request has the role `{}`", word.text),
                did_you_mean(word.text, known, "roles are " + either(known)));
  event.role = word.text;
  say(word.text);
  return read_lock(event) && read_whose(event, "of");
}

/// "A1 acquires orders", "A waits for orders".
bool FixedReader::read_deed(FaultEvent& event) {
  const FaultWord who = words_[at_++];
  const Named named = *find(who.text);
  if (named.kind == Named::Kind::node) return fail(who, fmt::format("the node `{}` does nothing", who.text));
  if (named.kind == Named::Kind::process) event.process = sim::ProcessId{named.number};
  else event.thread = sim::ThreadId{named.number};
  say_name(who.text);
  const FaultWord deed = last();
  if (takes("acquires")) event.kind = EventKind::acquires;
  else if (takes("releases")) event.kind = EventKind::releases;
  else if (takes("waits")) event.kind = EventKind::waits;
  else {
    const std::vector<std::string> known{"acquires", "releases", "waits"};
    return fail(deed, fmt::format("a thread does not `{}`", deed.text),
                did_you_mean(deed.text, known, "it " + either(known) + " for a lock"));
  }
  say(deed.text);
  if (event.kind == EventKind::waits) skip("for"), say("for");
  return read_lock(event);
}

bool FixedReader::read_lock(FaultEvent& event) {
  if (!has_next()) return fail(last(), "here the name of a lock is missing");
  const FaultWord word = words_[at_++];
  std::vector<std::string> known;
  const auto know = [&](const model::LockObject& object) {
    if (std::find(known.begin(), known.end(), object.name) == known.end()) known.push_back(object.name);
  };
  for (const model::LockObject& object : setup_.objects) {
    know(object);
    std::for_each(object.made_of.begin(), object.made_of.end(), know);
    for (const std::string& value : object.values) know({.name = fmt::format("{}/{}", object.key, value)});
  }
  if (std::find(known.begin(), known.end(), word.text) == known.end())
    return fail(word, fmt::format("no program names a lock `{}`", word.text),
                did_you_mean(word.text, known, "there is " + either(known)));
  event.lock = word.text;
  say_name(word.text);
  return true;
}

bool FixedReader::read_whose(FaultEvent& event, std::string_view word) {
  if (!takes(word)) return true;
  if (!has_next()) return fail(last(), fmt::format("`{}` whom?", word));
  const FaultWord who = words_[at_++];
  const auto found = named(who, "process, thread or node");
  if (!found) return false;
  const bool of_node = event.kind == EventKind::effects;
  const bool of_thread = event.kind == EventKind::request || event.kind == EventKind::reply;
  if (of_node != (found->kind == Named::Kind::node) || (found->kind == Named::Kind::thread && !of_thread))
    return fail(who, fmt::format("`{}` is no {} here", who.text, of_node ? "node" : "process"));
  if (found->kind == Named::Kind::node) event.node = sim::NodeId{found->number};
  else if (found->kind == Named::Kind::thread) event.thread = sim::ThreadId{found->number};
  else event.process = sim::ProcessId{found->number};
  say(word), say_name(who.text);
  return true;
}

}  // namespace

std::optional<FixedFault> read_fixed_fault(TomlReading& reading, const Setup& setup,
                                           const toml::value<std::string>& text) {
  return FixedReader(reading, setup, text).read();
}

}  // namespace lockstep::scenarios
