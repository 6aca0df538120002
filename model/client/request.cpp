#include "model/client/request.h"

#include <algorithm>

#include "model/client/lock_kind.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

void fill(std::vector<std::string>& words, const Word& word, Wording& wording) {
  if (!word.each) return words.push_back(word.fill(wording));
  for (const Purpose& part : parts_of(wording.purpose)) {
    Wording one{wording.setup, part, wording.now_ms};
    words.push_back(word.fill(one));
  }
}

std::vector<std::string> filled(const std::vector<std::string>& names, std::span<const Word> known,
                                Wording& wording) {
  std::vector<std::string> words;
  for (const std::string& name : names) {
    const auto word =
        std::find_if(known.begin(), known.end(), [&](const Word& one) { return one.name == name; });
    VERIFY(word != known.end());  // complete() has looked
    fill(words, *word, wording);
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

void fill_words(Request& request, const Setup& setup, std::int64_t now_ms) {
  const LockKind& kind = *setup.kinds[request.purpose.kind];
  const Role& role = kind.roles[request.purpose.role];
  Wording wording{setup, request.purpose, now_ms};
  if (role.command != nullptr) {
    request.form = Request::Form::command;
    request.args = role.command(wording);
    return;
  }
  const lua::Script& script = *script_for(role, scripts_of(request.purpose, setup));
  request.form = setup.use_script_cache ? Request::Form::evalsha : Request::Form::eval;
  request.keys = filled(script.keys, kind.keys, wording);
  request.args = filled(script.args, kind.args, wording);
}

std::vector<std::size_t> instants_of(const Request& request, const Setup& setup) {
  std::vector<std::size_t> found;
  if (request.form == Request::Form::command) return found;
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
  if (request.form == Request::Form::command) return request.args;
  const Purpose& purpose = request.purpose;
  const lua::Script& script = *script_for(role_of(purpose, setup), scripts_of(purpose, setup));
  const bool full_text = request.form == Request::Form::eval;
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
