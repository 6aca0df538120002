#include "tools/testing/test_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "sim/base/verify.h"

namespace lockstep::tools {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File temporary_file() {
  File file(std::tmpfile(), &std::fclose);
  VERIFY(file != nullptr);
  return file;
}

std::string content(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  return text;
}

/// In the child. Never returns.
[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments,
                         const Surrounding& around, int out, int err) {
  for (const char* name : {"NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"}) ::unsetenv(name);
  for (const std::string& variable : around.environment) ::putenv(const_cast<char*>(variable.c_str()));
  if (!around.directory.empty() && ::chdir(around.directory.c_str()) != 0) ::_exit(127);
  if (!around.out_to.empty()) out = ::open(around.out_to.c_str(), O_WRONLY);
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

}  // namespace

Finished run_program(const std::string& program, const std::vector<std::string>& arguments,
                     const Surrounding& around) {
  const File out = temporary_file();
  const File err = temporary_file();
  const pid_t child = ::fork();
  VERIFY(child >= 0);
  if (child == 0) become(program, arguments, around, ::fileno(out.get()), ::fileno(err.get()));
  int status = 0;
  VERIFY(::waitpid(child, &status, 0) == child);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(out.get()),
          content(err.get())};
}

Finished run_until_ready(const std::string& program, const std::vector<std::string>& arguments,
                         const std::string& ready, const std::string& signal, const Surrounding& around) {
  const std::string script =
      "ready=$1; signal=$2; shift 2; said=$(mktemp); \"$@\" > \"$said\" & pid=$!\n"
      "until grep -q -- \"$ready\" \"$said\"; do kill -0 $pid 2>/dev/null || break; sleep 0.05; done\n"
      "kill -s \"$signal\" $pid; wait $pid; status=$?; cat \"$said\"; rm -f \"$said\"; exit $status";
  std::vector<std::string> words{"-c", script, "bash", ready, signal, program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program("/bin/bash", words, around);
}

}  // namespace lockstep::tools
