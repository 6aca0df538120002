// exporters.h: the formats into which `lockstep trace export` writes a trace.
//
// Every one is text, and the same bytes for the same trace and window.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/text/window.h"
#include "sim/trace.h"

namespace lockstep::tools {

struct Exporter {
  std::string_view name;
  std::string_view about;
  bool takes_window = true;  // whether --from and --to mean something to it
  std::string (*write)(const sim::Trace& trace, const reports::Window& window);
};

std::span<const Exporter> exporters();

/// The one of this name, or null.
const Exporter* find_exporter(std::string_view name);

}  // namespace lockstep::tools
