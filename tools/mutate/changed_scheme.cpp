#include "tools/mutate/changed_scheme.h"

#include <utility>

namespace lockstep::tools {

namespace {

/// Nothing if it does not have the script.
std::unique_ptr<const schemes::OwnKind> scheme_with(model::Scheme scheme, const lua::Script& from,
                                                    const lua::Script& to) {
  bool has_it = false;
  const auto put = [&](model::Described& asked) {
    if (!asked.script || asked.script->role != from.role || asked.script->sha1 != from.sha1) return;
    asked.script->text = to.text;
    asked.script->sha1 = to.sha1;
    has_it = true;
  };
  for (auto* requests : {&scheme.acquire, &scheme.release, &scheme.undo})
    for (model::Described& asked : *requests) put(asked);
  if (scheme.renew) put(*scheme.renew);
  return has_it ? schemes::made_of(std::move(scheme)) : nullptr;
}

}  // namespace

void put_into_schemes(model::Setup& setup, const lua::Script& from, const lua::Script& to, OwnKinds& kinds) {
  for (const model::LockKind*& kind : setup.kinds) {
    if (kind->scheme == nullptr) continue;
    auto other = scheme_with(*kind->scheme, from, to);
    if (!other) continue;
    kind = &other->kind;
    kinds.push_back(std::move(other));
  }
}

}  // namespace lockstep::tools
