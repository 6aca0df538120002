// The sections of INFO that are mostly measurements: memory, persistence, stats.
#include <numeric>

#include "model/redis/commands/server/config.h"
#include "model/redis/commands/server/sections.h"

namespace lockstep::redis::commands {

std::string human_bytes(std::int64_t bytes) {
  constexpr std::int64_t step = 1024;
  if (bytes < step) return std::to_string(bytes) + "B";
  std::int64_t unit = step;
  std::string_view letters = "KMGTP";
  while (bytes / unit >= step && letters.size() > 1) {
    unit *= step;
    letters.remove_prefix(1);
  }
  const std::int64_t hundredths = bytes / unit * 100 + (bytes % unit * 100 + unit / 2) / unit;
  const std::string fraction = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (fraction.size() == 1 ? ".0" : ".") + fraction + letters[0];
}

namespace {

/// A server without data.
constexpr std::int64_t resident_bytes = 6'946'816, total_bytes = 8'589'934'592;
constexpr std::int64_t lua_bytes = 32'768, functions_bytes = 33'792, overhead_bytes = 876'752;

void add_bytes(Section& section, const std::string& field, std::int64_t bytes) {
  section.add(field, bytes).add(field + "_human", human_bytes(bytes));
}

std::int64_t number(const std::string& text) { return static_cast<std::int64_t>(std::stoull(text)); }

void add_scripts(Section& section, const Node& node) {
  const auto& libraries = *node.functions;
  const std::size_t functions = std::accumulate(
      libraries.begin(), libraries.end(), std::size_t{0},
      [](std::size_t sum, const auto& library) { return sum + library.second.functions.size(); });
  section.add("used_memory_lua", lua_bytes)
      .add("used_memory_vm_eval", lua_bytes)
      .add("used_memory_lua_human", human_bytes(lua_bytes))
      .add("used_memory_scripts_eval", 0)
      .add("number_of_cached_scripts", static_cast<std::int64_t>(node.scripts.size()))
      .add("number_of_functions", static_cast<std::int64_t>(functions))
      .add("number_of_libraries", static_cast<std::int64_t>(libraries.size()))
      .add("used_memory_vm_functions", functions_bytes);
  add_bytes(section, "used_memory_vm_total", lua_bytes + functions_bytes);
  section.add("used_memory_functions", 200);
  add_bytes(section, "used_memory_scripts", 200);
}

}  // namespace

std::string memory_section(Call& call) {
  const Settings& settings = *call.node().settings;
  Section section("Memory");
  add_bytes(section, "used_memory", used_memory);
  add_bytes(section, "used_memory_rss", resident_bytes);
  add_bytes(section, "used_memory_peak", used_memory);
  section.add("used_memory_peak_perc", "100.00%")
      .add("used_memory_overhead", overhead_bytes)
      .add("used_memory_startup", overhead_bytes)
      .add("used_memory_dataset", used_memory - overhead_bytes)
      .add("used_memory_dataset_perc", "99.78%")
      .add("allocator_allocated", 1'532'072)
      .add("allocator_active", 1'855'488)
      .add("allocator_resident", 4'653'056);
  add_bytes(section, "total_system_memory", total_bytes);
  add_scripts(section, call.node());
  add_bytes(section, "maxmemory", number(config_value(settings, "maxmemory")));
  section.add("maxmemory_policy", config_value(settings, "maxmemory-policy"))
      .add("allocator_frag_ratio", "1.21")
      .add("allocator_frag_bytes", 323'416)
      .add("allocator_rss_ratio", "2.51")
      .add("allocator_rss_bytes", 2'797'568)
      .add("rss_overhead_ratio", "1.49")
      .add("rss_overhead_bytes", 2'293'760)
      .add("mem_fragmentation_ratio", "7.50")
      .add("mem_fragmentation_bytes", 6'020'720)
      .zeros(
          "mem_not_counted_for_evict mem_replication_backlog mem_total_replication_buffers "
          "mem_clients_slaves "
          "mem_clients_normal mem_cluster_links mem_aof_buffer")
      .add("mem_allocator", "jemalloc-5.3.0")
      .zeros("active_defrag_running lazyfree_pending_objects lazyfreed_objects");
  return section.text();
}

std::string persistence_section(Call& call) {
  const Node& node = call.node();
  Section section("Persistence");
  section.zeros("loading async_loading current_cow_peak current_cow_size current_cow_size_age")
      .add("current_fork_perc", "0.00")
      .zeros(
          "current_save_keys_processed current_save_keys_total rdb_changes_since_last_save "
          "rdb_bgsave_in_progress")
      .add("rdb_last_save_time", node.statistics->saved_ms / 1000)
      .add("rdb_last_bgsave_status", "ok")
      .add("rdb_last_bgsave_time_sec", -1)
      .add("rdb_current_bgsave_time_sec", -1)
      .add("rdb_saves", node.statistics->saves)
      .zeros("rdb_last_cow_size rdb_last_load_keys_expired rdb_last_load_keys_loaded")
      .add("aof_enabled", config_value(*node.settings, "appendonly") == "yes" ? 1 : 0)
      .zeros("aof_rewrite_in_progress aof_rewrite_scheduled")
      .add("aof_last_rewrite_time_sec", -1)
      .add("aof_current_rewrite_time_sec", -1)
      .add("aof_last_bgrewrite_status", "ok")
      .zeros("aof_rewrites aof_rewrites_consecutive_failures")
      .add("aof_last_write_status", "ok")
      .zeros("aof_last_cow_size module_fork_in_progress module_fork_last_cow_size");
  return section.text();
}

std::string stats_section(Call& call) {
  const Node& node = call.node();
  const auto size = [](const PubSub::Listeners& listeners) {
    return static_cast<std::int64_t>(listeners.size());
  };
  const auto& errors = node.statistics->errors;
  const std::int64_t all_errors =
      std::accumulate(errors.begin(), errors.end(), std::int64_t{0},
                      [](std::int64_t sum, const auto& error) { return sum + error.second; });
  Section section("Stats");
  section.add("total_connections_received", node.statistics->connections)
      .add("total_commands_processed", node.statistics->commands)
      .zeros(
          "instantaneous_ops_per_sec total_net_input_bytes total_net_output_bytes total_net_repl_input_bytes "
          "total_net_repl_output_bytes");
  for (const std::string_view field : {"instantaneous_input_kbps", "instantaneous_output_kbps",
                                       "instantaneous_input_repl_kbps", "instantaneous_output_repl_kbps"})
    section.add(field, "0.00");
  section.zeros("rejected_connections sync_full sync_partial_ok sync_partial_err expired_keys")
      .add("expired_stale_perc", "0.00")
      .zeros(
          "expired_time_cap_reached_count expire_cycle_cpu_milliseconds evicted_keys evicted_clients "
          "total_eviction_exceeded_time current_eviction_exceeded_time keyspace_hits keyspace_misses")
      .add("pubsub_channels", size(node.pubsub.channels))
      .add("pubsub_patterns", size(node.pubsub.patterns))
      .add("pubsubshard_channels", size(node.pubsub.shard_channels))
      .zeros(
          "latest_fork_usec total_forks migrate_cached_sockets slave_expires_tracked_keys active_defrag_hits "
          "active_defrag_misses active_defrag_key_hits active_defrag_key_misses total_active_defrag_time "
          "current_active_defrag_time tracking_total_keys tracking_total_items tracking_total_prefixes "
          "unexpected_error_replies")
      .add("total_error_replies", all_errors)
      .zeros(
          "dump_payload_sanitizations total_reads_processed total_writes_processed "
          "io_threaded_reads_processed "
          "io_threaded_writes_processed reply_buffer_shrinks reply_buffer_expands");
  return section.text();
}

}  // namespace lockstep::redis::commands
