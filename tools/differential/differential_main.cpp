// The program lockstep-differential: how long a comparison may be is limited by your time only.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string_view>

#include "tools/differential/arguments.h"
#include "tools/differential/campaign.h"
#include "tools/differential/client_steps.h"
#include "tools/differential/real_cluster.h"

namespace {

using namespace lockstep::differential;

constexpr int no_difference = 0, different = 1, cannot_compare = 2;

/// Runs the plan and prints what came of it. Returns whether there was no difference.
bool carry_out(Plan plan, const Request& request, RealServer& server, const Watch& watch) {
  if (plan.count == 0) return true;
  plan.seed = request.seed;
  plan.differences_max = request.differences_max;
  BothSides sides(server, watch);
  const auto begin = std::chrono::steady_clock::now();
  const Tally tally = run(plan, sides);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  for (const std::string& difference : tally.differences) fmt::print("{}\n", difference);
  fmt::print("{}: {} commands ({} counted), {} time steps, {} differences, {:.1f} s, seed {}\n", plan.what,
             tally.commands, tally.counted, tally.time_steps, tally.differences.size(), seconds.count(),
             plan.seed);
  return tally.differences.empty();
}

Watch watch_clients() {
  Watch watch;
  watch.clients = clients_count;
  watch.clock_in_pipeline = false;
  return watch;
}

/// With servers of its own.
bool compare_cluster(const Request& request) {
  RealClusterNode node;
  if (!node.problem().empty()) {
    fmt::print(stderr, "lockstep-differential: {}.\n", node.problem());
    return false;
  }
  Watch watch = watch_clients();
  watch.cluster = node.map();
  return carry_out(cluster_plan(request.cluster_commands), request, node.server(), watch);
}

}  // namespace

int main(int count, char** words) {
  if (count == 2 && (std::string_view(words[1]) == "--help" || std::string_view(words[1]) == "-h")) {
    fmt::print("{}", usage);
    return no_difference;
  }
  const auto parsed = parse_request({words + 1, words + count});
  if (const auto* problem = std::get_if<std::string>(&parsed)) {
    fmt::print(stderr, "lockstep-differential: {}.\n\n{}", *problem, usage);
    return cannot_compare;
  }
  const Request& request = std::get<Request>(parsed);
  const bool file = request.effects == Watch::Effects::file;
  RealServer server({request.server, file ? RealServer::Log::append_only : RealServer::Log::none});
  if (!server.problem().empty()) {
    fmt::print(stderr, "lockstep-differential: {}.\n", server.problem());
    return cannot_compare;
  }
  Watch one;
  one.effects = request.effects;
  bool equal = carry_out(command_plan(request.commands, request.chosen), request, server, one);
  Watch several = watch_clients();
  several.effects = request.effects;
  equal = carry_out(client_plan(request.client_commands), request, server, several) && equal;
  Watch listening = one;
  listening.clients = 2;
  equal = carry_out(event_plan(request.event_commands), request, server, listening) && equal;
  if (request.cluster_commands > 0) equal = compare_cluster(request) && equal;
  one.calls = true;
  equal = carry_out(script_plan(request.scripts), request, server, one) && equal;
  one.clients = 2;
  equal = carry_out(lock_plan(request.lock_scripts), request, server, one) && equal;
  return equal ? no_difference : different;
}
