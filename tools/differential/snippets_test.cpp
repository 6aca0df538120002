// Snippets of Lua beside a real redis-server: each is answered alike, to the byte, or marked as known to
// differ.
//
// The snippets are lua/snippets/*.snippets, one a line. "-- " begins a remark. "!54 " marks a snippet that
// Lua 5.4 answers otherwise, and "! " one that the engine answers otherwise whatever its Lua: FIDELITY.md
// says why. A mark that nothing needs fails.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include "lua/engine/engine.h"
#include "model/redis/testing/test_client.h"
#include "tools/differential/real_server.h"

namespace lockstep::differential {
namespace {

using model::Command;
using model::Reply;
using redis::testing::render;
using redis::testing::TestClient;

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
  RealServer server;
  if (server.missing()) GTEST_SKIP() << server.problem();
  ASSERT_EQ(server.problem(), "");
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
  RealServer server;
  if (server.missing()) GTEST_SKIP() << server.problem();
  ASSERT_EQ(server.problem(), "");
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
}  // namespace lockstep::differential
