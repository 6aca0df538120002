// script_ways.h: which way each `if` of the scripts of a scenario goes, as samples run them.
//
// The ways have numbers that follow from the scenario, so those of several programs go together. A condition
// is decided by the line of its own function that comes next: what it calls has lines of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "properties/check/check.h"
#include "reports/result/covered.h"
#include "tools/graph/script_layout.h"

namespace lockstep::tools {

/// One of the scripts of a scenario: `first` is the way that it runs at all; behind it each of its branches
/// has two, that its condition holds and that it does not.
struct NumberedScript {
  const lua::Script* script = nullptr;
  ScriptLayout layout;  // without branches behind which the same comes either way
  std::uint32_t first = 0;
};
std::vector<NumberedScript> numbered_scripts(const model::Setup& setup);

class ScriptWays final : public properties::WaysWatch {
 public:
  explicit ScriptWays(const model::Setup& setup);

  std::string laid_out(std::string_view body) override { return lay_out(body).code; }
  void begin(std::string_view sha1, Kind kind) override;
  bool goes_on() override;
  void at_line(int line) override;
  std::vector<std::uint32_t> gone() override;

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct Script {
    std::uint32_t first = 0;
    std::vector<LaidOutBranch> branches;
    std::vector<std::size_t> branch_at, function_at;  // by line
    std::size_t functions = 1;                        // 0 is the script itself
  };

  void decide(std::size_t branch, bool holds);
  void leave();

  std::map<std::string, Script, std::less<>> by_sha1_;
  const Script* script_ = nullptr;
  std::vector<std::size_t> lines_;  // where each of its functions is
  std::size_t function_ = 0;        // that came to a line last
  std::uint64_t portions_ = 0;
  std::vector<std::uint32_t> gone_;
};

/// What samples saw, by the lines of scripts.
reports::Covered covered_of(const model::Setup& setup, const properties::Seen& seen);

}  // namespace lockstep::tools
