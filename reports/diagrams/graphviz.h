// graphviz.h: pictures from DOT, by Graphviz's own programs in a child process.
//
// The only place of the reports that starts a process. A layout can take for ever and a library call could
// not be stopped, so the program gets the DOT on its standard input and is killed when its time is over.
// Graphviz is not required to build or to run Lockstep: without it the answer is one sentence.
#pragma once

#include <chrono>
#include <string>

#include "sim/base/result.h"

namespace lockstep::reports {

enum class Engine {
  pinned,   // `neato -n2`: for a Drawing
  layered,  // `dot`: for a state graph
};

/// What a script for gnuplot writes to its standard output, under the same rules.
sim::Result<std::string> plotted(const std::string& script,
                                 std::chrono::milliseconds timeout = std::chrono::seconds(20));

/// `format`: svg, png, pdf, or dot, which answers the text itself and needs no Graphviz.
sim::Result<std::string> render(const std::string& dot, Engine engine, const std::string& format,
                                std::chrono::milliseconds timeout = std::chrono::seconds(20));

}  // namespace lockstep::reports
