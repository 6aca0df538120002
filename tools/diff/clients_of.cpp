#include "tools/diff/clients_of.h"

#include <algorithm>

#include "model/redisson/versions.h"
#include "scenarios/format/script_reader.h"
#include "sim/base/verify.h"
#include "tools/cli/load.h"

namespace lockstep::tools {

namespace {

bool is_text_of(const lua::Script* script, const lua::Script& other) {
  return script != nullptr && script->text == other.text;
}

}  // namespace

std::vector<Release> all_releases() {
  const auto library = script_library();
  VERIFY(library.ok());
  std::vector<Release> releases;
  for (const redisson::Version& one : redisson::versions()) {
    const std::string version(one.name);
    auto scripts = scenarios::find_script_set("redisson@" + version, *library);
    VERIFY(scripts.ok());
    releases.push_back({*redisson::settings_of(version), *std::move(scripts)});
  }
  return releases;
}

std::vector<redisson::Settings> clients_of(std::span<const lua::Script* const> scripts,
                                           const model::Role& role, const std::vector<Release>& releases,
                                           const std::vector<redisson::Settings>& named) {
  std::vector<redisson::Settings> senders = named;
  for (const Release& release : releases) {
    const lua::Script* sent = script_for(role, release.scripts);
    const auto is_it = [&](const lua::Script* script) { return is_text_of(script, *sent); };
    if (sent != nullptr && std::any_of(scripts.begin(), scripts.end(), is_it))
      senders.push_back(release.client);
  }
  if (senders.empty())
    for (const Release& release : releases) senders.push_back(release.client);
  return senders;
}

std::vector<redisson::Settings> clients_that_send(const lua::Script& script, const model::Setup& setup) {
  std::vector<redisson::Settings> senders;
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    const auto process = sim::make_id<sim::ProcessId>(p);
    const redisson::Settings& client = setup.client_of(process);
    const bool sends = is_text_of(setup.scripts_of(process).find(script.role), script);
    if (sends && std::find(senders.begin(), senders.end(), client) == senders.end())
      senders.push_back(client);
  }
  return senders;
}

}  // namespace lockstep::tools
