#include "tools/cli/cmd_serve.h"

#include <ostream>

#include "model/redis/pubsub/monitors.h"
#include "tools/serve/secrets.h"
#include "tools/serve/server.h"

namespace lockstep::tools {

namespace {

constexpr std::uint16_t redis_port = 6379;

void show_all(serve::Settings& settings, std::ostream& err) {
  settings.on_client = [&err](model::ConnectionId id, std::string_view event) {
    err << "client " << id.value << " " << event << std::endl;
  };
  settings.on_command = [&err](model::ConnectionId id, const model::Command& command) {
    err << "client " << id.value << ":";
    const std::vector<bool> secret = serve::secrets_of(command);
    for (std::size_t i = 0; i < command.size(); ++i)
      err << " " << (secret[i] ? "\"(redacted)\"" : redis::quoted(command[i]));
    err << std::endl;
  };
}

serve::Settings settings_of(const ServeOptions& options, Session& session) {
  serve::Settings settings;
  if (options.port) settings.port = static_cast<std::uint16_t>(*options.port);
  else if (options.unix_path.empty() || !options.bind.empty()) settings.port = redis_port;
  settings.bind = options.bind;
  settings.unix_path = options.unix_path;
  settings.clients_max = options.clients_max;
  if (options.virtual_time) settings.time = serve::ServedNode::Time::by_debug;
  settings.runs_within_commands = options.running_time;
  if (options.epoch_ms) settings.epoch_ms = static_cast<std::int64_t>(*options.epoch_ms);
  if (options.verbose) show_all(settings, session.console.err);
  return settings;
}

ExitCode run_serve(const ServeOptions& options, Session& session) {
  serve::Server server(settings_of(options, session));
  const auto addresses = server.listen();
  if (!addresses) return complain(session, addresses.problem());
  session.console.out << "lockstep serve: ready on";
  for (const std::string& address : *addresses) session.console.out << " " << address;
  session.console.out << std::endl;  // a program that waits for it must see it now
  server.run();
  return ExitCode::as_expected;
}

void declare_serve(Grammar& grammar, ServeOptions& o) {
  grammar.count("--port", o.port,
                "the TCP port (6379; 0: any that is free); with --unix alone there is none");
  grammar.repeated("--bind", o.bind, "ADDR", "listen here instead of 127.0.0.1 and ::1; may be repeated");
  const auto path = [&o](const std::string& word) -> std::optional<sim::Problem> {
    if (word.empty()) return sim::Problem{"wants a path"};
    o.unix_path = word;
    return std::nullopt;
  };
  grammar.taken("--unix", path, "PATH", "listen on a unix socket too");
  grammar.count("--maxclients", o.clients_max, "connections at a time (10000)");
  grammar.flag("--virtual-time", o.virtual_time, "the clock stands until DEBUG CLOCK moves it");
  grammar.flag("--running-time", o.running_time, "time runs on within a script, as in Redis 7.0");
  grammar.count("--epoch-ms", o.epoch_ms,
                "what a virtual clock shows first, in ms since 1970 (1700000000000)");
  grammar.flag("--verbose", o.verbose, "print who comes and goes, and each command");
}

std::string complaint_about_serve(const ServeOptions& serve) {
  if (serve.port.value_or(0) > 65'535) return "--port wants at most 65535";
  if (serve.clients_max < 1 || serve.clients_max > 65'535) return "--maxclients wants 1 to 65535";
  if (serve.epoch_ms && !serve.virtual_time) return "--epoch-ms belongs to --virtual-time";
  if (serve.epoch_ms.value_or(0) > 9'007'199'254'740'991) return "--epoch-ms wants at most 9007199254740991";
  return "";
}

}  // namespace

Verb serve_verb() {
  return {
      .name = "serve",
      .summary = "let redis-cli and Redis clients talk to a model of a server",
      .usage = "",
      .examples = {"lockstep serve --port 7000", "lockstep serve --unix /tmp/lockstep.sock --virtual-time"},
      .required = {},
      .request = requests<ServeOptions>({declare_serve, run_serve, complaint_about_serve})};
}

}  // namespace lockstep::tools
