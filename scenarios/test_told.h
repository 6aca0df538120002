// test_told.h: what a server is told while one process runs.
#pragma once

#include <string>
#include <vector>

#include "scenarios/exploring.h"
#include "sim/run/run.h"

namespace lockstep::scenarios {

/// What MONITOR prints of a command, without quotes, and of EVAL without the text of the script.
inline std::string command_words(const std::string& line) {
  const bool from_script = line.substr(0, line.find("] ")).ends_with(" lua");
  std::string words = line.substr(line.find("] ") + 3);
  words.resize(words.rfind('"'));
  std::string text;
  std::size_t word = 0;
  for (std::size_t at = 0; at != std::string::npos; ++word) {
    const std::size_t end = words.find("\" \"", at);
    if (word != 1 || !words.starts_with("EVAL"))
      text += (text.empty() ? "" : " ") + words.substr(at, end == std::string::npos ? end : end - at);
    at = end == std::string::npos ? end : end + 3;
  }
  return (from_script ? "lua: " : "") + text;
}

/// What a server is told when the process "a" runs this program alone.
inline std::vector<std::string> told_by(const std::string& program, const std::string& set) {
  model::Setup setup = setup_of("scripts = \"" + set + "\"\n[process.A]\nthreads = [[" + program + "]]\n");
  setup.processes[0].client_id = "a";
  Checked system(setup);
  model::Tracer tracer(setup);
  system.tell(&tracer);
  sim::DefaultSchedule<Checked> policy;
  sim::run(system, system.initial(), policy);
  std::vector<std::string> told;
  for (const std::string& line : tracer.monitor_lines()) told.push_back(command_words(line));
  return told;
}

}  // namespace lockstep::scenarios
