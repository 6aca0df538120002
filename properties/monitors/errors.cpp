// errors.cpp: scripts that fail, and exceptions that nobody expects.
//
// An error that tells of the server and not of the script is one that a client of Redis has to expect: the
// node is a replica by now, has forgotten a script that is asked for by its SHA1, or cannot serve at all. So
// is one by which a script refuses what its caller must not ask (model::Role).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

namespace {

constexpr std::array<std::string_view, 11> of_servers{"READONLY", "NOSCRIPT",   "LOADING",  "MASTERDOWN",
                                                      "MOVED",    "ASK",        "TRYAGAIN", "CLUSTERDOWN",
                                                      "OOM",      "NOREPLICAS", "CLOSED"};

bool is_expected(std::string_view error, const model::Role& role) {
  const std::string_view code = error.substr(0, error.find(' '));
  if (!role.throws.empty() && error.find(role.throws) != std::string_view::npos) return true;
  return std::find(of_servers.begin(), of_servers.end(), code) != of_servers.end();
}

}  // namespace

void see_errors(const model::Observation& observation, const Setup& setup, Findings& findings) {
  if (const auto* seen = std::get_if<model::Evaluated>(&observation)) {
    const model::Role& role = model::role_of(seen->purpose, setup);
    if (seen->error.empty() || is_expected(seen->error, role)) return;
    findings.breaks(Property::no_script_error, [&] {
      return fmt::format("the {} script of {} answered with an error: {}", role.name,
                         setup.thread_name(seen->purpose.thread), seen->error);
    });
  }
  const auto* ended = std::get_if<model::ThreadEnded>(&observation);
  if (ended == nullptr || !ended->thrown_by) return;
  findings.breaks(Property::no_uncaught_exception, [&] {
    const auto& program = setup.threads[ended->thread.index()].program;
    return fmt::format("{} ended by an exception of `{}`, which its program does not expect",
                       setup.thread_name(ended->thread), program[*ended->thrown_by].text);
  });
}

}  // namespace lockstep::properties
