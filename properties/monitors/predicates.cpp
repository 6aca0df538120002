#include "properties/monitors/predicates.h"

#include <fmt/format.h>

#include "properties/monitors/all_properties.h"
#include "properties/monitors/on_request.h"
#include "properties/monitors/state_view.h"

namespace lockstep::properties {

namespace {

/// As one script, which answers 1, 0, or the type of what else came out. The predicate's first line is its
/// first line.
std::string script_of(const std::string& lua) {
  const bool is_text = lua.find("return") != std::string::npos;
  const char* const end = lua.find("--") == std::string::npos ? " " : "\n";  // of a comment
  const std::string value =
      is_text ? fmt::format("(function() {}{}end)()", lua, end) : fmt::format("({}{})", lua, end);
  return fmt::format(
      "{} local value = {} if value == true then return 1 elseif value == false then return 0 end "
      "return type(value)",
      StateView::definitions(), value);
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// The sentence in an error that the engine answers.
std::string told(std::string text) {
  for (const std::string_view head : {"ERR Error compiling script (new function): ", "ERR "})
    if (text.starts_with(head)) text.erase(0, head.size());
  text = text.substr(0, text.find(" script: "));
  replace_all(text, "user_script:", "line ");
  return text;
}

bool is_stuck(const model::World& world, const Setup& setup) { return model::Facts(world, setup).stuck(); }

}  // namespace

Predicates::Predicates(const Setup& setup)
    : setup_(setup), engine_({.steps_max = predicate_steps_max, .memory_max = std::size_t{16} << 20}) {
  for (std::size_t i = 0; i < setup.predicates.size(); ++i) {
    lua::Error problem;
    scripts_.push_back(engine_.load(script_of(setup.predicates[i].lua), problem));
    if (scripts_.back() == nullptr && !failure_) failure_ = PredicateFailure{i, told(problem.text)};
  }
}

std::optional<bool> Predicates::value(std::size_t predicate, lua::Host& view) {
  const auto fail = [&](std::string why) {
    failure_ = PredicateFailure{predicate, std::move(why)};
    return std::nullopt;
  };
  const lua::Reply reply = engine_.eval(*scripts_[predicate], {}, {}, view);
  if (const std::int64_t* said = reply.integer()) return *said != 0;
  if (const lua::Error* error = reply.error()) return fail(told(error->text));
  return fail(fmt::format("it is true or false, and this is a {}", reply.bulk() ? *reply.bulk() : "value"));
}

void Predicates::see(const model::World& world, Monitors& monitors, sim::PropertyMask watched,
                     Findings& findings) {
  using model::PredicateKind;
  StateView view(world, monitors.beliefs, setup_);
  for (std::size_t i = 0; i < setup_.predicates.size() && !failure_; ++i) {
    const model::Predicate& one = setup_.predicates[i];
    const Property property = own_property(i);
    const bool witness = one.kind == PredicateKind::sometimes;
    if (!witness && (watched & ~monitors.broken & bit(property)) == 0) continue;
    const bool lasts = one.kind == PredicateKind::eventually;
    if (lasts && (monitors.on_request.get<OnRequest>().met & bit(property)) != 0) continue;
    const auto is = value(i, view);
    if (!is) return;
    if (witness && *is) findings.shown |= own_witness(setup_, i);
    if (lasts && *is) monitors.on_request.write<OnRequest>().met |= bit(property);
    const bool broken = one.kind == PredicateKind::always   ? !*is
                        : one.kind == PredicateKind::never  ? *is
                        : lasts && !*is                     ? is_stuck(world, setup_)
                                                            : false;
    if (!broken) continue;
    findings.breaks(property, [&] {
      return lasts ? fmt::format("the run has ended, and `{}` was never true", one.lua)
                   : fmt::format("`{}` is {}", one.lua, *is);
    });
    monitors.broken |= bit(property);
  }
}

std::optional<PredicateFailure> unfit_predicate(const Setup& setup) {
  if (setup.predicates.empty()) return std::nullopt;
  Predicates predicates(setup);
  if (predicates.failure()) return predicates.failure();
  Monitors monitors = initial_monitors(setup, all_usual);
  Findings findings;
  predicates.see(model::initial_world(setup), monitors, all_usual, findings);
  return predicates.failure();
}

}  // namespace lockstep::properties
