#include "sim/run/divergence.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep::sim {

namespace {

constexpr std::size_t shown_max = 20;

std::string what_differs(const Divergence& divergence) {
  const auto& enabled = divergence.enabled;
  if (enabled.empty()) return "the run comes to rest before that";
  const auto found = std::find(enabled.begin(), enabled.end(), divergence.move);
  if (found == enabled.end()) return "that is not enabled here";
  if (!divergence.choice) return "";
  return fmt::format("recorded as {}/{}, but it stands at {}/{} here", divergence.choice->index,
                     divergence.choice->arity, found - enabled.begin(), enabled.size());
}

}  // namespace

std::string text_of(const Divergence& divergence) {
  std::string out = fmt::format("the run differs from its trail at step {}\n  the trail takes: {}\n  {}\n",
                                divergence.step, divergence.move, what_differs(divergence));
  if (!divergence.enabled.empty()) out += "  enabled here:\n";
  const std::size_t shown = std::min(divergence.enabled.size(), shown_max);
  for (std::size_t i = 0; i < shown; ++i) {
    out += fmt::format("    {}/{} {}\n", i, divergence.enabled.size(), divergence.enabled[i]);
  }
  if (shown < divergence.enabled.size())
    out += fmt::format("    and {} more\n", divergence.enabled.size() - shown);
  return out;
}

}  // namespace lockstep::sim
