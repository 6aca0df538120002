// real_process.h: real programs that a test starts, and asks through redis-cli.
//
// Everything is killed when the object goes, or when the test itself dies.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::differential {

/// In a child of fork: becomes the program, or ends with code 127 if there is none.
[[noreturn]] void execute(const std::vector<std::string>& words);

class RealProcess {
 public:
  /// The words of its command line, the program first.
  explicit RealProcess(const std::vector<std::string>& words);
  ~RealProcess() { stop(); }
  RealProcess(const RealProcess&) = delete;
  RealProcess& operator=(const RealProcess&) = delete;

  /// SIGKILL, and waits for its end.
  void stop();

 private:
  pid_t child_ = -1;
};

/// A folder in /tmp that goes with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Whether redis-server and redis-cli are installed.
bool redis_is_installed();

/// Ports that nobody listens to now; the ports 10,000 above them are free as well, for cluster buses.
std::vector<std::uint16_t> free_ports(std::size_t count);

std::string text_of_file(const std::string& path);
void write_text(const std::string& path, const std::string& text);
std::vector<std::string> lines_of(const std::string& text);

/// What redis-cli prints, unadorned, for commands of one line each.
std::string ask(const Folder& folder, std::uint16_t port, const std::string& commands);

}  // namespace lockstep::differential
