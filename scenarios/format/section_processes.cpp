// [process.NAME]: programs, counts, names and ids.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/client/outside.h"
#include "model/redis/cluster/slots.h"
#include "scenarios/format/reader.h"
#include "scenarios/format/scenario_sections.h"

namespace lockstep::scenarios {

using model::ProcessSetup;
using model::Setup;
using model::Step;
using model::ThreadSetup;

namespace {

constexpr std::int64_t processes_max = 1'000;
constexpr std::int64_t threads_max = 65'000;  // ids have 16 bits
constexpr std::int64_t waits_max = 15;       // replicas, as in [redis]
constexpr std::size_t steps_max = 1'000'000;  // of all programs together

struct DraftThread {
  std::vector<Step> program;
  std::vector<Place> places;  // one for each step
  std::int64_t java_id = 0;
};

/// One process as it will be; those that a `count` makes share their threads with the first of them.
struct DraftProcess {
  std::string name;
  std::string client_id;
  sim::Duration clock_offset{};
  std::optional<std::uint16_t> wait;
  std::size_t threads = 0;  // index into ProcessReader::programs_
  Place place;
  std::optional<Place> scripts;
};

/// Anything that can be seen, and that a line of a trail gives back as it was.
bool is_process_name(std::string_view name) {
  const bool blank_at_end = name.starts_with(' ') || name.ends_with(' ');
  return !name.empty() && name.size() <= 64 && !blank_at_end &&
         std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f || c == '\''; });
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : std::string_view("0123456789abcdef").find(text[i]) == std::string_view::npos)
      return false;
  }
  return true;
}

class ProcessReader {
 public:
  ProcessReader(TomlReading& reading, Setup& setup)
      : reading_(reading), setup_(setup), names_{setup.kinds, {}, {}} {}

  ProgramPlaces read(const toml::table& table);

 private:
  void process(const toml::key& key, const toml::node& node);
  void threads(const toml::table& table, std::string_view process);
  void thread(const toml::node& node, std::vector<DraftThread>& threads);
  void copies(const toml::table& table, std::int64_t count, DraftThread first,
              std::vector<DraftThread>& threads);
  DraftThread program(const toml::array& steps);
  bool is_node(const std::string& name) const {
    return std::any_of(setup_.nodes.begin(), setup_.nodes.end(),
                       [&](const model::NodeSetup& node) { return node.name == name; });
  }
  void check_sizes(const toml::key& key, std::int64_t count);
  std::optional<std::uint16_t> replicas_waited_for(const toml::table& table);
  void assemble();
  void check_signals();
  /// Locks and signals get their numbers in the order in which the programs of the Setup name them, which
  /// does not depend on how the file is written.
  void number_names();

  TomlReading& reading_;
  Setup& setup_;
  Names names_;
  std::vector<std::vector<DraftThread>> programs_;
  std::vector<DraftProcess> drafts_;
  std::int64_t process_total_ = 0, thread_total_ = 0;
  std::size_t step_total_ = 0;
  ProgramPlaces places_;
};

/// Why a lock cannot lie in a cluster as it is named.
std::optional<std::string> misplaced(const model::LockObject& lock, const Setup& setup) {
  if (setup.kinds[lock.kind]->spread == model::Spread::all_groups)
    return "a lock on several masters wants `mode = \"independent\"`: in a cluster its key has one";
  if (lock.group.value != 0) return "in a cluster the slot of its name says where a lock lies, not `on`";
  if (lock.made_of.size() == 1)
    return "a cluster has one place for this name, so this wants several: `multi:a+b`";
  if (lock.fresh && redis::cluster::hash_tag(lock.name + "#1") == lock.name + "#1")
    return fmt::format("in a cluster each new key of `{0}#fresh` has a slot of its own: `{{{0}}}#fresh`",
                       lock.name);
  for (const model::LockObject& other : lock.made_of)
    if (const auto what = misplaced(other, setup)) return what;
  return std::nullopt;
}

DraftThread ProcessReader::program(const toml::array& steps) {
  std::vector<ParsedStep> parsed;
  std::vector<const toml::value<std::string>*> texts;
  if (steps.empty()) reading_.fail(reading_.place_of(steps), "a thread wants at least one step");
  for (const toml::node& node : steps) {
    const auto* text = node.as_string();
    if (text == nullptr) {
      reading_.fail(reading_.place_of(node),
                    fmt::format("a step is a string, not {}", TomlReading::type_of(node)));
      return {};
    }
    texts.push_back(text);
    if (const auto found = parse_steps(text->get(), texts.size() - 1, names_, parsed)) {
      reading_.fail(reading_.place_in(*text, found->offset, found->length), found->what, found->hint);
      return {};
    }
  }
  if (const auto why = not_for_ever(names_, parsed)) {
    const ParsedStep& end = parsed.back();
    reading_.fail(reading_.place_in(*texts[end.text_index], end.offset, end.length), *why);
    return {};
  }
  set_refusal_jumps(names_, parsed);
  DraftThread thread;
  for (ParsedStep& each : parsed) {
    const std::size_t group = is_call(each.step.kind) ? names_.objects[each.step.object].group.index() : 0;
    const bool is_of_lock = is_call(each.step.kind) && each.step.kind != model::StepKind::command &&
                            each.step.kind != model::StepKind::write;
    if (setup_.topology == model::Topology::cluster && is_of_lock) {
      if (const auto what = misplaced(names_.objects[each.step.object], setup_))
        reading_.fail(reading_.place_in(*texts[each.text_index], each.offset, each.length), *what);
    } else if (group >= setup_.group_count()) {
      reading_.fail(reading_.place_in(*texts[each.text_index], each.offset, each.length),
                    fmt::format("there is no master `R{}` of a group of its own", group),
                    "`on` is for `mode = \"independent\"` in [redis]");
    }
    if (is_call(each.step.kind) && names_.objects[each.step.object].made_of.size() == 1 &&
        setup_.group_count() == 1)
      reading_.fail(reading_.place_in(*texts[each.text_index], each.offset, each.length),
                    fmt::format("this lock wants several others: `{}:a+b`",
                                model::shipped_kinds()[names_.objects[each.step.object].kind]->name),
                    "one name is that of a lock on each master of `mode = \"independent\"`");
    if (each.step.kind == model::StepKind::write && is_node(names_.objects[each.step.object].name))
      reading_.fail(reading_.place_in(*texts[each.text_index], each.offset, each.length),
                    "a resource is called as a node is");
    thread.places.push_back(reading_.place_in(*texts[each.text_index], each.offset, each.length));
    thread.program.push_back(std::move(each.step));
  }
  return thread;
}

void ProcessReader::copies(const toml::table& table, std::int64_t count, DraftThread first,
                           std::vector<DraftThread>& threads) {
  const auto id = reading_.integer(table, "id", 1, 1'000'000'000);
  if (id && count > 1) {
    reading_.fail(reading_.place_of(table.find("id")->first),
                  "a thread with a `count` cannot have an `id` of its own");
  }
  for (std::int64_t i = 0; i < count; ++i) {
    threads.push_back(first);
    threads.back().java_id = id ? *id : static_cast<std::int64_t>(threads.size());
  }
}

void ProcessReader::thread(const toml::node& node, std::vector<DraftThread>& threads) {
  if (const toml::array* steps = node.as_array()) {
    threads.push_back(program(*steps));
    threads.back().java_id = static_cast<std::int64_t>(threads.size());
    return;
  }
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    const std::string_view advice =
        node.is_string() ? "write `[[\"step\", \"step\"]]`: a list of threads, each a list" : "";
    reading_.fail(reading_.place_of(node),
                  fmt::format("a thread is a list of steps, not {}", TomlReading::type_of(node)),
                  std::string(advice));
    return;
  }
  reading_.only(*table, "a thread", {"steps", "count", "id"});
  const toml::array* steps = reading_.array(*table, "steps", "a list of steps");
  if (table->get("steps") == nullptr) reading_.fail(reading_.place_of(node), "a thread wants `steps`");
  const std::int64_t count = reading_.integer(*table, "count", 1, threads_max).value_or(1);
  DraftThread first = steps != nullptr ? program(*steps) : DraftThread{};
  const std::size_t each = std::max<std::size_t>(1, first.program.size());
  if (threads.size() + static_cast<std::size_t>(count) > static_cast<std::size_t>(threads_max)) {
    return reading_.fail(reading_.place_of(node), fmt::format("more than {} threads", threads_max));
  }
  if (each * static_cast<std::size_t>(count) > steps_max) {
    return reading_.fail(reading_.place_of(node),
                         fmt::format("more than {} steps in all programs together", steps_max));
  }
  copies(*table, count, std::move(first), threads);
}

void ProcessReader::threads(const toml::table& table, std::string_view process) {
  std::vector<DraftThread> threads;
  const toml::array* list = reading_.array(table, "threads", "a list of threads, each a list of steps");
  if (list != nullptr && list->empty())
    reading_.fail(reading_.place_of(*list), "`threads` wants at least one thread");
  if (list != nullptr) {
    for (const toml::node& node : *list) {
      thread(node, threads);
      if (reading_.failed()) break;
    }
  }
  std::set<std::int64_t> ids;
  for (const DraftThread& each : threads) {
    if (!ids.insert(each.java_id).second && list != nullptr) {
      reading_.fail(reading_.place_of(*list),
                    fmt::format("two threads of process {} have the Java id {}", process, each.java_id));
    }
  }
  programs_.push_back(std::move(threads));
}

void ProcessReader::check_sizes(const toml::key& key, std::int64_t count) {
  std::size_t steps = 0;
  for (const DraftThread& thread : programs_.back()) steps += thread.program.size();
  process_total_ += count;
  thread_total_ += count * static_cast<std::int64_t>(programs_.back().size());
  step_total_ += static_cast<std::size_t>(count) * steps;
  const Place place = reading_.place_of(key);
  if (process_total_ > processes_max)
    reading_.fail(place, fmt::format("more than {} processes", processes_max));
  if (thread_total_ > threads_max) reading_.fail(place, fmt::format("more than {} threads", threads_max));
  if (step_total_ > steps_max) {
    reading_.fail(place, fmt::format("more than {} steps in all programs together", steps_max));
  }
}

std::optional<std::uint16_t> ProcessReader::replicas_waited_for(const toml::table& table) {
  const auto wait = reading_.integer(table, "wait", 0, waits_max);
  if (!wait) return std::nullopt;
  const auto is_replica = [](const model::NodeSetup& one) { return one.role == model::ServerRole::replica; };
  if (std::none_of(setup_.nodes.begin(), setup_.nodes.end(), is_replica))
    reading_.fail(reading_.place_of(*table.get("wait")), "`wait` counts replicas, and there are none");
  return static_cast<std::uint16_t>(*wait);
}

void ProcessReader::process(const toml::key& key, const toml::node& node) {
  const std::string name(key.str());
  const Place place = reading_.place_of(key);
  if (!is_process_name(name)) {
    return reading_.fail(
        place,
        fmt::format("`{}` is no name for a process: 64 visible bytes at most, no quote, no blank at an end",
                    name));
  }
  const toml::table* table = node.as_table();
  if (table == nullptr) return reading_.wants(node, name, "a table");
  const std::string where = fmt::format("[process.{}]", name);
  reading_.only(*table, where,
                {"threads", "count", "id", "clock", "scripts", "wait", "watchdog", "redisson"});
  if (table->get("threads") == nullptr) {
    reading_.fail(place, fmt::format("{} has no `threads`", where),
                  "write `threads = [[\"lock orders\", \"unlock orders\"]]`");
  }
  threads(*table, name);
  const std::int64_t count = reading_.integer(*table, "count", 1, processes_max).value_or(1);
  check_sizes(key, count);
  DraftProcess draft{.name = name, .threads = programs_.size() - 1, .place = place};
  if (const toml::node* scripts = table->get("scripts")) draft.scripts = reading_.place_of(*scripts);
  draft.clock_offset = reading_.offset(*table, "clock").value_or(sim::Duration::zero());
  draft.wait = replicas_waited_for(*table);
  if (const auto* id = reading_.text(*table, "id")) {
    draft.client_id = id->get();
    if (count > 1)
      reading_.fail(reading_.place_of(*id), "a process with a `count` cannot have an `id` of its own");
    if (!is_uuid(draft.client_id)) {
      reading_.fail(reading_.place_of(*id), fmt::format("`{}` is no UUID in lower case", draft.client_id));
    }
  }
  for (std::int64_t i = 1; i <= count && !reading_.failed(); ++i) {
    drafts_.push_back(draft);
    if (count > 1) drafts_.back().name = fmt::format("{}-{}", name, i);
  }
}

void ProcessReader::check_signals() {
  std::set<std::uint16_t> given;
  for (const auto& threads : programs_) {
    for (const DraftThread& thread : threads) {
      for (const Step& step : thread.program) {
        if (step.kind == model::StepKind::signal) given.insert(step.signal);
      }
    }
  }
  for (const auto& threads : programs_) {
    for (const DraftThread& thread : threads) {
      for (std::size_t i = 0; i < thread.program.size(); ++i) {
        const Step& step = thread.program[i];
        if (step.kind != model::StepKind::await || given.count(step.signal) != 0) continue;
        reading_.fail(thread.places[i],
                      fmt::format("no thread ever gives the signal `{}`", names_.signals[step.signal]));
      }
    }
  }
}

void ProcessReader::assemble() {
  std::stable_sort(drafts_.begin(), drafts_.end(),
                   [](const DraftProcess& a, const DraftProcess& b) { return natural_less(a.name, b.name); });
  std::set<std::string> names, ids;
  for (const model::NodeSetup& node : setup_.nodes) names.insert(node.name);
  for (const model::LockObject& object : names_.objects)
    if (object.kind == model::number_of(model::resources)) names.insert(object.name);
  for (std::size_t p = 0; p < drafts_.size(); ++p) {
    const DraftProcess& draft = drafts_[p];
    if (!names.insert(draft.name).second) {
      reading_.fail(
          draft.place,
          fmt::format("the name {} is given twice (nodes are R0, R1 …; `count` makes NAME-1, NAME-2 …)",
                      draft.name));
    }
    ProcessSetup process{
        .name = draft.name, .client_id = draft.client_id, .clock_offset = draft.clock_offset};
    process.wait = draft.wait;
    if (process.client_id.empty()) process.client_id = default_client_id(p);
    if (!ids.insert(process.client_id).second) {
      reading_.fail(draft.place, fmt::format("two processes have the client id {}", process.client_id));
    }
    setup_.processes.push_back(std::move(process));
    places_.scripts.push_back(draft.scripts);
    const bool digit = draft.name.back() >= '0' && draft.name.back() <= '9';
    const std::vector<DraftThread>& threads = programs_[draft.threads];
    for (std::size_t t = 0; t < threads.size(); ++t) {
      places_.steps.push_back(threads[t].places);
      setup_.threads.push_back({.name = fmt::format("{}{}{}", draft.name, digit ? "." : "", t + 1),
                                .process = sim::make_id<sim::ProcessId>(p),
                                .java_id = threads[t].java_id,
                                .program = threads[t].program});
    }
  }
}

void ProcessReader::number_names() {
  Names ordered;
  for (ThreadSetup& thread : setup_.threads) {
    for (Step& step : thread.program) {
      if (is_call(step.kind)) step.object = ordered.object(names_.objects[step.object]);
      if (step.kind == model::StepKind::signal || step.kind == model::StepKind::await) {
        step.signal = ordered.signal(names_.signals[step.signal]);
      }
    }
  }
  setup_.objects = std::move(ordered.objects);
  setup_.signals = std::move(ordered.signals);
}

ProgramPlaces ProcessReader::read(const toml::table& table) {
  for (auto&& [key, node] : table) process(key, node);
  if (reading_.failed()) return {};
  check_signals();
  assemble();
  if (!reading_.failed()) number_names();
  return std::move(places_);
}

}  // namespace

ProgramPlaces read_processes(TomlReading& reading, const toml::table& table, Setup& setup) {
  return ProcessReader(reading, setup).read(table);
}

}  // namespace lockstep::scenarios
