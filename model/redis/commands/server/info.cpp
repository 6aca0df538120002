// INFO: which sections, and those that are short (Redis server.c). The long ones are in info_memory.cpp.
#include <algorithm>
#include <array>

#include "model/redis/arguments.h"
#include "model/redis/commands/connection/client_list.h"
#include "model/redis/commands/server/config.h"
#include "model/redis/commands/catalog/facts.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/server/sections.h"

namespace lockstep::redis::commands {

Section& Section::zeros(std::string_view fields) {
  for (const std::string_view field : parts_of(fields, " ")) add(field, 0);
  return *this;
}

namespace {

std::string server_section(Call& call) {
  const Node& node = call.node();
  // Who never said when it was started is not asked what time it is: that would make every moment another
  // state.
  const bool counts = node.statistics->counts;
  const std::int64_t now = counts ? call.now() : 0, seconds = (now - node.statistics->started_ms) / 1000;
  constexpr std::int64_t seconds_a_day = 86'400, lru_clock_values = 1 << 24;
  const std::string hz = config_value(*node.settings, "hz");
  return Section("Server")
      .add("redis_version", "7.0.15")
      .add("redis_git_sha1", "00000000")
      .add("redis_git_dirty", 0)
      .add("redis_build_id", "ae4d7c971a948f0")
      .add("redis_mode", *node.cluster ? "cluster" : "standalone")
      .add("os", "Linux 6.1.0 x86_64")
      .add("arch_bits", 64)
      .add("monotonic_clock", "POSIX clock_gettime")
      .add("multiplexing_api", "epoll")
      .add("atomicvar_api", "c11-builtin")
      .add("gcc_version", "12.2.0")
      .add("process_id", 1)
      .add("process_supervised", "no")
      .add("run_id", std::string(40, '0'))
      .add("tcp_port", config_value(*node.settings, "port"))
      .add("server_time_usec", now * 1000 + call.environment().wall_us)
      .add("uptime_in_seconds", seconds)
      .add("uptime_in_days", seconds / seconds_a_day)
      .add("hz", hz)
      .add("configured_hz", hz)
      .add("lru_clock", now / 1000 % lru_clock_values)
      .add("executable", "/usr/bin/redis-server")
      .add("config_file", "")
      .add("io_threads_active", 0)
      .text();
}

std::string clients_section(Call& call) {
  const Node& node = call.node();
  const auto tracking = std::count_if(node.sessions->begin(), node.sessions->end(), [](const auto& session) {
    return session.second.tracking.has_value();
  });
  return Section("Clients")
      .add("connected_clients", static_cast<std::int64_t>(count_clients(node)))
      .add("cluster_connections", 0)
      .add("maxclients", config_value(*node.settings, "maxclients"))
      .zeros("client_recent_max_input_buffer client_recent_max_output_buffer blocked_clients")
      .add("tracking_clients", tracking)
      .add("clients_in_timeout_table", 0)
      .text();
}

std::string replication(Call& call) { return replication_section(call.node()); }

std::string cpu_section(Call&) {
  Section section("CPU");
  for (const std::string_view field :
       {"used_cpu_sys", "used_cpu_user", "used_cpu_sys_children", "used_cpu_user_children",
        "used_cpu_sys_main_thread", "used_cpu_user_main_thread"})
    section.add(field, "0.000000");
  return section.text();
}

std::string modules_section(Call&) { return Section("Modules").text(); }

std::string commandstats_section(Call& call) {
  Section section("Commandstats");
  for (const auto& [name, counted] : call.node().statistics->by_command) {
    section.add("cmdstat_" + name,
                "calls=" + std::to_string(counted.calls) + ",usec=0,usec_per_call=0.00,rejected_calls=" +
                    std::to_string(counted.rejected) + ",failed_calls=" + std::to_string(counted.failed));
  }
  return section.text();
}

std::string errorstats_section(Call& call) {
  Section section("Errorstats");
  for (const auto& [code, times] : call.node().statistics->errors)
    section.add("errorstat_" + code, "count=" + std::to_string(times));
  return section.text();
}

std::string latencystats_section(Call&) { return Section("Latencystats").text(); }

std::string cluster_section(Call& call) {
  return Section("Cluster").add("cluster_enabled", *call.node().cluster ? 1 : 0).text();
}

std::string keyspace_section(Call& call) {
  Section section("Keyspace");
  for (std::uint8_t number = 0; number < databases_max; ++number) {
    const Keyspace* const db = find_database(call.node(), number);
    if (!db || db->size() == 0) continue;
    std::int64_t expires = 0, total = 0;
    for (const auto& [key, entry] : db->entries()) {
      if (!entry.remaining) continue;
      ++expires;
      total += std::max<std::int64_t>(entry.remaining->count(), 0);
    }
    section.add("db" + std::to_string(number),
                "keys=" + std::to_string(db->size()) + ",expires=" + std::to_string(expires) +
                    ",avg_ttl=" + std::to_string(expires == 0 ? 0 : total / expires));
  }
  return section.text();
}

struct Named {
  std::string_view name;
  bool by_default;
  std::string (*text)(Call&);
};
constexpr std::array<Named, 13> sections{{{"server", true, server_section},
                                          {"clients", true, clients_section},
                                          {"memory", true, memory_section},
                                          {"persistence", true, persistence_section},
                                          {"stats", true, stats_section},
                                          {"replication", true, replication},
                                          {"cpu", true, cpu_section},
                                          {"modules", true, modules_section},
                                          {"commandstats", false, commandstats_section},
                                          {"errorstats", true, errorstats_section},
                                          {"latencystats", false, latencystats_section},
                                          {"cluster", true, cluster_section},
                                          {"keyspace", true, keyspace_section}}};

bool asks_for(Words words, const Named& section) {
  if (words.size() == 1) return section.by_default;
  const auto names = words.subspan(1);
  return std::any_of(names.begin(), names.end(), [&](std::string_view word) {
    return is_option(word, section.name) || is_option(word, "all") || is_option(word, "everything") ||
           (section.by_default && is_option(word, "default"));
  });
}

}  // namespace

Reply info(Call& call, Words words) {
  std::string text;
  for (const Named& section : sections) {
    if (!asks_for(words, section)) continue;
    if (!text.empty()) text += "\r\n";
    text += section.text(call);
  }
  return text;
}

}  // namespace lockstep::redis::commands
