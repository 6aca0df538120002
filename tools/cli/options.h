// options.h: declares options with CLI11 so that every mistake in a value comes back as one sentence of ours.
//
// CLI11's own messages name C++ types and ranges; the values here are read by quantity.h and by tables
// instead, and a wrong one raises CLI::ValidationError with "--seed wants …", which command_line.cpp turns
// into a usage error. Only the two source files that must include CLI11 include this (a compiler needs some
// ten seconds for it).
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/quantity.h"
#include "tools/cli/suggest.h"

namespace lockstep::tools {

template <class T, class Parse>
CLI::Option* parsed(CLI::App& app, const char* name, T& into, Parse parse, const char* shown,
                    const char* about) {
  const auto store = [&into, parse, name](const std::string& text) {
    const auto value = parse(text);
    const std::string_view names(name);
    const std::string called(names.substr(names.rfind(',') + 1));
    if (!value) throw CLI::ValidationError(called + " " + value.problem().text);
    into = *value;
  };
  return app.add_option_function<std::string>(name, store, about)->type_name(shown);
}

template <class T>
CLI::Option* count(CLI::App& app, const char* name, T& into, const char* about) {
  return parsed(app, name, into, parse_count, "N", about);
}
inline CLI::Option* duration(CLI::App& app, const char* name, std::optional<sim::Duration>& into,
                             const char* about) {
  return parsed(app, name, into, parse_duration, "D", about);
}
inline CLI::Option* size(CLI::App& app, const char* name, std::optional<std::uint64_t>& into,
                         const char* about) {
  return parsed(app, name, into, parse_size, "SIZE", about);
}

inline CLI::Option* text(CLI::App& app, const char* name, std::string& into, const char* shown,
                         const char* about) {
  return app.add_option(name, into, about)->type_name(shown);
}
inline CLI::Option* flag(CLI::App& app, const char* name, bool& into, const char* about) {
  return app.add_flag(name, into, about);
}
/// A flag that switches something off.
inline CLI::Option* flag_off(CLI::App& app, const char* name, bool& into, const char* about) {
  return app.add_flag_callback(name, [&into] { into = false; }, about);
}
/// May be given again and again; takes one value each time.
inline CLI::Option* repeated(CLI::App& app, const char* name, std::vector<std::string>& into,
                             const char* shown, const char* about) {
  return app.add_option(name, into, about)->type_name(shown)->allow_extra_args(false);
}

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

/// One of the named values.
template <class T>
CLI::Option* choice(CLI::App& app, const char* name, T& into, const Choices<T>& choices, const char* about) {
  std::string shown;
  std::vector<std::string> names;
  for (const auto& [word, value] : choices) {
    shown += (shown.empty() ? "" : "|") + word;
    names.push_back(word);
  }
  const auto parse = [choices, names, shown](const std::string& word) -> sim::Result<T> {
    for (const auto& [known, value] : choices) {
      if (known == word) return value;
    }
    return sim::Problem{"wants " + shown + ", not `" + word + "`" + did_you_mean(word, names)};
  };
  return parsed(app, name, into, parse, shown.c_str(), about);
}

}  // namespace lockstep::tools
