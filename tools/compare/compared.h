// compared.h: the table of `lockstep compare`: every scheme asked every question, and what a lock costs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/compare/questions.h"

namespace lockstep::tools {

struct Cell {
  std::string verdict;          // proved, passed, unknown, violated; "not offered"
  std::uint64_t decisions = 0;  // of violated: where the shortest run that was found leaves the default one
  std::string property, why;    // of violated
  std::string scenario, trail, trace, picture;  // files, of violated; the last is a page
};

/// Commands that servers ran, and messages that were sent, from the first to the last.
struct Cost {
  std::uint64_t commands = 0, messages = 0;
};

struct ComparedRow {
  Contestant contestant;
  std::vector<Cell> cells;  // by question
  Cost alone, contended;
};

struct AskingLimits {
  std::uint64_t states_max = 120'000, runs = 100;
  bool pages = false;  // of each run that breaks something, with its pictures
};

/// Files lie in OUT/compare/SCHEME. A mistake in a scheme is a problem.
sim::Result<ComparedRow> compare_one(const Contestant& contestant, const AskingLimits& limits,
                                     const std::string& out_dir);

enum class CompareForm { table, markdown, json, html };

std::string comparison(const std::vector<ComparedRow>& rows, const AskingLimits& limits, CompareForm form);

}  // namespace lockstep::tools
