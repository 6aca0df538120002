#include "tools/graph/script_ways.h"

#include <utility>

#include <fmt/format.h>

namespace lockstep::tools {

void ScriptWays::begin(std::string_view sha1, Kind kind) {
  hits_.begin(sha1, kind);
  script_ = kind == Kind::script ? std::string(sha1) : "";
  last_ = 0;
}

void ScriptWays::at_line(int line) {
  hits_.at_line(line);
  if (script_.empty()) return;
  const auto number = static_cast<std::uint32_t>(numbers_.size());
  gone_.push_back(numbers_.try_emplace({script_, std::exchange(last_, line), line}, number).first->second);
}

std::vector<std::uint32_t> ScriptWays::gone() { return std::exchange(gone_, {}); }

properties::Covered ScriptWays::covered(const model::Setup& setup) const {
  properties::Covered ways{.what = "ways of conditions in scripts that ran"};
  for (const reports::CountedScript& script : counted_scripts(setup, hits_).scripts)
    for (const reports::CountedLine& line : script.lines) {
      if (!line.branch) continue;
      const std::pair<std::uint64_t, const char*> outcomes[] = {{line.branch->taken, "true"},
                                                                {line.branch->not_taken, "false"}};
      for (const auto& [times, outcome] : outcomes) {
        ++ways.all;
        if (times > 0) ++ways.met;
        else ways.never.push_back(fmt::format("{}: `{}` was never {}", script.role, line.text, outcome));
      }
    }
  return ways;
}

}  // namespace lockstep::tools
