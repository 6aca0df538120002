// Laws of renaming, on values in which names stand in every place where they can.
#include "sim/base/rename.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/base/bag.h"
#include "sim/base/boxed.h"
#include "sim/base/cow.h"
#include "sim/base/table.h"

namespace lockstep::sim {
namespace {

constexpr std::uint16_t actors = 3;

struct Note {
  static constexpr std::string_view kind = "note";
  ThreadId thread;
  std::string text;
  bool operator==(const Note&) const = default;
  static auto fields(auto& n) { return std::tie(n.thread, n.text); }
};

/// Keeps its list in ascending order.
struct Ascending {
  std::vector<ThreadId> threads;
  void renamed() { std::sort(threads.begin(), threads.end()); }
  bool operator==(const Ascending&) const = default;
  static auto fields(auto& a) { return std::tie(a.threads); }
};

struct Naming {
  ProcessId process;
  NodeId node;
  std::optional<ThreadId> maybe;
  std::variant<std::monostate, Note> either;
  std::vector<ProcessId> queue;
  std::map<std::pair<int, ThreadId>, std::string> by_thread;
  std::set<std::string> names;
  Table<ProcessId, std::vector<Note>> of_process;
  Table<NodeId, ProcessId> of_node;
  Table<ProcessId, Table<PlaceId, int>> nested;
  Bag<Note> bag;
  Ascending ascending;
  Cow<Note> shared;
  Boxed<struct NamingTag> box;
  bool operator==(const Naming&) const = default;
  static auto fields(auto& e) {
    return std::tie(e.process, e.node, e.maybe, e.either, e.queue, e.by_thread, e.names, e.of_process,
                    e.of_node, e.nested, e.bag, e.ascending, e.shared, e.box);
  }
};
static_assert(State<Naming>);

template <class SomeId>
SomeId any_id() { return make_id<SomeId>(*rc::gen::inRange<std::size_t>(0, actors)); }
template <class SomeId>
std::vector<SomeId> any_permutation(std::size_t size) {
  std::vector<SomeId> all;
  for (std::size_t i = 0; i < size; ++i) all.push_back(make_id<SomeId>(i));
  for (std::size_t i = size; i > 1; --i) std::swap(all[i - 1], all[*rc::gen::inRange<std::size_t>(0, i)]);
  return all;
}
template <class SomeId>
std::vector<SomeId> inverse(const std::vector<SomeId>& permutation) {
  std::vector<SomeId> back(permutation.size());
  for (std::size_t i = 0; i < back.size(); ++i) back[permutation[i].index()] = make_id<SomeId>(i);
  return back;
}

Note any_note() {
  return {any_id<ThreadId>(), std::string(1, static_cast<char>('0' + any_id<ProcessId>().value))};
}

Naming any_naming() {
  Naming value;
  value.process = any_id<ProcessId>();
  value.node = any_id<NodeId>();
  if (*rc::gen::arbitrary<bool>()) value.maybe = any_id<ThreadId>();
  if (*rc::gen::arbitrary<bool>()) value.either = any_note();
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
    value.queue.push_back(any_id<ProcessId>());
    value.by_thread[{left, any_id<ThreadId>()}] = any_note().text;
    value.names.insert(any_note().text);
    value.bag.insert(any_note());
    value.ascending.threads.push_back(any_id<ThreadId>());
  }
  value.ascending.renamed();
  for (int i = 0; i < actors; ++i) {
    value.of_process.rows.push_back({any_note()});
    value.of_node.rows.push_back(any_id<ProcessId>());
    value.nested.rows.push_back({{10 * i, 10 * i + 1}});
  }
  value.shared = any_note();
  value.box = any_note();
  return value;
}

/// Texts hold one digit: a process.
std::function<void(std::string&, Named&)> text_of(std::vector<ProcessId> processes) {
  return [processes = std::move(processes)](std::string& text, Named& named) {
    const auto old = static_cast<std::size_t>(text.at(0) - '0');
    named.note(make_id<ProcessId>(old));
    text.at(0) = static_cast<char>('0' + processes[old].value);
  };
}

Names any_names() {
  Names names{any_permutation<ProcessId>(actors), any_permutation<ThreadId>(actors), {}, {}, {}};
  if (*rc::gen::arbitrary<bool>()) names.nodes = any_permutation<NodeId>(actors);
  for (int i = 0; i < actors; ++i) names.places.push_back(any_permutation<PlaceId>(2));
  names.text = text_of(names.processes);
  return names;
}

Names inverse(const Names& names) {
  Names back{inverse(names.processes), inverse(names.threads), {}, inverse(names.nodes), {}};
  for (const ProcessId old : back.processes) back.places.push_back(inverse(names.places[old.index()]));
  back.text = text_of(back.processes);
  return back;
}

Naming renamed(Naming value, const Names& names) {
  rename(value, Renaming(names));
  return value;
}

RC_GTEST_PROP(Rename, ThereAndBackIsNoChange, ()) {
  const Naming value = any_naming();
  const Names names = any_names();
  RC_ASSERT(renamed(renamed(value, names), inverse(names)) == value);
}

RC_GTEST_PROP(Rename, TellsApartWhatWasDifferent, ()) {
  const Naming a = any_naming(), b = any_naming();
  const Names names = any_names();
  RC_ASSERT((renamed(a, names) == renamed(b, names)) == (a == b));
}

TEST(Rename, NotesWhoIsNamed) {
  const Names names{{ProcessId{1}, ProcessId{0}, ProcessId{2}},
                    {ThreadId{1}, ThreadId{0}, ThreadId{2}},
                    {{PlaceId{0}}, {PlaceId{0}}, {PlaceId{0}}},
                    {},
                    text_of({ProcessId{1}, ProcessId{0}, ProcessId{2}})};
  Named named;
  const Renaming renaming(names, &named);
  ProcessId process{0};
  rename(process, renaming);
  EXPECT_TRUE(named.has(ProcessId{0})) << "by its old name";
  EXPECT_FALSE(named.has(ProcessId{1}));
  ThreadId thread{2};
  rename(thread, renaming);
  EXPECT_TRUE(named.has(ThreadId{2}));
  EXPECT_FALSE(named.has(ThreadId{0}));
  std::string text = "1";
  rename(text, renaming);
  EXPECT_EQ(text, "0");
  EXPECT_TRUE(named.has(ProcessId{1}));
  PlaceId place{0};
  rename(place, renaming);
  EXPECT_FALSE(named.has(ProcessId{2})) << "it is inside of nobody";
  rename(place, renaming.inside(ProcessId{2}));
  EXPECT_TRUE(named.has(ProcessId{2}));
}

RC_GTEST_PROP(Rename, WithoutNewNamesChangesNothing, ()) {
  const Naming value = any_naming();
  RC_ASSERT(renamed(value, Names{}) == value);
}

TEST(Rename, ReachesElementsKeysRowsAndTexts) {
  Naming value;
  value.process = ProcessId{0};
  value.node = NodeId{0};
  value.by_thread = {{{7, ThreadId{1}}, "0"}};
  value.ascending.threads = {ThreadId{0}, ThreadId{1}};
  value.of_process.rows = {{Note{ThreadId{0}, "0"}}, {}};
  value.nested.rows = {{{1, 2}}, {{3, 4}}};
  value.box = Note{ThreadId{1}, "1"};
  const Names names{{ProcessId{1}, ProcessId{0}},
                    {ThreadId{1}, ThreadId{0}},
                    {{PlaceId{1}, PlaceId{0}}},
                    {},
                    text_of({ProcessId{1}, ProcessId{0}})};
  rename(value.of_process, Renaming(names));
  EXPECT_EQ(value.of_process.rows, (std::vector<std::vector<Note>>{{}, {Note{ThreadId{1}, "1"}}}));
  rename(value.by_thread, Renaming(names));
  EXPECT_EQ(value.by_thread.begin()->first, (std::pair{7, ThreadId{0}}));
  EXPECT_EQ(value.by_thread.begin()->second, "1");
  rename(value.nested, Renaming(names));
  EXPECT_EQ(value.nested[ProcessId{1}].rows, (std::vector<int>{2, 1}))
      << "its places changed with its process";
  EXPECT_EQ(value.nested[ProcessId{0}].rows, (std::vector<int>{3, 4}));
  rename(value.ascending, Renaming(names));
  EXPECT_EQ(value.ascending.threads, (std::vector<ThreadId>{ThreadId{0}, ThreadId{1}}));
  rename(value.box, Renaming(names));
  EXPECT_EQ(value.box.get<Note>(), (Note{ThreadId{0}, "0"}));
  rename(value.node, Renaming(names));
  EXPECT_EQ(value.node, NodeId{0}) << "nodes keep their names";
  const Names of_nodes{.nodes = {NodeId{2}, NodeId{0}, NodeId{1}}};
  rename(value.node, Renaming(of_nodes));
  EXPECT_EQ(value.node, NodeId{2});
  value.of_node.rows = {ProcessId{5}, ProcessId{6}, ProcessId{7}};
  rename(value.of_node, Renaming(of_nodes));
  EXPECT_EQ(value.of_node.rows, (std::vector<ProcessId>{ProcessId{6}, ProcessId{7}, ProcessId{5}}));
  std::vector<int> by_node{5, 6, 7};
  rename_places(by_node, Renaming(of_nodes));
  EXPECT_EQ(by_node, (std::vector<int>{6, 7, 5}));
  rename_places(by_node, Renaming(names));
  EXPECT_EQ(by_node, (std::vector<int>{6, 7, 5})) << "nodes keep their places";
}

}  // namespace
}  // namespace lockstep::sim
