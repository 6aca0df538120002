#include "tools/cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace lockstep::tools {

namespace fs = std::filesystem;

namespace {

sim::Problem unwritable(const std::string& path, int error) {
  return {path + ": cannot be written: " + std::strerror(error)};
}

sim::Problem is_a_directory(const std::string& path) {
  return {path + ": is a directory, so no file can be written there"};
}

/// 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t put = ::write(descriptor, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

int write_pieces(int descriptor, const NextPiece& next) {
  for (;;) {
    const std::string piece = next();
    if (piece.empty()) return 0;
    if (const int error = write_all(descriptor, piece); error != 0) return error;
  }
}

std::optional<sim::Problem> write_directly(const std::string& path, const NextPiece& next) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return unwritable(path, errno);
  const int error = write_pieces(descriptor, next);
  ::close(descriptor);
  if (error != 0) return unwritable(path, error);
  return std::nullopt;
}

/// Where a link leads, over others, as writing through it would; another path as it is. Its folder may be
/// missing.
sim::Result<fs::path> behind_links(const std::string& path) {
  constexpr int links_max = 40;  // of one path, as Linux has it
  fs::path at = path;
  std::error_code ignored;
  for (int links = 0; fs::is_symlink(fs::symlink_status(at, ignored)); ++links) {
    std::error_code error;
    const fs::path next = at.parent_path() / fs::read_symlink(at, error);
    if (error) return unwritable(path, error.value());
    if (links == links_max) return unwritable(path, ELOOP);
    at = next;
  }
  if (at != path && !fs::exists(at.has_parent_path() ? at.parent_path() : ".", ignored))
    return sim::Problem{path + ": is a link to " + at.string() + ", whose folder does not exist"};
  return at;
}

mode_t ordinary_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::optional<sim::Problem> write_file(const std::string& path, std::string_view content) {
  return write_file(path, [left = content]() mutable {
    const std::string_view piece = left.substr(0, std::size_t{1} << 20);
    left.remove_prefix(piece.size());
    return std::string(piece);
  });
}

std::optional<sim::Problem> write_file(const std::string& path, const NextPiece& next) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) return is_a_directory(path);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_directly(path, next);

  // What a link points to is replaced, not the link.
  const auto target = behind_links(path);
  if (!target) return target.problem();
  std::error_code problem;
  if (const fs::path folder = target->parent_path(); !folder.empty()) fs::create_directories(folder, problem);
  if (problem) return unwritable(path, problem.value());
  std::string temporary =
      (target->parent_path() / fmt::format(".{}.XXXXXX", target->filename().string())).string();
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) return unwritable(path, errno);
  int error = write_pieces(descriptor, next);
  if (error == 0 && ::fchmod(descriptor, ordinary_mode()) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), target->c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    return unwritable(path, error);
  }
  return std::nullopt;
}

std::optional<sim::Problem> cannot_write(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) return is_a_directory(path);
  if (fs::exists(status) && !fs::is_regular_file(status)) return std::nullopt;
  const auto target = behind_links(path);
  if (!target) return target.problem();
  fs::path folder = fs::weakly_canonical(fs::absolute(*target, ignored), ignored).parent_path();
  while (folder.has_relative_path() && !fs::exists(folder, ignored)) folder = folder.parent_path();
  if (!fs::is_directory(folder, ignored)) return unwritable(path, ENOTDIR);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return unwritable(path, errno);
  return std::nullopt;
}

std::optional<sim::Problem> make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return sim::Problem{path + ": cannot be made a directory: " + error.message()};
  return std::nullopt;
}

std::optional<sim::Problem> make_result_folder(const std::string& out_dir, const std::string& scenario) {
  std::error_code ignored;
  const fs::path latest = fs::path(out_dir) / "latest";
  const bool is_link = fs::is_symlink(fs::symlink_status(latest, ignored));
  const bool takes_its_name = scenario == "latest" || scenario.starts_with("latest/");
  if (takes_its_name && is_link) fs::remove(latest, ignored);
  if (auto problem = make_directory(out_dir + "/" + scenario)) return problem;
  if (takes_its_name || (!is_link && fs::exists(latest, ignored))) return std::nullopt;
  // Another lockstep may do the same: a link is put there whole.
  const fs::path mine = fs::path(out_dir) / fmt::format(".latest.{}", ::getpid());
  std::error_code failed;
  fs::create_directory_symlink(scenario, mine, failed);
  if (!failed) fs::rename(mine, latest, failed);
  if (failed) fs::remove(mine, ignored);
  return std::nullopt;
}

std::optional<sim::Problem> deliver(const std::string& path, std::string_view content, std::ostream& out) {
  if (!path.empty() && path != "-") return write_file(path, content);
  out << content;
  return std::nullopt;
}

ExitCode with_output(Session& session, const std::function<ExitCode(Session&)>& run) {
  const std::string& path = session.global.out_file;
  if (path.empty() || path == "-") return run(session);
  if (const auto problem = cannot_write(path)) return complain(session, *problem);
  std::ostringstream text;
  Console console{.out = text,
                  .err = session.console.err,
                  .colour_err = session.console.colour_err,
                  .quiet = session.console.quiet};
  Session into{console, session.global};
  const ExitCode code = run(into);
  if (code == ExitCode::usage) return code;
  if (const auto problem = write_file(path, text.str())) return complain(session, *problem);
  return code;
}

}  // namespace lockstep::tools
