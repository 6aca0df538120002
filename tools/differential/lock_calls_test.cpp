// What the lock scripts call: in each branch of each script the commands that the facts give
// (lua/scripts/calls/*.calls), on the model, and the same on a real server as its MONITOR shows them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "model/redis/testing/test_client.h"
#include "scenarios/format/script_reader.h"
#include "tools/differential/both_sides.h"

namespace lockstep::differential {
namespace {

using lua::Script;
using model::Command;
using redis::testing::render;
using redis::testing::TestClient;
using redis::testing::words_of;

using Words = std::map<std::string, std::string>;

/// What clients fill in; a writer of a read/write lock has a name and a message of its own.
Words words_for(const Script& script) {
  const bool writes = script.role.starts_with("write-");
  Words words{{"lock", "orders"},
              {"channel", "redisson_lock__channel:{orders}"},
              {"latch", "redisson_unlock_latch:{orders}:0f"},
              {"queue", "redisson_lock_queue:{orders}"},
              {"deadlines", "redisson_lock_timeout:{orders}"},
              {"token", "redisson_lock_token:{orders}"},
              {"time-outs", "{orders}:b1a3:1:rwlock_timeout"},
              {"prefix", "{orders}"},
              {"holder", writes ? "b1a3:1:write" : "b1a3:1"},
              {"writer", "b1a3:1:write"},
              {"message", writes ? "1" : "0"},
              {"lease", "30000"},
              {"wait", "5000"},
              {"latch-time", "13500"},
              {"publish", "PUBLISH"},
              {"refusal", "NON_REENTRANT_REACQUIRE"},
              {"now", std::to_string(begin_ms)},
              {"waits-until", std::to_string(begin_ms + 5'000)}};
  for (const auto* all : {&script.keys, &script.args})
    for (const std::string& word : *all) EXPECT_TRUE(words.contains(word) || word.ends_with("s")) << word;
  const bool told = std::find(script.args.begin(), script.args.end(), "publish") != script.args.end();
  words["say"] = told ? "PUBLISH" : "publish";
  words["other"] = "c7f0:1";
  words["third"] = "d2e9:1";
  words["later"] = std::to_string(begin_ms + 1'000);
  return words;
}

bool has_word(const Script& script, const std::string& word) {
  const auto in = [&](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), word) != all.end();
  };
  return in(script.keys) || in(script.args);
}

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(' '), to = text.find_last_not_of(' ');
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

std::vector<std::string> parts_of(const std::string& text, char between) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);) parts.push_back(trimmed(part));
  return parts;
}

/// `$word` for what is filled in.
std::string filled(const std::string& text, const Words& words) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      out += text[at++];
      continue;
    }
    const std::size_t end =
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at + 1), text.size());
    const auto word = words.find(text.substr(at + 1, end - at - 1));
    EXPECT_NE(word, words.end()) << text;
    if (word != words.end()) out += word->second;
    at = end;
  }
  return out;
}

/// Commands behind each other; `word?` stands before one that only scripts with such a word make.
std::vector<Command> commands_in(const std::string& text, const Script& script) {
  std::vector<Command> commands;
  for (std::string part : parts_of(text, ';')) {
    if (part.empty()) continue;
    const std::size_t mark = part.find('?');
    if (mark != std::string::npos && !has_word(script, part.substr(0, mark))) continue;
    if (mark != std::string::npos) part = part.substr(mark + 1);
    commands.push_back(words_of(filled(part, words_for(script))));
  }
  return commands;
}

struct Branch {
  std::string place;  // for messages
  const Script* script = nullptr;
  std::vector<Command> before;
  std::vector<std::string> keys, args;
  std::vector<Command> calls;
  std::string reply;  // "(error)": any
};

const std::vector<Script>& all_scripts() {
  static const std::vector<Script> scripts = [] {
    auto library = scenarios::built_in_scripts({});
    EXPECT_TRUE(library.ok());
    return library.ok() ? library->scripts : std::vector<Script>{};
  }();
  return scripts;
}

const Script* script_called(const std::string& file) {
  for (const Script& script : all_scripts())
    if (std::filesystem::path(script.file).filename() == file) return &script;
  ADD_FAILURE() << "no script " << file;
  return nullptr;
}

std::vector<std::string> words_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// One of each word, unless the line says them.
void fill(Branch& branch, const std::string& said) {
  const Words words = words_for(*branch.script);
  const auto fill_from = [&](const std::vector<std::string>& names, std::vector<std::string>& to) {
    for (const std::string& name : names) to.push_back(filled(said.empty() ? "$" + name : name, words));
  };
  const std::size_t slash = said.find('/');
  fill_from(said.empty() ? branch.script->keys : words_in(said.substr(0, slash)), branch.keys);
  fill_from(said.empty() ? branch.script->args : words_in(said.substr(slash + 1)), branch.args);
}

void read_calls(const std::filesystem::path& file, std::vector<Branch>& branches) {
  std::ifstream in(file);
  std::vector<std::string> files;
  std::string said;  // the words of the scripts
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line.starts_with("-- ") || line == "--") continue;
    if (line.starts_with("= ")) {
      const std::size_t colon = line.find(" : ");
      files = words_in(line.substr(2, colon - 2));
      said = colon == std::string::npos ? "" : line.substr(colon + 3);
      continue;
    }
    const std::vector<std::string> parts = parts_of(line, '|');
    ASSERT_EQ(parts.size(), 3U) << file << ":" << number;
    for (const std::string& name : files) {
      const Script* script = script_called(name);
      if (script == nullptr) return;
      Branch branch{.place = file.string() + ":" + std::to_string(number) + " " + name, .script = script};
      branch.before = commands_in(parts[0], *script);
      branch.calls = commands_in(parts[1], *script);
      branch.reply = filled(parts[2], words_for(*script));
      fill(branch, said);
      branches.push_back(std::move(branch));
    }
  }
}

std::vector<Branch> all_branches() {
  std::vector<Branch> branches;
  for (const auto& entry : std::filesystem::directory_iterator("lua/scripts/calls"))
    if (entry.path().extension() == ".calls") read_calls(entry.path(), branches);
  EXPECT_FALSE(branches.empty()) << "tests run in the root of the repository";
  return branches;
}

Command call_of(const Branch& branch, const std::string& text) {
  Command command{"EVAL", text, std::to_string(branch.keys.size())};
  command.insert(command.end(), branch.keys.begin(), branch.keys.end());
  command.insert(command.end(), branch.args.begin(), branch.args.end());
  return command;
}

std::string shown(const std::vector<Command>& commands) {
  std::string text;
  for (const Command& command : commands) {
    for (const std::string& word : command) text += word + " ";
    text += "\n";
  }
  return text;
}

TEST(LockCalls, OfEachScriptInEachOfItsBranchesAreThoseOfTheFacts) {
  for (const Branch& branch : all_branches()) {
    TestClient model;
    for (const Command& command : branch.before) model.execute(command);
    model.calls.clear();
    const std::string reply = render(model.execute(call_of(branch, branch.script->text)).reply);
    EXPECT_EQ(shown(model.calls), shown(branch.calls)) << branch.place;
    EXPECT_EQ(branch.reply == "(error)" ? reply.substr(0, 7) : reply, branch.reply) << branch.place;
  }
}

/// Each call in the text says its number before it is made.
std::string numbered(const std::string& text, std::size_t& calls) {
  std::string out = "local function called(n, ...) redis.call('sadd', 'made', n) return redis.call(...) end ";
  std::size_t from = 0;
  for (std::size_t at; (at = text.find("redis.call(", from)) != std::string::npos; from = at + 11)
    out += text.substr(from, at - from) + "called(" + std::to_string(++calls) + ", ";
  return out + text.substr(from);
}

TEST(LockCalls, EachInEachScriptIsMadeInSomeBranch) {
  std::map<const Script*, std::set<std::string>> made;
  for (const Branch& branch : all_branches()) {
    TestClient model;
    for (const Command& command : branch.before) model.execute(command);
    std::size_t calls = 0;
    model.execute(call_of(branch, numbered(branch.script->text, calls)));
    const model::Reply numbers = model.execute({"SMEMBERS", "made"}).reply;
    for (const model::Reply& number : *numbers.array()) made[branch.script].insert(*number.bulk());
  }
  for (const Script& script : all_scripts()) {
    std::size_t calls = 0;
    numbered(script.text, calls);
    EXPECT_EQ(made[&script].size(), calls) << script.file;
  }
}

TEST(LockCalls, AndAnswersOnARealServerAreThoseOfTheModel) {
  RealServer server;
  if (server.missing()) GTEST_SKIP() << server.problem();
  ASSERT_EQ(server.problem(), "");
  Watch watch;
  watch.calls = true;
  BothSides sides(server, watch);
  sides.begin();
  std::vector<std::string> places;  // by step
  const std::vector<Branch> branches = all_branches();
  for (const Branch& branch : branches) {
    std::vector<Command> commands = branch.before;
    commands.push_back(call_of(branch, branch.script->text));
    commands.push_back({"FLUSHALL"});
    for (const Command& command : commands) sides.add({{}, command}), places.push_back(branch.place);
  }
  if (const auto found = sides.finish())
    ADD_FAILURE() << (found->step == 0 ? "" : places.at(found->step - 1)) << ": " << found->in
                  << "\nmodel: " << found->model << "\nserver: " << found->real;
}

}  // namespace
}  // namespace lockstep::differential
