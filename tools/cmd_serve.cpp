#include "tools/cmd_serve.h"

#include "tools/serve/server.h"

namespace lockstep::tools {

namespace {

constexpr std::uint16_t redis_port = 6379;

serve::Settings settings_of(const ServeOptions& options, Session& session) {
  serve::Settings settings;
  if (options.port) settings.port = static_cast<std::uint16_t>(*options.port);
  else if (options.unix_path.empty() || !options.bind.empty()) settings.port = redis_port;
  settings.bind = options.bind;
  settings.unix_path = options.unix_path;
  settings.clients_max = options.clients_max;
  if (options.virtual_time) settings.time = serve::ServedNode::Time::by_debug;
  if (options.epoch_ms) settings.epoch_ms = static_cast<std::int64_t>(*options.epoch_ms);
  if (options.verbose) settings.log = &session.console.err;
  return settings;
}

}  // namespace

ExitCode run_serve(const ServeOptions& options, Session& session) {
  serve::Server server(settings_of(options, session));
  const auto addresses = server.listen();
  if (!addresses) return complain(session, addresses.problem());
  session.console.out << "lockstep serve: ready on";
  for (const std::string& address : *addresses) session.console.out << " " << address;
  session.console.out << std::endl;  // whoever waits for it must see it now
  server.run();
  return ExitCode::as_expected;
}

}  // namespace lockstep::tools
