// cmd_report.h: `lockstep report TRACE|TRAIL` writes a run as one HTML page. -o says where it goes.
//
// With the scenario at hand the page also shows states, scripts and what could have happened instead; without
// it, the trace alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct ReportOptions {
  std::string file;
  std::string scenario;              // of the trail: its file
  std::string beside;                // another run, row by row beside this one
  std::string title;                 // empty: the scenario's name
  std::uint64_t events_max = 100'000;  // listed
  std::uint64_t states_max = 1'500;  // known for going through by hand
  std::vector<std::string> scripts;  // SET, DIR or ROLE=FILE, in the order given
};

Verb report_verb();

}  // namespace lockstep::tools
