// script_ways.h: which way each `if` of the scripts went in runs that were sampled.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "properties/check/check.h"
#include "tools/graph/script_hits.h"

namespace lockstep::tools {

class ScriptWays final : public properties::WaysWatch {
 public:
  std::string laid_out(std::string_view body) override { return hits_.laid_out(body); }
  void begin(std::string_view sha1, Kind kind) override;
  bool goes_on() override { return hits_.goes_on(); }
  void at_line(int line) override;
  std::vector<std::uint32_t> gone() override;

  /// All that was gone so far, and what was gone elsewhere.
  GoneWays all_gone() const { return hits_.gone(); }
  void add(const GoneWays& gone) { hits_.add(gone); }
  /// Of the scripts that ran: outcomes of their conditions, and those that never came.
  properties::Covered covered(const model::Setup& setup) const;

 private:
  HitCounter hits_;
  std::map<std::tuple<std::string, int, int>, std::uint32_t> numbers_;
  std::vector<std::uint32_t> gone_;
  std::string script_;
  int last_ = 0;
};

}  // namespace lockstep::tools
