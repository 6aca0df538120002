// Snippets of Lua beside a real redis-server: each is answered alike, to the byte, or marked as known to
// differ.
//
// The snippets are lua/snippets/*.snippets, one a line. "-- " begins a remark. "!54 " marks a snippet that
// Lua 5.4 answers otherwise, and "! " one that the engine answers otherwise whatever its Lua: FIDELITY.md
// says why. A mark that nothing needs fails.
#include <hiredis/hiredis.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include "lua/engine.h"
#include "model/redis/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::TestClient;

/// A redis-server of its own behind a unix socket in a fresh directory, for as long as this object lives.
class ScriptServer {
 public:
  ScriptServer() {
    char directory[] = "/tmp/lockstep-scripts-XXXXXX";
    if (!mkdtemp(directory)) return;
    directory_ = directory;
    const std::string socket = directory_ + "/socket", log = directory_ + "/log";
    child_ = fork();
    if (child_ == 0) {
      execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", socket.c_str(), "--save", "",
             "--dir", directory, "--logfile", log.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    for (int tries = 0; tries < 200 && !context_; ++tries) {
      usleep(20'000);
      if (waitpid(child_, nullptr, WNOHANG) == child_) {
        child_ = -1;  // there is no redis-server on this machine
        return;
      }
      context_ = redisConnectUnix(socket.c_str());
      if (context_ && context_->err != 0) {
        redisFree(context_);
        context_ = nullptr;
      }
    }
  }
  ~ScriptServer() {
    if (context_) redisFree(context_);
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }
  ScriptServer(const ScriptServer&) = delete;
  ScriptServer& operator=(const ScriptServer&) = delete;

  bool runs() const { return context_ != nullptr; }

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

  std::string directory_;
  pid_t child_ = -1;
  redisContext* context_ = nullptr;
};

struct Snippet {
  std::string text;
  bool differs{};  // in this build
};

std::vector<Snippet> read_snippets(const std::filesystem::path& file) {
  const bool runs_on_54 = lua::Engine::library() == "Lua 5.4";
  std::ifstream in(file);
  std::vector<Snippet> snippets;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with("-- ")) continue;
    if (line.starts_with("!54 ")) {
      snippets.push_back({line.substr(4), runs_on_54});
    } else if (line.starts_with("! ")) {
      snippets.push_back({line.substr(2), true});
    } else {
      snippets.push_back({line, false});
    }
  }
  return snippets;
}

std::vector<std::string> snippet_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator("lua/snippets")) {
    if (entry.path().extension() == ".snippets") files.push_back(entry.path().stem().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(ScriptingDifferential, EverySnippetIsAnsweredAsARealServerAnswersItOrMarked) {
  ScriptServer server;
  if (!server.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  int compared = 0;
  for (const std::string& file : snippet_files()) {
    const auto path = std::filesystem::path("lua/snippets") / (file + ".snippets");
    for (const Snippet& snippet : read_snippets(path)) {
      const Command command{"EVAL", snippet.text, "1", "key", "argument"};
      TestClient model;
      server.ask({"FLUSHALL"});
      const std::string expected = render(server.ask(command));
      const std::string answered = render(model.execute(command).reply);
      ASSERT_EQ(expected.find("the connection broke"), std::string::npos) << file << ": " << snippet.text;
      ++compared;
      if (snippet.differs) {
        EXPECT_NE(answered, expected) << file << ": needs no mark: " << snippet.text;
      } else {
        EXPECT_EQ(answered, expected) << file << ": " << snippet.text;
      }
    }
  }
  EXPECT_GT(compared, 300) << "the snippets were really found";
}

/// Knows no command.
class NoCommands final : public lua::Host {
 public:
  Reply call(std::span<const std::string_view>) override {
    return lua::Error{"ERR Unknown Redis command called from script"};
  }
};

std::string with_line_ends(std::string code) {
  for (auto at = code.find("\\n"); at != std::string::npos; at = code.find("\\n", at)) {
    code.replace(at, 2, "\n");
  }
  return code;
}

TEST(ScriptingDifferential, EveryLibraryIsLoadedAndItsFunctionCalledAsByARealServer) {
  ScriptServer server;
  if (!server.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  int loaded = 0;
  for (const Snippet& snippet : read_snippets("lua/snippets/functions.libraries")) {
    const std::string code = with_line_ends(snippet.text);
    lua::Engine engine;
    NoCommands host;
    lua::Library library;
    server.ask({"FUNCTION", "FLUSH"});
    const std::string expected = render(server.ask({"FUNCTION", "LOAD", code}));
    Reply reply = engine.load_library(code, library);
    if (reply.status()) reply = library.name;
    ASSERT_EQ(expected.find("the connection broke"), std::string::npos) << code;
    EXPECT_EQ(render(reply), expected) << code;
    if (reply.error() || library.functions.empty() || library.functions[0].name != "f") continue;
    ++loaded;
    const std::string_view key = "key", argument = "argument";
    const Reply called = engine.call_function(library.digest, "f", {&key, 1}, {&argument, 1}, host);
    EXPECT_EQ(render(called), render(server.ask({"FCALL", "f", "1", "key", "argument"}))) << code;
  }
  EXPECT_GT(loaded, 40) << "functions were really called";
}

}  // namespace
}  // namespace lockstep::redis
