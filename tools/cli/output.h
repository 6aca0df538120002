// output.h: writes the files that a user asks for, whole or not at all.
//
// The content goes to a temporary file in the same directory, which is renamed when every byte is on its way
// to the disk: a reader never sees half a file under its final name, and a full disk leaves an older file as
// it was. Something that is not a regular file (/dev/stdout, a pipe) is written to directly. What goes wrong
// comes back as one sentence.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "tools/cli/session.h"

namespace lockstep::tools {

/// Makes the folders that are missing.
[[nodiscard]] std::optional<sim::Problem> write_file(const std::string& path, std::string_view content);

/// The same piece by piece: an empty one is behind the last.
using NextPiece = std::function<std::string()>;
[[nodiscard]] std::optional<sim::Problem> write_file(const std::string& path, const NextPiece& next);

/// Whether a file can surely not be written there: asked before hours are spent on what is to be in it. Makes
/// nothing.
[[nodiscard]] std::optional<sim::Problem> cannot_write(const std::string& path);

/// Makes the directory and those above it.
[[nodiscard]] std::optional<sim::Problem> make_directory(const std::string& path);

/// Makes the folder of what was found in a scenario, out/NAME, and has the link out/latest show there, where
/// links can be made. Something else that is called so is left alone.
[[nodiscard]] std::optional<sim::Problem> make_result_folder(const std::string& out_dir,
                                                             const std::string& scenario);

/// What -o names: nothing or "-" is the stream `out`, anything else a file.
[[nodiscard]] std::optional<sim::Problem> deliver(const std::string& path, std::string_view content,
                                                  std::ostream& out);

/// Runs a command whose results go where -o says. A mistake of the user leaves no file.
ExitCode with_output(Session& session, const std::function<ExitCode(Session&)>& run);

/// The same as a row's function: `to_output<run_check>`.
template <auto run, class Options>
ExitCode to_output(const Options& options, Session& session) {
  return with_output(session, [&](Session& to) { return run(options, to); });
}

}  // namespace lockstep::tools
