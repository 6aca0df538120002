#include "tools/differential/real_server.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tools/differential/real_process.h"

namespace lockstep::differential {

namespace {

constexpr int tries_max = 500;
constexpr unsigned pause_micros = 10'000;

}  // namespace

RealServer::RealServer(const Options& options) {
  char directory[] = "/tmp/lockstep-redis-XXXXXX";
  if (!::mkdtemp(directory)) {
    problem_ = "no directory for redis-server can be made in /tmp";
    return;
  }
  directory_ = directory;
  if (!make_clock()) {
    problem_ = "the file of the clock cannot be written in " + directory_;
    return;
  }
  child_ = ::fork();
  if (child_ == 0) become_server(options);
  wait_until_it_answers(options.program);
  if (problem_.empty() && options.clock == Clock::ours) prepare();
}

RealServer::~RealServer() {
  stop();
  if (!directory_.empty()) std::filesystem::remove_all(directory_);
}

void RealServer::stop() {
  connection_.reset();
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
  child_ = -1;
}

bool RealServer::has_ended() {
  for (int tries = 0; tries < 100 && child_ > 0; ++tries) {
    if (::waitpid(child_, nullptr, WNOHANG) == child_) child_ = -1;
    else ::usleep(pause_micros);
  }
  return child_ <= 0;
}

bool RealServer::make_clock() const {
  std::ofstream file(directory_ + "/clock", std::ios::binary);
  file.write("\0\0\0\0\0\0\0\0", sizeof(std::int64_t));
  file.close();
  return file.good();
}

std::vector<std::string> RealServer::command_line(const Options& options) const {
  std::vector<std::string> words{options.program,
                                 "--unixsocket",
                                 directory_ + "/socket",
                                 "--dir",
                                 directory_,
                                 "--logfile",
                                 directory_ + "/log",
                                 "--save",
                                 "",
                                 "--enable-debug-command",
                                 "yes"};
  const auto add = [&words](std::initializer_list<std::string> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  add({"--port", std::to_string(options.cluster_port), "--bind", "127.0.0.1"});
  add({"--appendonly", options.log == Log::append_only ? "yes" : "no"});
  if (options.clock == Clock::ours) {
    add({"--appendfsync", "no", "--auto-aof-rewrite-percentage", "0"});
    add({"--loadmodule", LOCKSTEP_CLOCK_MODULE});
  }
  if (options.cluster_port != 0) add({"--cluster-enabled", "yes", "--cluster-node-timeout", "1000000000000"});
  return words;
}

/// In the child. It ends with its parent, whatever ends that. The time zone is set, because otherwise the C
/// library looks at /etc/localtime again and again.
void RealServer::become_server(const Options& options) const {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (options.clock == Clock::ours) {
    ::setenv("LOCKSTEP_CLOCK_FILE", (directory_ + "/clock").c_str(), 1);
    ::setenv("LD_PRELOAD", LOCKSTEP_CLOCK_SHIM, 1);
    ::setenv("TZ", "UTC", 1);
  }
  execute(command_line(options));
}

void RealServer::wait_until_it_answers(const std::string& program) {
  for (int tries = 0; tries < tries_max; ++tries) {
    ::usleep(pause_micros);
    int status = 0;
    if (::waitpid(child_, &status, WNOHANG) == child_) {
      child_ = -1;
      missing_ = WIFEXITED(status) && WEXITSTATUS(status) == 127;
      problem_ = missing_ ? "there is no program `" + program + "` here (Debian has it in redis-server)"
                          : "`" + program + "` ended as soon as it was started";
      return;
    }
    connection_ = another_connection();
    if (connection_->works()) return;
  }
  problem_ = "`" + program + "` does not answer on its socket";
}

void RealServer::prepare() {
  const model::Reply settled = connection_->ask({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
  if (!settled.status()) problem_ = "the server refuses DEBUG SET-ACTIVE-EXPIRE 0";
}

std::unique_ptr<Connection> RealServer::another_connection() const {
  return std::make_unique<Connection>(directory_ + "/socket");
}

std::vector<model::Command> RealServer::appended() {
  std::ifstream file(directory_ + "/appendonlydir/appendonly.aof.1.incr.aof", std::ios::binary);
  file.seekg(read_);
  std::vector<model::Command> commands;
  std::string line;
  while (std::getline(file, line)) {
    model::Command command(std::stoul(line.substr(1)));
    for (std::string& word : command) {
      std::getline(file, line);
      word.resize(std::stoul(line.substr(1)));
      file.read(word.data(), static_cast<std::streamsize>(word.size()));
      file.ignore(2);
    }
    read_ = file.tellg();
    if (command[0] == "SELECT") {
      database_ = command[1];
      continue;
    }
    if (command[0] != "MULTI" && command[0] != "EXEC") command.insert(command.begin(), {"SELECT", database_});
    commands.push_back(std::move(command));
  }
  return commands;
}

}  // namespace lockstep::differential
