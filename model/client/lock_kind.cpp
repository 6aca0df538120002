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
    case Meaning::yes: return "yes";
    case Meaning::no: return "no";
    case Meaning::failed: return "failed";
    case Meaning::unanswered: return "not answered";
    case Meaning::unknown: return "not understood";
  }
  return "";
}

std::optional<Intent> intent_of(StepKind call) {
  switch (call) {
    case StepKind::lock:
    case StepKind::lock_interruptibly:
    case StepKind::try_lock: return Intent::acquire;
    case StepKind::unlock: return Intent::release;
    case StepKind::force_unlock: return Intent::force_release;
    case StepKind::is_held: return Intent::ask_held;
    case StepKind::is_locked: return Intent::ask_locked;
    case StepKind::hold_count: return Intent::ask_count;
    case StepKind::remain_time: return Intent::ask_time;
    case StepKind::get_token: return Intent::ask_token;
    case StepKind::command: return Intent::command;
    case StepKind::write: return Intent::write;
    default: return std::nullopt;
  }
}

bool is_told_of_calls(const LockKind& kind, const Role& role, const lua::ScriptSet& scripts) {
  if (role.described != nullptr) return false;
  const lua::Script* script = script_for(role, scripts);
  if (script == nullptr) return false;
  const auto among = [](const std::vector<std::string>& names, std::span<const Word> known) {
    return std::any_of(known.begin(), known.end(), [&](const Word& word) {
      return word.of_call && std::find(names.begin(), names.end(), word.name) != names.end();
    });
  };
  return among(script->keys, kind.keys) || among(script->args, kind.args);
}

std::uint16_t number_of(const LockKind& kind) {
  const auto kinds = shipped_kinds();
  return static_cast<std::uint16_t>(std::find(kinds.begin(), kinds.end(), &kind) - kinds.begin());
}

const LockKind& kind_of(const Setup& setup, std::uint16_t object) {
  return *setup.kinds[setup.objects[object].kind];
}

const Shape& shape_of(const Setup& setup, std::uint16_t object) {
  const LockKind& kind = kind_of(setup, object);
  const lua::ScriptSet& scripts = setup.processes.empty() ? setup.scripts : setup.scripts_of(ProcessId{});
  for (const Shape* shape : kind.other_shapes)
    if (shape->name == scripts.stored) return *shape;
  return *kind.shape;
}

std::vector<std::string> names_of_shapes() {
  std::vector<std::string> names;
  const auto add = [&](const Shape* shape) {
    if (std::find(names.begin(), names.end(), shape->name) == names.end()) names.emplace_back(shape->name);
  };
  for (const LockKind* kind : shipped_kinds()) {
    if (!kind->is_lock()) continue;
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

std::size_t members_needed(const Setup& setup, std::uint16_t object) {
  const std::size_t count = setup.objects[object].members.size();
  return kind_of(setup, object).needs == Needs::majority ? count / 2 + 1 : count;
}

const std::string& key_of(const LockObject& object) { return object.key.empty() ? object.name : object.key; }

std::vector<std::uint16_t> locks_of(const Setup& setup, std::uint16_t object) {
  const std::vector<std::uint16_t>& locks = setup.objects[object].locks;
  return locks.empty() ? std::vector{object} : locks;
}

std::optional<std::uint16_t> lock_called(const Setup& setup, const std::string& resource) {
  for (std::uint16_t o = 0; o < setup.objects.size(); ++o) {
    const LockObject& object = setup.objects[o];
    if (!object.key.empty() && object.locks.empty() && resource_name(object.group, object.name) == resource)
      return o;
  }
  return std::nullopt;
}

std::vector<Purpose> judged_parts(const Purpose& purpose, const Setup& setup) {
  std::vector<Purpose> judged;
  for (Purpose& part : parts_of(purpose)) {
    if (!setup.kinds[part.kind]->shares_key) {
      judged.push_back(std::move(part));
      continue;
    }
    for (const std::uint16_t lock : locks_of(setup, part.object)) {
      judged.push_back(part);
      judged.back().object = lock;
      judged.back().lock = setup.objects[lock].name;
    }
  }
  return judged;
}

bool lies_on(const Setup& setup, std::uint16_t object, GroupId group) {
  return kind_of(setup, object).spread == Spread::all_groups || setup.objects[object].group == group;
}

Items read_reply(const Request& request, const Reply& reply, const Setup& setup) {
  if (request.asks_count()) return {};
  if (reply.error() != nullptr) return {{.what = Meaning::failed, .wait = {}, .number = {}}};
  const Role& role = role_of(request.purpose, setup);
  if (role.described != nullptr) return read_described(*role.described, request, reply, setup);
  return role.read(reply);
}

const lua::Script* script_for(const Role& role, const lua::ScriptSet& scripts) {
  if (role.command != nullptr && !role.may_be_script) return nullptr;
  if (role.described != nullptr) return role.described->script ? &*role.described->script : nullptr;
  const lua::Script* script = scripts.find(std::string(role.name));
  if (script == nullptr && !role.otherwise.empty()) script = scripts.find(std::string(role.otherwise));
  return script;
}

}  // namespace lockstep::model
