#include "tools/import/java_tree.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "reports/text/text.h"
#include "tools/cli/input.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t java_bytes_max = 8u << 20;
constexpr std::uint64_t all_bytes_max = 512u << 20;

bool is_java(const fs::path& path) { return path.extension() == ".java"; }

bool is_entered(const fs::path& folder) {
  const bool tests = folder.filename() == "test" && folder.parent_path().filename() == "src";
  return !tests && !folder.filename().string().starts_with('.');
}

sim::Result<std::vector<std::string>> java_files(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    return sim::Problem{reports::printable(path) + ": there is no such file or folder"};
  if (!fs::is_directory(status)) {
    if (!is_java(path)) return sim::Problem{path + ": is neither a folder nor a file called *.java"};
    return std::vector<std::string>{path};
  }
  std::vector<std::string> files;
  fs::recursive_directory_iterator at(path, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    const fs::path& here = at->path();
    if (at->is_directory(ignored) && !is_entered(here)) at.disable_recursion_pending();
    else if (is_java(here) && !at->is_directory(ignored)) files.push_back(here.string());
  }
  if (error) return sim::Problem{fmt::format("{}: cannot be read: {}", path, error.message())};
  if (files.empty()) return sim::Problem{path + ": holds no file called *.java"};
  std::sort(files.begin(), files.end());
  return files;
}

std::optional<sim::Problem> unwritten(const std::string& path, int error) {
  return sim::Problem{path + ": cannot be written: " + std::strerror(error)};
}

}  // namespace

sim::Result<java::Program> read_java(const std::string& path) {
  const auto paths = java_files(path);
  if (!paths) return paths.problem();
  std::vector<std::unique_ptr<java::File>> files;
  std::uint64_t bytes = 0;
  for (const std::string& each : *paths) {
    const auto text = read_input(each, java_bytes_max);
    if (!text) return text.problem();
    bytes += text->size();
    if (bytes > all_bytes_max)
      return sim::Problem{fmt::format("{}: holds more than {} bytes of Java", path, all_bytes_max)};
    auto file = java::read_file(*text, each);
    if (!file) return file.problem();
    files.push_back(std::move(file).value());
  }
  return java::Program(std::move(files));
}

std::optional<sim::Problem> write_directory(const std::string& path, const Files& files) {
  std::error_code error;
  fs::path target = path;
  if (!target.has_filename()) target = target.parent_path();
  const fs::file_status status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_directory(status))
    return sim::Problem{path + ": is a file, and a folder is to be made"};
  if (fs::exists(status) && !fs::is_empty(target, error))
    return sim::Problem{path + ": is not empty; name a folder that does not exist yet"};
  const std::string parent = target.has_parent_path() ? target.parent_path().string() : ".";
  if (auto problem = make_directory(parent)) return problem;
  std::string temporary = (fs::path(parent) / fmt::format(".{}.XXXXXX", target.filename().string())).string();
  if (::mkdtemp(temporary.data()) == nullptr) return unwritten(path, errno);
  std::optional<sim::Problem> problem;
  for (const auto& [name, content] : files)
    if (!problem) problem = write_file((fs::path(temporary) / name).string(), content);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (!problem && (::chmod(temporary.c_str(), 0777 & ~mask) != 0 ||
                   ::rename(temporary.c_str(), target.string().c_str()) != 0))
    problem = unwritten(path, errno);
  if (problem) fs::remove_all(temporary, error);
  return problem;
}

}  // namespace lockstep::tools
