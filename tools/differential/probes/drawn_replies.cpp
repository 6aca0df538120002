#include "tools/differential/probes/drawn_replies.h"

#include <algorithm>
#include <set>

#include "model/redis/arguments.h"

namespace lockstep::redis::testing {

namespace {

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The two nulls of RESP2 look alike to hiredis.
std::string rendered(const Reply& reply) {
  return std::holds_alternative<lua::NilArray>(reply.value) ? "(nil)" : render(reply);
}

std::string difference_of(const std::string& model, const std::string& real) {
  return model == real ? "" : "the model says " + model + "\nthe server says " + real;
}

template <class T>
const T* value_of(const Node& node, std::string_view key) {
  const Entry* const entry = node.db.find(key);
  return entry ? std::get_if<T>(&entry->value) : nullptr;
}

bool holds(const Node& node, std::string_view key, const std::string& member) {
  if (const auto* const set = value_of<Set>(node, key)) return set->contains(member);
  const auto* const sorted = value_of<SortedSet>(node, key);
  return sorted && sorted->score(member);
}

/// The replies of a bulk, of an array, or none.
Reply::Array items_of(const Reply& reply) {
  if (reply.array()) return *reply.array();
  return reply.bulk() ? Reply::Array{reply} : Reply::Array{};
}

std::string sorted_items(const Reply& reply) {
  if (!reply.array()) return rendered(reply);
  std::vector<std::string> items;
  for (const Reply& item : *reply.array()) items.push_back(render(item));
  std::sort(items.begin(), items.end());
  std::string text;
  for (const std::string& item : items) text += item + ' ';
  return text;
}

/// As many as the model drew, each of them there, with its score, and none twice unless the count is
/// negative.
std::string check_drawn(const Node& before, const Command& command, const Reply& own, const Reply& real) {
  const Reply::Array drawn = items_of(real);
  const bool same_kind = real.value.index() == own.value.index() || (!real.array() && !real.bulk());
  if (!same_kind || drawn.size() != items_of(own).size()) return difference_of(rendered(own), rendered(real));
  if (drawn.empty()) return difference_of(rendered(own), rendered(real));
  const bool with_scores = command.size() == 4, distinct = command.size() == 2 || command[2][0] != '-';
  std::set<std::string> seen;
  for (std::size_t i = 0; i < drawn.size(); i += with_scores ? 2 : 1) {
    const std::string& member = *drawn[i].bulk();
    if (!holds(before, command[1], member)) return "the server drew what is not there: " + member;
    if (!seen.insert(member).second && distinct) return "the server drew twice: " + member;
    if (!with_scores) continue;
    const std::string score = format_score(*value_of<SortedSet>(before, command[1])->score(member));
    if (score != *drawn[i + 1].bulk()) return difference_of(score, rendered(real));
  }
  const auto* const sorted = value_of<SortedSet>(before, command[1]);
  const bool all = sorted && distinct && command.size() > 2 && seen.size() == sorted->entries.size();
  return all && seen.size() > 1 ? difference_of(rendered(own), rendered(real)) : "";
}

/// Removes from the model what the server popped. Where Redis moves the few that remain to a new set
/// (t_set.c, spopWithCountCommand), that one may be an intset although the old one was none.
void pop_the_same(TestClient& model, const Command& command, const Reply& real, Effects& effects) {
  const Reply::Array popped = items_of(real);
  Command removal{"SREM", command[1]};
  for (std::size_t i = 0; i < popped.size(); ++i) {
    removal.push_back(*popped[i].bulk());
    if (i < effects.size() && effects[i].words[0] == "SREM") effects[i].words[2] = removal.back();
  }
  model.execute(removal);
  Entry* const left = model.node.db.find(command[1]);
  if (!left || command.size() == 2) return;
  Set& set = std::get<Set>(left->value);
  if (set.members.size() * 5 > popped.size()) return;
  Set anew;
  for (const std::string& member : set.members) anew.insert(member);
  set = anew;
}

/// Everything from this cursor on, each element or pair once.
std::set<std::string> scan_all(Reply page, Command command, const std::function<Reply(const Command&)>& ask) {
  std::set<std::string> found;
  const bool pairs = to_lower(command[0]) == "zscan";
  while (page.array()) {
    const Reply::Array items = *page.array()->back().array();
    for (std::size_t i = 0; i < items.size(); i += pairs ? 2 : 1)
      found.insert(render(items[i]) + (pairs ? ' ' + render(items[i + 1]) : ""));
    command[2] = *page.array()->front().bulk();
    if (command[2] == "0") break;
    page = ask(command);
  }
  return found;
}

std::string check_scan(TestClient& model, const Command& command, const Reply& own, const Reply& real,
                       const std::function<Reply(const Command&)>& ask) {
  if (!own.array() || !real.array()) return difference_of(rendered(own), rendered(real));
  const auto* const set = value_of<Set>(model.node, command[1]);
  const auto* const sorted = value_of<SortedSet>(model.node, command[1]);
  const bool compact = set ? set->integers : !sorted || sorted->compact;
  if (compact) return difference_of(rendered(own), rendered(real));
  if (command[2] != "0") return "";  // a place in the server's own hash table
  const auto on_model = [&](const Command& next) { return model.execute(next).reply; };
  const auto one = scan_all(own, command, on_model), other = scan_all(real, command, ask);
  if (one == other) return "";
  std::string text = "a whole scan differs:";
  for (const std::string& element : one) text += ' ' + element;
  text += " / the server has:";
  for (const std::string& element : other) text += ' ' + element;
  return text;
}

/// Only what comes from intsets alone, and is none too large for one, comes in an order.
bool in_order(const Node& node, const Command& command, const Reply& reply) {
  if (reply.array() && reply.array()->size() > compact_elements_max) return false;
  return std::all_of(command.begin() + 1, command.end(), [&](const std::string& key) {
    const auto* const set = value_of<Set>(node, key);
    return !set || set->integers;
  });
}

}  // namespace

bool is_drawn_or_unordered(const Command& command) {
  return is_any_of(to_lower(command[0]), {"spop", "srandmember", "zrandmember", "sscan", "zscan", "smembers",
                                          "sinter", "sunion", "sdiff"});
}

DrawnReply compare_drawn(TestClient& model, const Command& command, const Reply& real,
                         const std::function<Reply(const Command&)>& ask) {
  const std::string name = to_lower(command[0]);
  const Node before = model.node;
  Outcome own = model.execute(command);
  if (std::holds_alternative<lua::Error>(own.reply.value) || std::holds_alternative<lua::Error>(real.value))
    return {difference_of(rendered(own.reply), rendered(real)), own.effects};
  if (is_any_of(name, {"sscan", "zscan"}))
    return {check_scan(model, command, own.reply, real, ask), own.effects};
  if (is_any_of(name, {"spop", "srandmember", "zrandmember"})) {
    const std::string difference = check_drawn(before, command, own.reply, real);
    if (name == "spop" && difference.empty() && !items_of(real).empty()) {
      model.node = before;
      pop_the_same(model, command, real, own.effects);
    }
    return {difference, own.effects};
  }
  if (in_order(before, command, own.reply))
    return {difference_of(rendered(own.reply), rendered(real)), own.effects};
  return {difference_of(sorted_items(own.reply), sorted_items(real)), own.effects};
}

}  // namespace lockstep::redis::testing
