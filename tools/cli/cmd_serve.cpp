#include "tools/cli/cmd_serve.h"

#include <ostream>

#include "model/redis/pubsub/monitors.h"
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
    for (const std::string& word : command) err << " " << redis::quoted(word);
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

}  // namespace

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

}  // namespace lockstep::tools
