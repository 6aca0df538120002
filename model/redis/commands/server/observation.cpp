// What operators ask of a server: SLOWLOG, LATENCY, MEMORY, MODULE, MONITOR, LOLWUT, and its end (Redis
// slowlog.c, latency.c, object.c, module.c, server.c, lolwut.c). Nothing here takes time, so no log has an
// entry.
#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/commands/server/config.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/data/encoding.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

Reply slowlog_get(Call&, Words words) {
  if (words.size() > 3) return errors::unknown_subcommand("SLOWLOG", words[1]);
  const auto wanted = words.size() == 3 ? parse_integer(words[2]) : std::optional<std::int64_t>(0);
  if (!wanted || *wanted < -1) return Error{"ERR count should be greater than or equal to -1"};
  return empty_array();
}
Reply slowlog_len(Call&, Words) { return count(0); }
Reply slowlog_reset(Call&, Words) { return lua::ok(); }

Reply latency_latest(Call&, Words) { return empty_array(); }
Reply latency_history(Call&, Words) { return empty_array(); }
Reply latency_histogram(Call&, Words) { return empty_array(); }
Reply latency_reset(Call&, Words) { return count(0); }
Reply latency_graph(Call&, Words words) {
  return Error{"ERR No samples available for event '" + shown(words[2]) + "'"};
}
Reply latency_doctor(Call& call, Words) {
  if (config_value(*call.node().settings, "latency-monitor-threshold") != "0") {
    return bulk(
        "Dave, no latency spike was observed during the lifetime of this Redis instance, not in the "
        "slightest bit. I honestly think you ought to sit down calmly, take a stress pill, and think things "
        "over.\n");
  }
  return bulk(
      "I'm sorry, Dave, I can't do that. Latency monitoring is disabled in this Redis instance. You may use "
      "\"CONFIG SET latency-monitor-threshold <milliseconds>.\" in order to enable it. If we weren't in a "
      "deep space mission I'd suggest to take a look at https://redis.io/topics/latency-monitor.\n");
}

namespace {

/// What jemalloc gives for so many bytes: a multiple of 16, of which there are four to a doubling from 64 on.
std::size_t allocated(std::size_t bytes) {
  if (bytes <= 8) return 8;
  std::size_t step = 16;
  while (bytes > 8 * step) step *= 2;
  return (bytes + step - 1) / step * step;
}

/// A text with the shortest header that can tell its length (sds.c); in an object of its own none is shorter
/// than `least`.
std::size_t text_bytes(std::size_t size, std::size_t least) {
  const std::size_t header = size < 32 ? 1 : size < 256 ? 3 : size < 65'536 ? 5 : 9;
  return std::max(header, least) + size + 1;
}

constexpr std::size_t object_bytes = 16, table_entry_bytes = 24;

/// Bytes of the value itself: of a string as Redis says, of the others as if memory came without overhead.
struct Weight {
  std::size_t operator()(const String& string) const {
    const std::string_view encoding = encoding_of(Value(string));
    if (encoding == "int") return object_bytes;
    const std::size_t text = text_bytes(string.bytes.size(), 3);
    return encoding == "embstr" ? allocated(object_bytes + text) : object_bytes + allocated(text);
  }
  std::size_t operator()(const List& list) const { return of(list.items); }
  std::size_t operator()(const Set& set) const { return of(set.members); }
  std::size_t operator()(const auto&) const { return 0; }

  static std::size_t of(const Sequence<std::string>& texts) {
    std::size_t bytes = 0;
    for (const std::string& text : texts) bytes += text.size() + 8;
    return bytes;
  }
};

}  // namespace

/// What memory a list, a set or a hash needs depends on more than what is in it: only the order of magnitude
/// is kept.
Reply memory_usage(Call& call, Words words) {
  for (std::size_t i = 3; i < words.size(); i += 2) {
    if (!is_option(words[i], "samples") || i + 1 == words.size()) return errors::syntax();
    const auto samples = parse_integer(words[i + 1]);
    if (!samples) return errors::not_an_integer();
    if (*samples < 0) return errors::syntax();
  }
  const Entry* const entry = call.entry(words[2]);
  if (!entry) return Nil{};
  const std::size_t key = allocated(text_bytes(words[2].size(), words[2].empty() ? 3 : 1));
  return count(key + table_entry_bytes + std::visit(Weight{}, entry->value));
}
Reply memory_doctor(Call&, Words) {
  return bulk(
      "Hi Sam, this instance is empty or is using very little memory, my issues detector can't be used in "
      "these "
      "conditions. Please, leave for your mission on Earth and fill it with some data. The new Sam and I "
      "will be back "
      "to our programming as soon as I finished rebooting.\n");
}
Reply memory_purge(Call&, Words) { return lua::ok(); }

Reply module_list(Call&, Words) { return empty_array(); }
/// What comes here was refused before (dispatch.cpp).
Reply module_refused(Call&, Words) { return Error{"ERR Modules are not supported"}; }

/// From now on this connection is shown what others ask. If it is shown it already, it gets no answer.
Reply monitor(Call& call, Words) {
  if (call.in_exec()) return Error{"ERR MONITOR isn't allowed for DENY BLOCKING client"};
  call.outcome().silent = !call.node().monitors.write().insert(call.from()).second;
  return lua::ok();
}

/// Without a picture.
Reply lolwut(Call&, Words words) {
  const bool wants_version = words.size() >= 3 && is_option(words[1], "version");
  if (wants_version && !parse_integer(words[2])) return errors::not_an_integer();
  return bulk("Redis ver. 7.0.15\n");
}

Reply lastsave(Call& call, Words) { return call.node().statistics->saved_ms / 1000; }

Reply bgrewriteaof(Call&, Words) { return Status{"Background append only file rewriting started"}; }

Reply shutdown(Call& call, Words words) {
  Orders::Shutdown how;
  bool saves = false, keeps = false, aborts = false;
  for (const std::string_view word : words.subspan(1)) {
    if (is_option(word, "nosave")) keeps = true;
    else if (is_option(word, "save")) saves = true;
    else if (is_option(word, "now")) how.now = true;
    else if (is_option(word, "force")) how.force = true;
    else if (is_option(word, "abort")) aborts = true;
    else return errors::syntax();
  }
  if ((aborts && (saves || keeps || how.now || how.force)) || (saves && keeps)) return errors::syntax();
  if (const LongScript* const script = call.environment().busy; script && !keeps)
    return errors::busy(script->is_function);
  if (aborts) return Error{"ERR No shutdown in progress."};
  how.saves = saves || (!keeps && !config_value(*call.node().settings, "save").empty());
  call.outcome().order().shutdown = how;
  return lua::ok();
}

}  // namespace lockstep::redis::commands
