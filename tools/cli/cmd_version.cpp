#include "tools/cli/cmd_version.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "generated/build_info.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

// What readers of this build understand; a version changes only when an older reader would misread a file.
constexpr int scenario_format = 1;
constexpr int trail_format = 1;
constexpr int trace_format = 1;

std::string as_json() {
  nlohmann::ordered_json json;
  json["lockstep"] = build_info::version;
  json["formats"] = {{"scenario", scenario_format}, {"trail", trail_format}, {"trace", trace_format}};
  json["lua"] = build_info::lua;
  json["compiler"] = build_info::compiler;
  json["build"] = {{"type", build_info::build_type}, {"flags", build_info::flags}};
  return json.dump(2) + "\n";
}

std::string as_text() {
  const std::string_view flags(build_info::flags);
  return fmt::format(
      "{}\n"
      "scripts   {}\n"
      "compiler  {}, {}{}{}\n"
      "formats   scenario {}, trail {}, trace {}\n",
      version_line(), build_info::lua, build_info::compiler, build_info::build_type,
      flags.empty() ? "" : ", ", flags, scenario_format, trail_format, trace_format);
}

}  // namespace

std::string version_line() { return fmt::format("lockstep {}", build_info::version); }

ExitCode run_version(const VersionOptions& options, Session& session) {
  const std::string text = options.format == Format::json ? as_json() : as_text();
  if (const auto problem = deliver(session.global.out_file, text, session.console.out)) {
    session.console.err << "lockstep version: " << problem->text << "\n";
    return ExitCode::usage;
  }
  return ExitCode::as_expected;
}

namespace {

void declare_version(Grammar& grammar, VersionOptions& o) { grammar.format(o.format, "how to print it"); }

}  // namespace

Verb version_verb() {
  return {.name = "version",
          .summary = "say which program this is",
          .usage = "",
          .examples = {"lockstep version", "lockstep version --format json"},
          .required = {},
          .request = requests<VersionOptions>({declare_version, run_version})};
}

}  // namespace lockstep::tools
