#include "scenarios/format/normalise.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "model/client/own_scripts.h"
#include "model/redisson/versions.h"
#include "model/world/faults/table.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/reader.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/script_reader.h"
#include "scenarios/format/section_schemes.h"
#include "scenarios/format/step_parser.h"
#include "sim/base/digest.h"

namespace lockstep::scenarios {

using model::Setup;
using model::Step;
using model::StepKind;
using model::ThreadSetup;

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

namespace {

template <class Range, class Print>
std::string list_of(const Range& range, Print print_one) {
  std::string out;
  for (const auto& each : range) out += (out.empty() ? "" : ", ") + toml_text(print_one(each));
  return "[" + out + "]";
}

std::string date_time(std::int64_t epoch_ms) {
  using namespace std::chrono;
  const sys_time<milliseconds> at{milliseconds(epoch_ms)};
  const sys_days day = floor<days>(at);
  const year_month_day date{day};
  const hh_mm_ss<milliseconds> time{at - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

std::string scripts_value(const lua::ScriptSet& scripts) {
  const SetName name = split_set_name(scripts.name);
  if (name.replaced.empty()) return toml_text(name.base);
  std::string out = "{ set = " + toml_text(name.base);
  for (const std::string& role : name.replaced) {
    out += fmt::format(", {} = {}", toml_text(role), toml_text(scripts.roles.at(role).file));
  }
  return out + " }";
}

std::string network_value(const model::Network& network) {
  switch (network.kind) {
    case model::NetworkKind::no_delay:
      return "no delay";
    case model::NetworkKind::any:
      return "any";
    case model::NetworkKind::interval:
      return print(network.delay);
  }
  return {};
}

void print_time(std::string& out, const Setup& setup) {
  out += "\n[time]\n";
  out += fmt::format("epoch = {}\n", date_time(setup.epoch_ms));
  out += fmt::format("grain = \"{}\"\n", setup.exact ? "exact" : print(setup.grain));
  if (setup.network.held_max > 0) out += fmt::format("held_max = {}\n", setup.network.held_max);
  if (setup.horizon) out += fmt::format("horizon = \"{}\"\n", print(*setup.horizon));
  out += fmt::format("network = \"{}\"\n", network_value(setup.network));
  out += fmt::format("watchdog = \"{}\"\n", print(setup.client.watchdog));
}

std::string quoted_if_dotted(const std::string& name) {
  return name.find('.') == std::string::npos ? name : toml_text(name);
}

/// Without the resources that programs write to, and without Sentinels.
std::vector<model::NodeSetup> redis_nodes(const Setup& setup) {
  std::vector<model::NodeSetup> nodes = setup.nodes;
  std::erase_if(nodes, [](const model::NodeSetup& node) {
    return node.kind->outside || node.role == model::ServerRole::sentinel;
  });
  return nodes;
}

std::string save_points(const std::vector<model::SavePoint>& points) {
  std::string text;
  for (const model::SavePoint& point : points)
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", point.after.count() / 1'000, point.changes);
  return text;
}

void print_sentinels(std::string& out, const Setup& setup) {
  const auto count = std::count_if(setup.nodes.begin(), setup.nodes.end(), [](const model::NodeSetup& node) {
    return node.role == model::ServerRole::sentinel;
  });
  out += fmt::format("down-after = \"{}\"\nfailover-timeout = \"{}\"\nquorum = {}\nsentinels = {}\n",
                     print(setup.watching.down_after), print(setup.watching.failover_timeout),
                     setup.watching.quorum, count);
}

void print_slots(std::string& out, const std::vector<model::NodeSetup>& nodes) {
  out += "\n[redis.slots]\n";
  for (const model::NodeSetup& node : nodes) {
    if (node.role != model::ServerRole::master) continue;
    std::string text;
    for (const auto& [first, last] : node.slots)
      text += fmt::format("{}{}", text.empty() ? "" : " ",
                          first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
    out += fmt::format("{} = \"{}\"\n", node.name, text);
  }
}

void print_redis(std::string& out, const Setup& setup) {
  out += "\n[redis]\n";
  out += fmt::format("expiry = \"{}\"\n", expiry_words[static_cast<std::size_t>(setup.expiry)]);
  const bool cluster = setup.topology == model::Topology::cluster;
  const bool independent = cluster || setup.topology == model::Topology::independent;
  const std::vector<model::NodeSetup> nodes = redis_nodes(setup);
  const auto count_of = [&](model::ServerRole role) {
    return static_cast<std::size_t>(std::count_if(
        nodes.begin(), nodes.end(), [&](const model::NodeSetup& node) { return node.role == role; }));
  };
  const std::size_t groups = count_of(model::ServerRole::master);
  if (setup.persistence == model::Persistence::append_only)
    out += fmt::format("fsync = \"{}\"\n", fsync_words[static_cast<std::size_t>(setup.fsync)]);
  if (setup.loading > sim::Duration::zero())
    out += fmt::format("loading = \"{}\"\n", print(setup.loading));
  if (setup.min_replicas > 0) {
    out += fmt::format("min-replicas = {}\n", setup.min_replicas);
    out += fmt::format("min-replicas-max-lag = \"{}\"\n", print(setup.min_replicas_max_lag));
  }
  out += fmt::format("mode = \"{}\"\n", mode_words[static_cast<std::size_t>(setup.topology)]);
  if (cluster) out += fmt::format("node-timeout = \"{}\"\n", print(setup.watching.down_after));
  out += fmt::format("nodes = {}\n", independent ? groups : nodes.size());
  if (!setup.notify.empty()) out += fmt::format("notify-keyspace-events = {}\n", toml_text(setup.notify));
  out +=
      fmt::format("persistence = \"{}\"\n", persistence_words[static_cast<std::size_t>(setup.persistence)]);
  if (independent) out += fmt::format("replicas = {}\n", count_of(model::ServerRole::replica) / groups);
  if (count_of(model::ServerRole::spare) > 0)
    out += fmt::format("spares = {}\n", count_of(model::ServerRole::spare));
  if (setup.topology == model::Topology::sentinel) print_sentinels(out, setup);
  if (!setup.save.empty()) out += fmt::format("save = \"{}\"\n", save_points(setup.save));
  out += fmt::format("script-cache = {}\n", setup.use_script_cache);
  if (setup.wait) out += fmt::format("wait = {}\n", *setup.wait);
  if (cluster) print_slots(out, nodes);
  std::string clocks;
  for (const model::NodeSetup& node : nodes) {
    if (node.clock_offset == sim::Duration::zero()) continue;
    clocks += fmt::format("{} = \"{}\"\n", quoted_if_dotted(node.name), print_offset(node.clock_offset));
  }
  if (!clocks.empty()) out += "\n[redis.clock]\n" + clocks;
  std::string drifts;
  for (const model::NodeSetup& node : nodes) {
    if (node.clock_drift_ppm != 0)
      drifts += fmt::format("{} = \"{}\"\n", quoted_if_dotted(node.name), print_drift(node.clock_drift_ppm));
  }
  if (!drifts.empty()) out += "\n[redis.drift]\n" + drifts;
}

/// In the order of their names.
std::vector<redisson::Knob> sorted_knobs() {
  std::vector<redisson::Knob> knobs(redisson::knobs().begin(), redisson::knobs().end());
  std::sort(knobs.begin(), knobs.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return knobs;
}

bool is_mutated(const redisson::Settings& settings, const redisson::Knob& knob) {
  return knob_value(settings, knob) != knob_value(redisson::Settings{}, knob);
}

/// What differs from the version, and what is told always. Of a process's own clients also what `all`, those
/// of the scenario, say for it otherwise.
std::string settings_text(const redisson::Settings& client, const redisson::Settings* all = nullptr) {
  const redisson::Settings usual = redisson::settings_of(client.version).value_or(redisson::Settings{});
  const auto is_said_for_all = [&](const redisson::Knob& knob) {
    return all != nullptr &&
           knob_value(*all, knob) !=
               knob_value(redisson::settings_of(all->version).value_or(redisson::Settings{}), knob);
  };
  std::vector<std::string> mutants;
  std::string settings;
  for (const redisson::Knob& knob : sorted_knobs()) {
    if (knob.name == "watchdog") continue;  // of [time]
    if (knob.mutant) {
      if (is_mutated(client, knob)) mutants.emplace_back(knob.name);
      continue;
    }
    if (knob.told || knob_value(client, knob) != knob_value(usual, knob) || is_said_for_all(knob))
      settings += fmt::format("{} = {}\n", knob.name, knob_value(client, knob));
  }
  std::string out;
  if (!mutants.empty())
    out = fmt::format("mutant = {}\n", list_of(mutants, [](const std::string& m) { return m; }));
  return out + settings + fmt::format("version = \"{}\"\n", client.version);
}

/// The steps of a program as texts again; a block in braces becomes one text.
std::vector<std::string> step_texts(const Setup& setup, const std::vector<Step>& program) {
  Names names{setup.kinds, setup.objects, setup.signals};
  if (setup.topology == model::Topology::cluster)  // slots say where they lie
    for (model::LockObject& object : names.objects)
      if (setup.kinds[object.kind]->is_lock()) object.group = {};
  std::vector<std::string> texts;
  std::size_t depth = 0;
  bool first_in_block = true;
  for (const Step& step : program) {
    const std::string text = print_step(step, names);
    if (step.kind == StepKind::again || step.kind == StepKind::end_block) {
      texts.back() += " }";
      --depth;
    } else if (step.kind == StepKind::finally_block) {
      texts.back() += " " + text;
    } else if (depth == 0) {
      texts.push_back(text);
    } else {
      texts.back() += (first_in_block ? " " : "; ") + text;
    }
    const bool opens = step.kind == StepKind::repeat || step.kind == StepKind::try_block;
    first_in_block = opens || step.kind == StepKind::finally_block;
    if (opens) ++depth;
  }
  return texts;
}

/// Threads of one process; a run of equal programs with Java ids that count on becomes one entry with a
/// `count`.
std::string threads_value(const Setup& setup, const std::vector<const ThreadSetup*>& threads) {
  std::string out;
  for (std::size_t i = 0; i < threads.size();) {
    const auto by_default = [&](std::size_t at) {
      return threads[at]->java_id == static_cast<std::int64_t>(at) + 1;
    };
    std::size_t end = i + 1;
    while (end < threads.size() && by_default(i) && by_default(end) &&
           threads[end]->program == threads[i]->program)
      ++end;
    std::string entry =
        list_of(step_texts(setup, threads[i]->program), [](const std::string& text) { return text; });
    if (end - i > 1) entry = fmt::format("{{ count = {}, steps = {} }}", end - i, entry);
    else if (!by_default(i)) entry = fmt::format("{{ id = {}, steps = {} }}", threads[i]->java_id, entry);
    out += fmt::format("  {},\n", entry);
    i = end;
  }
  return "[\n" + out + "]";
}

void print_processes(std::string& out, const Setup& setup) {
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    const model::ProcessSetup& process = setup.processes[p];
    out += fmt::format("\n[process.{}]\n", toml_text(process.name));
    if (process.clock_offset != sim::Duration::zero()) {
      out += fmt::format("clock = \"{}\"\n", print_offset(process.clock_offset));
    }
    if (process.client_id != default_client_id(p))
      out += fmt::format("id = {}\n", toml_text(process.client_id));
    std::vector<const ThreadSetup*> threads;
    for (const ThreadSetup& thread : setup.threads) {
      if (thread.process.index() == p) threads.push_back(&thread);
    }
    if (process.own && !(process.own->scripts == setup.scripts))
      out += fmt::format("scripts = {}\n", scripts_value(process.own->scripts));
    out += fmt::format("threads = {}\n", threads_value(setup, threads));
    if (process.wait) out += fmt::format("wait = {}\n", *process.wait);
    if (!process.own) continue;
    out += fmt::format("watchdog = \"{}\"\n", print(process.own->redisson.watchdog));
    out += fmt::format("\n[process.{}.redisson]\n{}", toml_text(process.name),
                       settings_text(process.own->redisson, &setup.client));
  }
}

void print_resources(std::string& out, const Setup& setup) {
  for (const model::LockObject& object : setup.objects)
    if (object.fenced) out += fmt::format("\n[resource.{}]\nfenced = true\n", toml_text(object.name));
}

bool may_come(const Setup& setup, model::FaultId fault) {
  return setup.faults[fault] > 0 ||
         std::any_of(setup.fixed.begin(), setup.fixed.end(),
                     [&](const model::FixedFault& fixed) { return fixed.fault == fault; });
}

bool is_usual(const Setup& setup, sim::Duration model::FaultLimits::*limit) {
  return setup.limits.*limit == model::FaultLimits{}.*limit;
}

void print_faults(std::string& out, const Setup& setup) {
  out += "\n[faults]\n";
  const std::vector<model::FaultId> faults = model::faults_as_told(setup);
  for (const model::FaultId fault : faults)
    if (const std::uint16_t budget = setup.faults[fault]; budget > 0)
      out += fmt::format("{} = {}\n", model::fault_row(fault, setup).key, budget);
  for (const model::FaultId fault : faults) {
    const auto& end = model::fault_row(fault, setup).end;
    if (end && end->at_latest != nullptr && (may_come(setup, fault) || !is_usual(setup, end->at_latest)))
      out += fmt::format("{} = \"{}\"\n", end->limit_key, print(setup.limits.*end->at_latest));
  }
  if (!is_usual(setup, &model::FaultLimits::connection_timeout))
    out += fmt::format("connection-timeout = \"{}\"\n", print(setup.limits.connection_timeout));
  out += fmt::format("learn = \"{}\"\n", print(setup.limits.learn));
  if (setup.limits.failover_needs_dead_master) out += "failover-needs-dead-master = true\n";
  if (!setup.limits.clock_jumps.empty()) {
    out += fmt::format("clock-jumps = {}\n", list_of(setup.limits.clock_jumps, print_offset));
  }
  if (!setup.fixed.empty()) {
    out += fmt::format("fixed = {}\n",
                       list_of(setup.fixed, [](const model::FixedFault& fault) { return fault.text; }));
  }
}

void print_expect(std::string& out, const Setup& setup) {
  const bool counted = !setup.answers.empty();  // then `answers` is a table, which has its verdict
  if (setup.expect.size() > (counted ? setup.expect.count("answers") : 0) || !setup.sometimes.empty())
    out += "\n[expect]\n";
  for (const auto& [name, expected] : setup.expect) {
    if (counted && name == "answers") continue;
    out += fmt::format("{} = \"{}\"\n", name, expected_words[static_cast<std::size_t>(expected)]);
  }
  if (!setup.sometimes.empty()) {
    out += fmt::format("sometimes = {}\n",
                       list_of(setup.sometimes, [](const std::string& name) { return name; }));
  }
  std::string last;
  for (const model::AnswerCount& count : setup.answers) {
    if (last.empty()) out += "\n[expect.answers]";
    const std::string call = print_call(count, setup.kinds);
    const std::string entry = fmt::format("{} = {}", word_of(count.answer), count.exactly);
    out += call == last ? ", " + entry
                        : fmt::format("{}{} = {{ {}", last.empty() ? "\n" : " }\n", toml_text(call), entry);
    last = call;
  }
  if (!last.empty()) out += " }\n";
  if (const auto verdict = setup.expect.find("answers"); counted && verdict != setup.expect.end())
    out += fmt::format("verdict = \"{}\"\n", expected_words[static_cast<std::size_t>(verdict->second)]);
}

}  // namespace

std::string knob_value(const redisson::Settings& settings, const redisson::Knob& knob) {
  return std::visit(
      [&](auto member) -> std::string {
        if constexpr (std::is_same_v<decltype(member), sim::Duration redisson::Settings::*>)
          return fmt::format("\"{}\"", print(settings.*member));
        else return fmt::format("{}", settings.*member);
      },
      knob.member);
}

std::string print_call(const model::AnswerCount& count, Kinds kinds) {
  model::LockObject lock;
  lock.kind = count.kind;
  lock.name = count.name;
  return fmt::format("{} {}", word_of(count.call), print_lock(lock, kinds));
}

std::string normalised(const Setup& setup) {
  std::string out = "format = 1\n";
  out += fmt::format("name = {}\n", toml_text(setup.name));
  if (!setup.about.empty()) out += fmt::format("about = {}\n", toml_text(setup.about));
  out += fmt::format("scripts = {}\n", scripts_value(setup.scripts));
  std::vector<std::string> written;
  for (const model::LockKind* kind : setup.kinds)
    if (kind->on != nullptr && kind->scheme == nullptr) written.emplace_back(kind->name);
  if (!written.empty())
    out += fmt::format("schemes = {}\n", list_of(written, [](const std::string& name) { return name; }));
  print_time(out, setup);
  const std::string others = print_other_servers(setup);
  if (others.empty()) print_redis(out, setup);
  out += others;
  out += "\n[redisson]\n" + settings_text(setup.client);
  print_schemes(out, setup);
  print_processes(out, setup);
  print_resources(out, setup);
  print_faults(out, setup);
  if (!setup.prefix.empty()) out += "\n[schedule]\nprefix = [\n";
  for (const std::string& decision : setup.prefix) out += fmt::format("  {},\n", toml_text(decision));
  if (!setup.prefix.empty()) out += "]\n";
  print_expect(out, setup);
  if (setup.grant_bound || setup.overtaking_bound > 0 || setup.poll_bound) out += "\n[bounds]\n";
  if (setup.grant_bound) out += fmt::format("grant = \"{}\"\n", print(*setup.grant_bound));
  if (setup.overtaking_bound > 0) out += fmt::format("overtaking = {}\n", setup.overtaking_bound);
  if (setup.poll_bound) out += fmt::format("busy-poll = {}\n", *setup.poll_bound);
  for (const model::Predicate& own : setup.predicates)
    out += fmt::format("\n[[property]]\nkind = \"{}\"\nlua = {}\nname = \"{}\"\n",
                       predicate_words[static_cast<std::size_t>(own.kind)], toml_text(own.lua), own.name);
  return out;
}

std::string scenario_digest(const Setup& setup) {
  Setup without_prose = setup;
  without_prose.about.clear();
  std::string text = normalised(without_prose);
  const auto add = [&](const std::string& whose, const lua::ScriptSet& scripts) {
    if (!scripts.stored.empty()) text += fmt::format("# {}stored {}\n", whose, scripts.stored);
    for (const auto& [role, script] : scripts.roles)
      text += fmt::format("# {}{} {}\n", whose, role, script.sha1);
  };
  add("", setup.scripts);
  for (const auto& [kind, script] : model::scripts_of_schemes(setup))
    text += fmt::format("# {} {} {}\n", kind->name, script->role, script->sha1);
  for (const model::ProcessSetup& process : setup.processes)
    if (process.own) add(process.name + " ", process.own->scripts);
  return sim::hex(sim::digest_bytes(text));
}

}  // namespace lockstep::scenarios
