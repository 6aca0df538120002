#include "reports/diagrams/graphviz.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "reports/text/text.h"

extern char** environ;

namespace lockstep::reports {

namespace {

using Clock = std::chrono::steady_clock;

/// A file descriptor that is closed when its owner is gone.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = other.number_;
    other.number_ = -1;
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  int number() const { return number_; }
  bool open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read, write;
  bool make() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
    return true;
  }
};

/// A running program: killed and waited for when it is given up.
struct Child {
  pid_t pid = -1;
  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid <= 0) return;
    ::kill(pid, SIGKILL);
    (void)wait();
  }
  int wait() {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    pid = -1;
    return status;
  }
};

/// Broken pipes shall be an error of write(), not a signal that ends the program.
class PipeSignalIgnored {
 public:
  PipeSignalIgnored() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before_);
  }
  ~PipeSignalIgnored() { ::sigaction(SIGPIPE, &before_, nullptr); }
  PipeSignalIgnored(const PipeSignalIgnored&) = delete;
  PipeSignalIgnored& operator=(const PipeSignalIgnored&) = delete;

 private:
  struct sigaction before_ {};
};

/// Reads what is there into `text`; closes the end at its end.
void drain(Descriptor& from, std::string& text) {
  std::array<char, 65536> buffer;
  const auto count = ::read(from.number(), buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  else if (count == 0 || (errno != EINTR && errno != EAGAIN)) from.close();
}

/// Feeds and reads until the program has closed both of its outputs; false when the time was over first.
bool talk(Pipe& in, Pipe& out, Pipe& err, const std::string& text, Clock::time_point deadline,
          std::string& answer, std::string& complaint) {
  ::fcntl(in.write.number(), F_SETFL, O_NONBLOCK);
  std::size_t written = 0;
  while (out.read.open() || err.read.open()) {
    if (in.write.open() && written == text.size()) in.write.close();
    std::array<pollfd, 3> watched = {{{in.write.number(), POLLOUT, 0},
                                      {out.read.number(), POLLIN, 0},
                                      {err.read.number(), POLLIN, 0}}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    const int ready =
        ::poll(watched.data(), watched.size(), static_cast<int>(std::min<long long>(left, 60'000)));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    if (watched[0].revents != 0) {
      const auto count = ::write(in.write.number(), text.data() + written, text.size() - written);
      if (count > 0) written += static_cast<std::size_t>(count);
      else if (errno != EAGAIN && errno != EINTR) in.write.close();
    }
    if (watched[1].revents != 0) drain(out.read, answer);
    if (watched[2].revents != 0) drain(err.read, complaint);
  }
  return true;
}

bool start(Child& child, const std::string& program, std::vector<std::string> words, Pipe& in, Pipe& out,
           Pipe& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read.number(), 0);
  posix_spawn_file_actions_adddup2(&actions, out.write.number(), 1);
  posix_spawn_file_actions_adddup2(&actions, err.write.number(), 2);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int failed =
      ::posix_spawnp(&child.pid, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) child.pid = -1;
  in.read.close();
  out.write.close();
  err.write.close();
  return failed == 0;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

/// Graphviz writes the weight of a font into the name of its family, where browsers do not look for it. Texts
/// of the drawing have their quotes escaped, so only attributes match.
void mend_fonts(std::string& svg) {
  replace_all(svg, "font-family=\"DejaVu Sans Bold\"",
              "font-family=\"DejaVu Sans,sans-serif\" font-weight=\"bold\"");
  replace_all(svg, "font-family=\"DejaVu Sans\"", "font-family=\"DejaVu Sans,sans-serif\"");
}

}  // namespace

sim::Result<std::string> render(const std::string& dot, Engine engine, const std::string& format,
                                std::chrono::milliseconds timeout) {
  if (format == "dot") return dot;
  if (format != "svg" && format != "png" && format != "pdf") {
    return sim::Problem{fmt::format("no pictures of format `{}`: svg, png, pdf or dot", printable(format))};
  }
  const std::string program = engine == Engine::pinned ? "neato" : "dot";
  std::vector<std::string> words = {program, "-T" + (format == "png" ? std::string("png:cairo") : format)};
  if (engine == Engine::pinned) words.insert(words.begin() + 1, "-n2");
  const PipeSignalIgnored ignored;
  Pipe in, out, err;
  Child child;
  if (!in.make() || !out.make() || !err.make()) return sim::Problem{"cannot make a pipe to Graphviz"};
  if (!start(child, program, words, in, out, err)) {
    return sim::Problem{fmt::format(
        "Graphviz is needed for {} and `{}` was not found; install graphviz, or write dot", format, program)};
  }
  std::string answer;
  std::string complaint;
  if (!talk(in, out, err, dot, Clock::now() + timeout, answer, complaint)) {
    return sim::Problem{fmt::format("Graphviz did not finish within {} ms; draw a smaller part, or write dot",
                                    timeout.count())};
  }
  const int status = child.wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty()) {
    const bool missing = WIFEXITED(status) && WEXITSTATUS(status) == 127;
    if (missing)
      return sim::Problem{fmt::format("Graphviz is needed for {}: `{}` cannot be run", format, program)};
    return sim::Problem{fmt::format("Graphviz failed: {}", cut(printable(complaint), 300))};
  }
  if (format == "svg") mend_fonts(answer);
  return answer;
}

sim::Result<std::string> plotted(const std::string& script, std::chrono::milliseconds timeout) {
  const PipeSignalIgnored ignored;
  Pipe in, out, err;
  Child child;
  if (!in.make() || !out.make() || !err.make()) return sim::Problem{"cannot make a pipe to gnuplot"};
  const std::string missing =
      "gnuplot is needed for svg and was not found; install gnuplot-nox, or write csv";
  if (!start(child, "gnuplot", {"gnuplot", "-d", "-"}, in, out, err)) return sim::Problem{missing};
  std::string answer, complaint;
  if (!talk(in, out, err, script, Clock::now() + timeout, answer, complaint))
    return sim::Problem{fmt::format("gnuplot did not finish within {} ms", timeout.count())};
  const int status = child.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return sim::Problem{missing};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty())
    return sim::Problem{fmt::format("gnuplot failed: {}", cut(printable(complaint), 300))};
  return answer;
}

}  // namespace lockstep::reports
