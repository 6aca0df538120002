#include "tools/cli/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "reports/text/text.h"

namespace lockstep::tools {

namespace {

sim::Problem unreadable(const std::string& path, int error) {
  const std::string shown = reports::printable(path);
  if (error == ENOENT) return {shown + ": there is no such file"};
  return {shown + ": cannot be read: " + std::strerror(error)};
}

sim::Result<std::string> read_all(int descriptor, const std::string& path, std::uint64_t bytes_max) {
  std::string content;
  std::array<char, 1 << 16> piece;
  while (true) {
    const ssize_t got = ::read(descriptor, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, errno);
    if (got == 0) return content;
    content.append(piece.data(), static_cast<std::size_t>(got));
    if (content.size() > bytes_max) {
      return sim::Problem{fmt::format("{}: is larger than {} bytes, the most that is read", path, bytes_max)};
    }
  }
}

}  // namespace

sim::Result<std::string> read_input(const std::string& path, std::uint64_t bytes_max) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input", bytes_max);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return unreadable(path, errno);
  struct stat about {};
  if (::fstat(descriptor, &about) == 0 && S_ISDIR(about.st_mode)) {
    ::close(descriptor);
    return sim::Problem{path + ": is a directory, not a file"};
  }
  sim::Result<std::string> content = read_all(descriptor, path, bytes_max);
  ::close(descriptor);
  return content;
}

sim::Result<std::vector<std::string>> paths_below(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  std::string entered = folder;
  std::filesystem::recursive_directory_iterator at(folder, error);
  for (const std::filesystem::recursive_directory_iterator end; !error && at != end; at.increment(error))
    paths.push_back(entered = at->path().string());
  if (error) return unreadable(entered, error.value());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace lockstep::tools
