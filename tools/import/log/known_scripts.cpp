#include "tools/import/log/known_scripts.h"

#include <algorithm>

namespace lockstep::tools {

namespace {

std::size_t count_in(const lua::ScriptSet& set, const std::set<std::string>& sha1s) {
  std::set<std::string> found;
  for (const auto& [role, script] : set.roles)
    if (sha1s.contains(script.sha1)) found.insert(script.sha1);
  return found.size();
}

}  // namespace

KnownScripts::KnownScripts(const scenarios::ScriptLibrary& library, const lua::ScriptSet* of_user)
    : library_(library), of_user_(of_user) {
  if (of_user != nullptr)
    for (const auto& [role, script] : of_user->roles) add(script);
  for (const auto& [name, set] : library.sets)
    for (const auto& [role, script] : set.roles) add(script);
  for (const lua::Script& script : library.scripts) add(script);
}

void KnownScripts::add(const lua::Script& script) {
  for (const model::LockKind* kind : model::shipped_kinds())
    for (const model::Role& role : kind->roles)
      if (role.name == script.role && role.command == nullptr) {
        by_sha1_.emplace(script.sha1, KnownScript{&script, kind, &role});
        return;
      }
}

const KnownScript* KnownScripts::find(const std::string& sha1) const {
  const auto found = by_sha1_.find(sha1);
  return found == by_sha1_.end() ? nullptr : &found->second;
}

lua::ScriptSet KnownScripts::set_with(const std::set<std::string>& sha1s) const {
  lua::ScriptSet best;
  std::size_t most = 0;
  const auto consider = [&](const lua::ScriptSet& set) {
    const std::size_t count = count_in(set, sha1s);
    if (count > most) {
      most = count;
      best = set;
    }
  };
  if (of_user_ != nullptr) consider(*of_user_);
  const auto usual = library_.sets.find("redisson@3.10.5");  // of several that have as many
  if (usual != library_.sets.end()) consider(usual->second);
  for (const auto& [name, set] : library_.sets) consider(set);
  return best;
}

}  // namespace lockstep::tools
