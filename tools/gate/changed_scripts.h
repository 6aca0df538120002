// changed_scripts.h: which scripts differ between base and head, and by how much.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "reports/findings/findings.h"

namespace lockstep::tools {

class ChangedScripts {
 public:
  /// What a scenario runs with on both sides; the base may be missing.
  void look(const model::Setup* base, const model::Setup& head);
  void sent(const std::vector<std::string>& roles) { sent_.insert(roles.begin(), roles.end()); }

  std::vector<reports::ChangedScript> changed() const;
  std::uint64_t unchanged() const;

 private:
  std::map<std::string, reports::ChangedScript> changed_;
  std::set<std::string> all_, sent_;
};

/// How many lines were added and removed.
std::pair<std::uint64_t, std::uint64_t> lines_changed(const std::string& before, const std::string& after);

}  // namespace lockstep::tools
