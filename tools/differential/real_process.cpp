#include "tools/differential/real_process.h"

#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockstep::differential {

namespace {

constexpr int bus_offset = 10'000;

/// A socket that is bound to the port (0: any), or -1.
int bound(std::uint16_t port) {
  const int handle = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return handle;
  ::close(handle);
  return -1;
}

std::uint16_t port_of(int handle) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(handle, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

}  // namespace

void execute(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

RealProcess::RealProcess(const std::vector<std::string>& words) {
  child_ = ::fork();
  if (child_ != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  execute(words);
}

void RealProcess::stop() {
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
  child_ = -1;
}

Folder::Folder() {
  char path[] = "/tmp/lockstep-real-XXXXXX";
  if (::mkdtemp(path)) path_ = path;
}
Folder::~Folder() {
  if (!path_.empty()) std::filesystem::remove_all(path_);
}

bool redis_is_installed() {
  return std::system("redis-server --version > /dev/null 2>&1 && redis-cli --version > /dev/null 2>&1") == 0;
}

std::vector<std::uint16_t> free_ports(std::size_t count) {
  std::vector<std::uint16_t> ports;
  std::vector<int> handles;  // held until all are found, so that none is found twice
  for (int tries = 0; tries < 1'000 && ports.size() < count; ++tries) {
    const int handle = bound(0);
    const std::uint16_t port = port_of(handle);
    handles.push_back(handle);
    if (port + bus_offset > 65'535) continue;
    const int bus = bound(static_cast<std::uint16_t>(port + bus_offset));
    if (bus < 0) continue;
    handles.push_back(bus);
    ports.push_back(port);
  }
  for (const int handle : handles) ::close(handle);
  return ports;
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  std::string line;
  while (std::getline(stream, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::string ask(const Folder& folder, std::uint16_t port, const std::string& commands) {
  const std::string in = folder / "asked", out = folder / "answered";
  write_text(in, commands + "\n");
  const std::string line = "redis-cli -p " + std::to_string(port) + " < " + in + " > " + out + " 2>&1";
  if (std::system(line.c_str()) != 0) return {};
  return text_of_file(out);
}

}  // namespace lockstep::differential
