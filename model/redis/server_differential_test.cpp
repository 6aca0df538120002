// The commands about the server itself beside a real redis-server: the same lines, connection by connection,
// must be answered alike, to the byte. What differs from moment to moment is masked, and only that.
#include <hiredis/hiredis.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <regex>
#include <string>

#include <gtest/gtest.h>
#include "model/redis/arguments.h"
#include "model/redis/command.h"
#include "model/redis/config_probes.h"
#include "model/redis/connection_probes.h"
#include "model/redis/operation_probes.h"
#include "model/redis/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::TestClient;

/// A connection to a real server.
class Connection {
 public:
  explicit Connection(const std::string& socket) : context_(redisConnectUnix(socket.c_str())) {}
  ~Connection() {
    if (context_) redisFree(context_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool works() const { return context_ && context_->err == 0; }

  Reply ask(const Command& command) {
    std::vector<const char*> words;
    std::vector<std::size_t> sizes;
    for (const std::string& word : command) {
      words.push_back(word.data());
      sizes.push_back(word.size());
    }
    auto* const raw = static_cast<redisReply*>(
        redisCommandArgv(context_, static_cast<int>(words.size()), words.data(), sizes.data()));
    if (!raw) return lua::Error{"the connection broke"};
    Reply reply = convert(*raw);
    freeReplyObject(raw);
    return reply;
  }

 private:
  static Reply convert(const redisReply& raw) {
    const std::string text = raw.str ? std::string(raw.str, raw.len) : std::string();
    if (raw.type == REDIS_REPLY_INTEGER) return static_cast<std::int64_t>(raw.integer);
    if (raw.type == REDIS_REPLY_STRING) return text;
    if (raw.type == REDIS_REPLY_STATUS) return lua::Status{text};
    if (raw.type == REDIS_REPLY_ERROR) return lua::Error{text};
    if (raw.type != REDIS_REPLY_ARRAY) return lua::Nil{};
    Reply::Array items;
    for (std::size_t i = 0; i < raw.elements; ++i) items.push_back(convert(*raw.element[i]));
    return items;
  }

  redisContext* context_ = nullptr;
};

/// A redis-server behind a unix socket in a fresh directory, for as long as this object lives.
class RealServer {
 public:
  RealServer() {
    char directory[] = "/tmp/lockstep-server-XXXXXX";
    if (!mkdtemp(directory)) return;
    directory_ = directory;
    const std::string log = directory_ + "/log";
    child_ = fork();
    if (child_ == 0) {
      execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", socket().c_str(), "--save", "",
             "--dir", directory, "--logfile", log.c_str(), "--enable-debug-command", "yes",
             static_cast<char*>(nullptr));
      _exit(127);
    }
    for (int tries = 0; tries < 200 && !runs_; ++tries) {
      usleep(20'000);
      if (waitpid(child_, nullptr, WNOHANG) == child_) {
        child_ = -1;  // there is no redis-server on this machine
        return;
      }
      runs_ = Connection(socket()).works();
    }
  }
  ~RealServer() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }
  RealServer(const RealServer&) = delete;
  RealServer& operator=(const RealServer&) = delete;

  bool runs() const { return runs_; }
  std::string socket() const { return directory_ + "/socket"; }

 private:
  std::string directory_;
  pid_t child_ = -1;
  bool runs_ = false;
};

/// A line that ends in a backslash goes on in the next.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (bool goes_on = false; !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!goes_on) lines.emplace_back();
    lines.back() += text.substr(0, end);
    goes_on = lines.back().ends_with('\\');
    if (goes_on) lines.back().pop_back();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Command command_of(const std::string& line) {
  Command command = testing::words_of(line);
  for (std::string& word : command) {
    for (std::size_t at = word.find("\\n"); at != std::string::npos; at = word.find("\\n", at))
      word.replace(at, 2, "\n");
  }
  return command;
}

/// What a server answers in the order of a hash table is sorted, in units of so many.
void sort_units(Reply& reply, std::size_t unit) {
  if (!reply.array()) return;
  std::vector<std::string> units;
  const Reply::Array items = *reply.array();
  for (std::size_t i = 0; i + unit <= items.size(); i += unit) {
    std::string text;
    for (std::size_t j = 0; j < unit; ++j) text += render(items[i + j]) + " ";
    units.push_back(text);
  }
  std::sort(units.begin(), units.end());
  Reply::Array sorted;
  for (std::string& text : units) sorted.emplace_back(std::move(text));
  reply = sorted;
}

/// Values that this test sets, or that are paths.
bool is_of_this_server(const std::string& unit) {
  static const std::regex names(R"~(^"(port|unixsocket|dir|logfile|save|oom-score-adj-values|bind)" .*)~");
  return std::regex_match(unit, names);
}

std::string comparable(const Command& command, Reply reply) {
  if (std::holds_alternative<lua::NilArray>(reply.value))
    reply = lua::Nil{};  // hiredis does not tell them apart
  const std::string name = to_lower(command[0]), second = command.size() > 1 ? to_lower(command[1]) : "";
  if (name == "config" && second == "get") {
    sort_units(reply, 2);
    if (reply.array()) {
      Reply::Array kept;
      for (const Reply& unit : *reply.array()) {
        if (command[2] != "*" || !is_of_this_server(*unit.bulk())) kept.push_back(unit);
      }
      reply = kept;
    }
  }
  if ((name == "command" && second == "list") || (name == "acl" && second == "cat" && command.size() > 2))
    sort_units(reply, 1);
  std::string text = render(reply);
  if (name == "info" && second != "keyspace") {
    static const std::regex value(R"(:[^\r\n]*)");
    text = std::regex_replace(text, value, "");
  }
  if (name == "info") text = std::regex_replace(text, std::regex("avg_ttl=\\d+"), "avg_ttl");
  static const std::regex passing("(age|idle|qbuf|qbuf-free|argv-mem|multi-mem|rbs|rbp|obl|tot-mem)=\\d+");
  if (text.find("qbuf-free=") != std::string::npos) text = std::regex_replace(text, passing, "$1");
  return text;
}

class ServerProbes : public ::testing::TestWithParam<std::string_view> {};

TEST_P(ServerProbes, EveryLineIsAnsweredAsARealServerAnswersIt) {
  RealServer server;
  if (!server.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  TestClient model;
  start(model.node, model.wall_ms);
  std::unique_ptr<Connection> real;
  std::uint16_t connections = 0;
  const auto reconnect = [&] {
    if (real) disconnect(model.node, ConnectionId{connections});
    real = std::make_unique<Connection>(server.socket());
    const std::string about = *real->ask({"CLIENT", "INFO"}).bulk();
    std::smatch found;
    std::regex_search(about, found, std::regex("id=(\\d+) addr=(\\S+) laddr=(\\S+) fd=(\\d+)"));
    Peer peer{std::stoll(found[1]), found[2], found[3], std::stoi(found[4]), model.wall_ms, model.wall_ms};
    connect(model.node, ConnectionId{++connections}, peer);
  };
  reconnect();
  std::string before;
  for (const std::string& line : lines_of(GetParam())) {
    if (line == "--") {
      reconnect();
      continue;
    }
    const Command command = command_of(line);
    const std::string expected = comparable(command, real->ask(command));
    EXPECT_EQ(comparable(command, model.execute(command, ConnectionId{connections}).reply), expected)
        << line << "\n  after: " << before;
    before = line;
  }
}

/// What COMMAND says of one command, without its sub-commands: which of them exist may differ, and in what
/// order.
std::string described(Reply reply) {
  Reply::Array outer = *reply.array();
  if (!outer.front().array()) return render(reply);
  Reply::Array inner = *outer.front().array();
  inner.pop_back();
  return render(inner);
}

TEST(ServerDifferential, EveryCommandIsDescribedAsARealServerDescribesIt) {
  RealServer server;
  if (!server.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  Connection real(server.socket());
  TestClient model;
  for (const Spec& spec : all_commands()) {
    const Command command{"COMMAND", "INFO", std::string(spec.name)};
    EXPECT_EQ(described(model.execute(command).reply), described(real.ask(command)));
  }
}

INSTANTIATE_TEST_SUITE_P(Families, ServerProbes,
                         ::testing::Values(testing::connection_probes, testing::table_probes,
                                           testing::config_probes, testing::operation_probes,
                                           testing::script_probes));

}  // namespace
}  // namespace lockstep::redis
