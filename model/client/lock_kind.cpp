#include "model/client/lock_kind.h"

#include <algorithm>

namespace lockstep::model {

std::string_view name_of(Meaning what) {
  switch (what) {
    case Meaning::granted: return "granted";
    case Meaning::partial: return "partly granted";
    case Meaning::refused: return "refused";
    case Meaning::released: return "released";
    case Meaning::still_held: return "still held";
    case Meaning::not_holder: return "not the holder";
    case Meaning::nothing: return "nothing to release";
    case Meaning::renewed: return "renewed";
    case Meaning::not_renewed: return "nothing to renew";
    case Meaning::failed: return "failed";
    case Meaning::unknown: return "not understood";
  }
  return "";
}

const LockKind& kind_of(const Setup& setup, std::uint16_t object) {
  return *setup.kinds[setup.objects[object].kind];
}

const Shape& shape_of(const Setup& setup, std::uint16_t object) {
  const LockKind& kind = kind_of(setup, object);
  for (const Shape* shape : kind.other_shapes)
    if (shape->name == setup.scripts.stored) return *shape;
  return *kind.shape;
}

std::vector<std::string> names_of_shapes() {
  std::vector<std::string> names;
  const auto add = [&](const Shape* shape) {
    if (std::find(names.begin(), names.end(), shape->name) == names.end()) names.emplace_back(shape->name);
  };
  for (const LockKind* kind : shipped_kinds()) {
    add(kind->shape);
    for (const Shape* shape : kind->other_shapes) add(shape);
  }
  return names;
}

const Role& role_of(const Purpose& purpose, const Setup& setup) {
  return setup.kinds[purpose.kind]->roles[purpose.role];
}

Mode mode_of(const Setup& setup, std::uint16_t object) { return kind_of(setup, object).mode; }

Mode mode_of(const Purpose& purpose, const Setup& setup) { return setup.kinds[purpose.kind]->mode; }

const Role* role_for(const LockKind& kind, Intent intent, std::size_t after) {
  for (const Role& role : kind.roles)
    if (role.intent == intent && after-- == 0) return &role;
  return nullptr;
}

bool lies_on(const Setup& setup, std::uint16_t object, GroupId group) {
  return kind_of(setup, object).spread == Spread::all_groups || setup.objects[object].group == group;
}

Items read_reply(const Request& request, const Reply& reply, const Setup& setup) {
  if (reply.error() != nullptr) return {{.what = Meaning::failed, .wait = {}, .number = {}}};
  return role_of(request.purpose, setup).read(reply);
}

const lua::Script* script_for(const Role& role, const Setup& setup) {
  if (role.command != nullptr) return nullptr;
  const lua::Script* script = setup.scripts.find(std::string(role.name));
  if (script == nullptr && !role.otherwise.empty()) script = setup.scripts.find(std::string(role.otherwise));
  return script;
}

}  // namespace lockstep::model
