#include "tools/mutate/changed_client.h"

#include <fmt/format.h>

#include <variant>

#include "scenarios/format/duration.h"

namespace lockstep::tools {

namespace {

struct AnotherThan {
  const redisson::Knob& knob;

  std::string operator()(bool redisson::Settings::*) const {
    return knob.value == "true" ? "false" : "true";
  }
  std::string operator()(sim::Duration redisson::Settings::*) const {
    return scenarios::print(2 * scenarios::parse_duration(knob.value).value() + sim::Duration(1));
  }
  std::string operator()(std::uint16_t redisson::Settings::*) const {
    const std::string least = std::to_string(knob.least);
    return knob.value == least ? std::to_string(knob.most) : least;
  }
};

}  // namespace

std::vector<std::string> values_of(const redisson::Knob& knob) {
  std::vector<std::string> values{std::string(knob.value)};
  if (!knob.mutant) values.push_back(std::visit(AnotherThan{knob}, knob.member));
  return values;
}

std::string name_with(const redisson::Knob& knob, const std::string& value) {
  return knob.mutant ? std::string(knob.name) : fmt::format("{} = {}", knob.name, value);
}

ValueChange change_to(const redisson::Knob& knob, const std::string& value) {
  if (knob.mutant) return {"redisson.mutant", fmt::format("[\"{}\"]", knob.name)};
  if (knob.name == "watchdog") return {"time.watchdog", value};
  return {fmt::format("redisson.{}", knob.name), value};
}

}  // namespace lockstep::tools
