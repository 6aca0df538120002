#include "properties/monitors/state_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/client/lock_kind.h"
#include "model/client/new_words.h"
#include "model/server/look.h"
#include "model/world/unmentioned.h"

namespace lockstep::properties {

namespace {

using lua::Reply;
using Names = std::set<std::string>;

Reply list_of(const Names& names) {
  Reply::Array items;
  for (const std::string& name : names) items.emplace_back(name);
  return items;
}

lua::Error unknown(std::string_view what, std::string_view name) {
  return {fmt::format("ERR the scenario has no {} `{}`", what, name)};
}

/// Which of all words that would do is there is not a matter of the schedule.
lua::Error drawn(std::string_view where) {
  return {fmt::format("ERR in `{}` there is a word that is drawn anew in each round, and no predicate can go "
                      "by that; say how often (`repeat N`)",
                      where)};
}

template <class Range>
std::optional<std::size_t> place_in(const Range& range, std::string_view name) {
  const auto found =
      std::find_if(range.begin(), range.end(), [&](const auto& one) { return one.name == name; });
  if (found == range.end()) return std::nullopt;
  return static_cast<std::size_t>(found - range.begin());
}

const char* form_of(model::Stored::Form form) {
  using Form = model::Stored::Form;
  return form == Form::string ? "string" : form == Form::hash ? "hash" : "list";
}

/// Its form, and what is in it.
Reply told(const model::Stored& stored) {
  Reply::Array items;
  using Form = model::Stored::Form;
  for (const auto& [name, value] : stored.items) {
    if (stored.form == Form::hash || stored.form == Form::sorted_set) items.emplace_back(std::string(name));
    if (stored.form != Form::sorted_set) items.emplace_back(std::string(value));
  }
  Reply::Array both;
  both.emplace_back(std::string(form_of(stored.form)));
  both.emplace_back(std::move(items));
  return both;
}

}  // namespace

struct StateView::Function {
  std::string_view name;
  std::size_t words;  // that it wants
  Reply (StateView::*answer)(Words) const;
};

const StateView::Function StateView::table[] = {
    {"holders", 1, &StateView::holders}, {"holds", 2, &StateView::holds},
    {"believers", 1, &StateView::believers}, {"waiters", 1, &StateView::waiters},
    {"locks", 0, &StateView::locks}, {"stored", 2, &StateView::stored}, {"left", 2, &StateView::left},
    {"keys", 1, &StateView::keys}, {"master", 0, &StateView::master}, {"up", 1, &StateView::up},
    {"running", 1, &StateView::running}, {"ended", 1, &StateView::ended}};

std::string_view StateView::definitions() {
  return "local ask, fail = redis.call, error "
         "local function named(x) if type(x) ~= 'string' then fail('a name is a text, not a ' .. type(x), 3) "
         "end "
         "return x end "
         "local function holders(lock) return ask('holders', named(lock)) end "
         "local function holds(lock, thread) return ask('holds', named(lock), named(thread)) end "
         "local function believers(lock) return ask('believers', named(lock)) end "
         "local function waiters(lock) return ask('waiters', named(lock)) end "
         "local function locks() return ask('locks') end "
         "local function stored(key, node) local it = ask('stored', named(key), named(node or '')) "
         "if not it then return nil end if it[1] == 'string' then return it[2][1] end "
         "if it[1] ~= 'hash' then return it[2] end local fields = {} "
         "for i = 1, #it[2], 2 do fields[it[2][i]] = it[2][i + 1] end return fields end "
         "local function left(key, node) return ask('left', named(key), named(node or '')) or nil end "
         "local function keys(node) return ask('keys', named(node or '')) end "
         "local function master() return ask('master') or nil end "
         "local function up(node) return ask('up', named(node)) == 1 end "
         "local function running(process) return ask('running', named(process)) == 1 end "
         "local function ended(thread) return ask('ended', named(thread)) == 1 end "
         "local function count(list) local n = 0 for _ in pairs(list) do n = n + 1 end return n end "
         "local function contains(list, item) for _, one in pairs(list) do if one == item then return true "
         "end "
         "end return false end ";
}

Reply StateView::call(Words words) {
  for (const Function& one : table)
    if (one.name == words[0] && words.size() == one.words + 1) return (this->*one.answer)(words.subspan(1));
  return lua::Error{fmt::format("ERR a predicate only looks at the state: there is no `{}`", words[0])};
}

std::optional<lua::Error> StateView::unknown_lock(std::string_view lock) const {
  for (const model::LockObject& object : setup_.objects) {
    if (!object.locks.empty()) continue;  // several at once: each of them is one
    const std::string name = model::resource_name(object.group, object.name);
    if (lock == name || (object.fresh && lock.starts_with(object.name + "#"))) return std::nullopt;
  }
  for (const auto& held : model::Facts(world_, setup_).truths())
    if (held.lock == lock) return std::nullopt;
  return unknown("lock", lock);
}

Reply StateView::holders(Words words) const {
  if (auto error = unknown_lock(words[0])) return *std::move(error);
  const model::Facts facts(world_, setup_);
  Names names;
  for (const auto& held : facts.truths())
    for (const model::Hold& hold : held.truth.holds)
      if (held.lock == words[0] && !hold.lapsed) names.insert(facts.who(hold.holder));
  return list_of(names);
}

Reply StateView::holds(Words words) const {
  if (auto error = unknown_lock(words[0])) return *std::move(error);
  if (!place_in(setup_.threads, words[1])) return unknown("thread", words[1]);
  const model::Facts facts(world_, setup_);
  std::int64_t count = 0;
  for (const auto& held : facts.truths())
    for (const model::Hold& hold : held.truth.holds)
      if (held.lock == words[0] && !hold.lapsed && facts.who(hold.holder) == words[1]) count += hold.count;
  return count;
}

Reply StateView::believers(Words words) const {
  if (auto error = unknown_lock(words[0])) return *std::move(error);
  Names names;
  for (const auto& [claim, belief] : beliefs_.held)
    if (claim.lock == words[0] && belief.depth > 0) names.insert(setup_.thread_name(claim.thread));
  return list_of(names);
}

Reply StateView::waiters(Words words) const {
  if (auto error = unknown_lock(words[0])) return *std::move(error);
  Names names;
  for (const model::Facts::Wait& wait : model::Facts(world_, setup_).waiters())
    if (const auto locks = wait.locks(setup_); std::find(locks.begin(), locks.end(), words[0]) != locks.end())
      names.insert(setup_.thread_name(wait.thread));
  return list_of(names);
}

Reply StateView::locks(Words) const {
  Names names;
  for (const model::LockObject& object : setup_.objects)
    if (!object.fresh && object.locks.empty() && setup_.kinds[object.kind]->is_lock())
      names.insert(model::resource_name(object.group, object.name));
  for (const auto& held : model::Facts(world_, setup_).truths()) names.insert(held.lock);
  return list_of(names);
}

/// The one that is named, or all that are in charge; only those that are up.
std::vector<model::NodeId> StateView::nodes_meant(std::string_view name) const {
  std::vector<model::NodeId> nodes;
  const model::Facts facts(world_, setup_);
  for (std::size_t n = 0; n < setup_.nodes.size(); ++n) {
    const auto node = sim::make_id<model::NodeId>(n);
    const bool meant =
        name.empty() ? facts.master(setup_.nodes[n].group) == node : setup_.nodes[n].name == name;
    if (meant && world_.is_up(node) && !setup_.nodes[n].kind->outside) nodes.push_back(node);
  }
  return nodes;
}

bool StateView::shows_drawn(std::string_view text) const {
  return model::has_number_of(model::names_before_numbers(world_, setup_), text);
}

Reply StateView::stored(Words words) const {
  if (!words[1].empty() && !place_in(setup_.nodes, words[1])) return unknown("node", words[1]);
  for (const model::NodeId node : nodes_meant(words[1]))
    if (const auto found = setup_.kind_of(node).look(*world_.nodes[node.index()])(std::string(words[0]))) {
      for (const auto& [name, value] : found->items)
        if (shows_drawn(name) || shows_drawn(value)) return drawn(words[0]);
      return told(*found);
    }
  return {};
}

Reply StateView::left(Words words) const {
  if (!words[1].empty() && !place_in(setup_.nodes, words[1])) return unknown("node", words[1]);
  for (const model::NodeId node : nodes_meant(words[1]))
    if (const auto found = setup_.kind_of(node).look(*world_.nodes[node.index()])(std::string(words[0])))
      return found->left ? Reply(std::int64_t{found->left->count()}) : Reply();
  return {};
}

Reply StateView::keys(Words words) const {
  if (!words[0].empty() && !place_in(setup_.nodes, words[0])) return unknown("node", words[0]);
  Names names;
  for (const model::NodeId node : nodes_meant(words[0]))
    for (std::string& key : setup_.kind_of(node).look(*world_.nodes[node.index()]).all()) {
      if (shows_drawn(key)) return drawn(key);
      names.insert(std::move(key));
    }
  return list_of(names);
}

Reply StateView::master(Words) const {
  const auto node = model::Facts(world_, setup_).master();
  return node ? Reply(setup_.nodes[node->index()].name) : Reply();
}

Reply StateView::up(Words words) const {
  const auto node = place_in(setup_.nodes, words[0]);
  if (!node) return unknown("node", words[0]);
  return std::int64_t{world_.is_up(sim::make_id<model::NodeId>(*node))};
}

Reply StateView::running(Words words) const {
  const auto process = place_in(setup_.processes, words[0]);
  if (!process) return unknown("process", words[0]);
  const auto id = sim::make_id<model::ProcessId>(*process);
  const model::Facts facts(world_, setup_);
  return std::int64_t{!facts.process_dead(id) && !facts.process_paused(id)};
}

Reply StateView::ended(Words words) const {
  const auto thread = place_in(setup_.threads, words[0]);
  if (!thread) return unknown("thread", words[0]);
  return std::int64_t{model::Facts(world_, setup_).has_ended(sim::make_id<ThreadId>(*thread))};
}

}  // namespace lockstep::properties
