#include "model/client/request.h"

#include <algorithm>

#include "model/client/lock_kind.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

/// For each lock the parts of a purpose that are about it: holds of several threads may be renewed.
std::vector<Purpose> locks_of(const Purpose& purpose) {
  std::vector<Purpose> locks;
  for (Purpose& part : parts_of(purpose)) {
    if (locks.empty() || locks.back().lock != part.lock) locks.push_back(std::move(part));
    else locks.back().also.push_back({part.lock, part.object, part.thread});
  }
  return locks;
}

/// One word for each hold of a lock; one for all of them, if it is the same.
void fill_each(std::vector<std::string>& words, const Word& word, const Purpose& lock, Wording& wording) {
  std::vector<Purpose> holds = parts_of(lock);
  for (std::size_t i = 0; i < holds.size(); ++i) {
    holds[i].also = lock.also;
    Wording one{wording.setup, holds[i], wording.now_ms};
    std::string filled = word.fill(one);
    if (i == 0 || filled != words.back()) words.push_back(std::move(filled));
  }
}

/// Words of each lock that stand side by side go lock by lock.
std::vector<std::string> filled(const std::vector<std::string>& names, std::span<const Word> known,
                                Wording& wording) {
  const auto named = [&](const std::string& name) -> const Word& {
    const auto word =
        std::find_if(known.begin(), known.end(), [&](const Word& one) { return one.name == name; });
    VERIFY(word != known.end());  // complete() has looked
    return *word;
  };
  std::vector<std::string> words;
  for (std::size_t i = 0; i < names.size();) {
    std::size_t end = i;
    while (end < names.size() && named(names[end]).each) ++end;
    if (end == i) {
      const Word& word = named(names[i++]);
      if (word.fill_all == nullptr) words.push_back(word.fill(wording));
      else
        for (std::string& one : word.fill_all(wording)) words.push_back(std::move(one));
      continue;
    }
    for (const Purpose& lock : locks_of(wording.purpose))
      for (std::size_t word = i; word < end; ++word) fill_each(words, named(names[word]), lock, wording);
    i = end;
  }
  return words;
}

/// The scripts of the process that sends it.
const lua::ScriptSet& scripts_of(const Purpose& purpose, const Setup& setup) {
  return setup.scripts_of(setup.process_of(purpose.thread));
}

}  // namespace

std::vector<Purpose> parts_of(const Purpose& purpose) {
  std::vector<Purpose> parts{purpose};
  parts.front().also.clear();
  for (const AlsoRenewed& one : purpose.also) {
    Purpose& part = parts.emplace_back(parts.front());
    part.lock = one.lock;
    part.object = one.object;
    part.thread = one.thread;
  }
  return parts;
}

std::string_view role_name(const Purpose& purpose, const Setup& setup) {
  return role_of(purpose, setup).name;
}

namespace {

void fill_described(Request& request, const Described& described, const Wording& wording) {
  const auto all = [&](const std::vector<Template>& texts) {
    std::vector<std::string> words;
    for (const Template& text : texts) words.push_back(fill(text, wording));
    return words;
  };
  request.form = !described.script       ? Request::Form::command
                 : wording.setup.use_script_cache ? Request::Form::evalsha
                                          : Request::Form::eval;
  request.keys = all(described.keys);
  request.args = all(described.script ? described.args : described.words);
  request.asked_ms = described.compares_clock() ? wording.now_ms : 0;
}

}  // namespace

void fill_words(Request& request, const Setup& setup, std::int64_t now_ms) {
  const LockKind& kind = *setup.kinds[request.purpose.kind];
  const Role& role = kind.roles[request.purpose.role];
  Wording wording{setup, request.purpose, now_ms};
  if (role.described != nullptr) return fill_described(request, *role.described, wording);
  const lua::Script* const script = script_for(role, scripts_of(request.purpose, setup));
  if (script == nullptr) {
    request.form = Request::Form::command;
    request.args = role.command(wording);
    return;
  }
  request.form = setup.use_script_cache ? Request::Form::evalsha : Request::Form::eval;
  request.keys = filled(script->keys, kind.keys, wording);
  request.args = filled(script->args, kind.args, wording);
}

std::vector<std::size_t> instants_of(const Request& request, const Setup& setup) {
  std::vector<std::size_t> found;
  if (plain(request.form) == Request::Form::command) return found;
  if (request.args.empty()) return found;  // begun anew later: its words are made then
  const LockKind& kind = *setup.kinds[request.purpose.kind];
  const Role& role = kind.roles[request.purpose.role];
  const std::vector<std::string>& names = script_for(role, scripts_of(request.purpose, setup))->args;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::any_of(kind.args.begin(), kind.args.end(),
                    [&](const Word& word) { return word.instant && word.name == names[i]; }))
      found.push_back(i);
  return found;
}

std::vector<std::string> words_of(const Request& request, const Setup& setup) {
  if (request.asks_count()) return {"INFO", "replication"};
  if (plain(request.form) == Request::Form::command) return request.args;
  const Purpose& purpose = request.purpose;
  const lua::Script& script = *script_for(role_of(purpose, setup), scripts_of(purpose, setup));
  const bool full_text = plain(request.form) == Request::Form::eval;
  std::vector<std::string> words;
  words.reserve(3 + request.keys.size() + request.args.size());
  words.emplace_back(full_text ? "EVAL" : "EVALSHA");
  words.push_back(full_text ? script.text : script.sha1);
  words.push_back(std::to_string(request.keys.size()));
  words.insert(words.end(), request.keys.begin(), request.keys.end());
  words.insert(words.end(), request.args.begin(), request.args.end());
  return words;
}

}  // namespace lockstep::model
