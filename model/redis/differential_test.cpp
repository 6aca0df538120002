// The model beside a real redis-server: random commands must be answered alike, to the byte.
//
// The server keeps its own clock, so times that are compared are either far away or over at once. Where Redis
// answers in the order of a hash table, replies are compared as sets.
#include <hiredis/hiredis.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include "model/redis/arguments.h"
#include "model/redis/command.h"
#include "model/redis/drawn_replies.h"
#include "model/redis/effects.h"
#include "model/redis/random_commands.h"
#include "model/redis/test_client.h"

namespace lockstep::redis {
namespace {

using testing::Dice;
using testing::random_command;
using testing::render;
using testing::TestClient;

/// A redis-server of its own behind a unix socket in a fresh directory, for as long as this object lives.
class Server {
 public:
  enum class Log : std::uint8_t { none, append_only };

  explicit Server(Log log = Log::none) {
    char directory[] = "/tmp/lockstep-redis-XXXXXX";
    if (!mkdtemp(directory)) return;
    directory_ = directory;
    const std::string socket = directory_ + "/socket";
    child_ = fork();
    if (child_ == 0) {
      execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", socket.c_str(), "--save", "",
             "--databases", "1", "--dir", directory, "--logfile", (directory_ + "/log").c_str(),
             "--appendonly", log == Log::append_only ? "yes" : "no", "--appendfsync", "no",
             static_cast<char*>(nullptr));
      _exit(127);
    }
    for (int tries = 0; tries < 200 && !context_; ++tries) {
      usleep(20'000);
      if (waitpid(child_, nullptr, WNOHANG) == child_) {
        child_ = -1;  // there is no redis-server on this machine
        return;
      }
      connect(socket);
    }
  }
  ~Server() {
    if (context_) redisFree(context_);
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  bool runs() const { return context_ != nullptr; }

  /// What the server has written to its append-only file since the last time, without MULTI, EXEC and SELECT.
  std::vector<Command> appended() {
    std::ifstream file(directory_ + "/appendonlydir/appendonly.aof.1.incr.aof", std::ios::binary);
    file.seekg(read_);
    std::vector<Command> commands;
    std::string line;
    while (std::getline(file, line)) {
      Command command(std::stoul(line.substr(1)));
      for (std::string& word : command) {
        std::getline(file, line);
        word.resize(std::stoul(line.substr(1)));
        file.read(word.data(), static_cast<std::streamsize>(word.size()));
        file.ignore(2);
      }
      read_ = file.tellg();
      if (command[0] != "MULTI" && command[0] != "EXEC" && command[0] != "SELECT")
        commands.push_back(command);
    }
    return commands;
  }

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
  void connect(const std::string& socket) {
    context_ = redisConnectUnix(socket.c_str());
    if (context_ && context_->err != 0) {
      redisFree(context_);
      context_ = nullptr;
    }
  }

  static Reply convert(const redisReply& raw) {
    const std::string text = raw.str ? std::string(raw.str, raw.len) : std::string();
    switch (raw.type) {
      case REDIS_REPLY_INTEGER:
        return static_cast<std::int64_t>(raw.integer);
      case REDIS_REPLY_STRING:
        return text;
      case REDIS_REPLY_STATUS:
        return lua::Status{text};
      case REDIS_REPLY_ERROR:
        return lua::Error{text};
      case REDIS_REPLY_ARRAY: {
        Reply::Array items;
        for (std::size_t i = 0; i < raw.elements; ++i) items.push_back(convert(*raw.element[i]));
        return items;
      }
      default:
        return lua::Nil{};  // hiredis does not tell the two nulls apart
    }
  }

  std::string directory_;
  std::streamoff read_ = 0;
  pid_t child_ = -1;
  redisContext* context_ = nullptr;
};

/// A page of SCAN or HSCAN: as a set, if it is the only one; otherwise Redis's order decides what is on it.
std::string comparable_page(const Command& command, const Reply& reply) {
  const std::size_t cursor = to_lower(command[0]) == "scan" ? 1 : 2;
  const bool whole =
      command[cursor] == "0" && command[command.size() - 2] == "COUNT" && command.back() == "1000";
  if (!whole) return "a page";
  std::vector<std::string> found;
  const Reply::Array& items = *reply.array()->back().array();
  for (std::size_t i = 0; i < items.size(); i += cursor) {
    found.push_back(render(items[i]) + (cursor == 2 ? render(items[i + 1]) : ""));
  }
  std::sort(found.begin(), found.end());
  std::string text = render(reply.array()->front());
  for (const std::string& one : found) text += ' ' + one;
  return text;
}

/// What is left of a reply that Redis draws.
std::string comparable_draw(const Reply& reply) {
  if (reply.array()) return std::to_string(reply.array()->size()) + " drawn";
  return reply.bulk() ? "drawn" : render(reply);
}

/// What can be compared of a reply to this command.
std::string comparable(const Command& command, Reply reply) {
  const std::string name = to_lower(command[0]);
  if (reply.array() && (name == "scan" || name == "hscan")) return comparable_page(command, reply);
  if (name == "randomkey" || name == "hrandfield") return comparable_draw(reply);
  if (std::holds_alternative<lua::NilArray>(reply.value)) reply = lua::Nil{};
  if (reply.array() && name == "keys") {
    Reply::Array items = *reply.array();
    std::sort(items.begin(), items.end(),
              [](const Reply& a, const Reply& b) { return *a.bulk() < *b.bulk(); });
    reply = items;
  }
  const bool time = name == "ttl" || name == "pttl" || name == "expiretime" || name == "pexpiretime";
  if (time && reply.integer() && *reply.integer() > 0) return "some time";
  if (name == "object" && reply.integer() && to_lower(command[1]) == "idletime") return "some time";
  return render(reply);
}

/// SORT of Redis 7.0.15 takes for its own fault an ERANGE that any earlier command left in errno, until some
/// command reads a number that is in range: this one does, and changes nothing.
void forget_old_range_errors(Server& server, const Command& command) {
  if (to_lower(command[0]).starts_with("sort")) server.ask({"ZADD", "nosuch", "XX", "1", "m"});
}

/// Hashes that are hash tables answer in an order of their own, and so does SORT BY on what is no list, where
/// weights are equal or not looked at.
bool answers_in_hash_order(const Node& node, const Command& command) {
  const std::string name = to_lower(command[0]);
  if (name.starts_with("sort") && command.size() > 3) {
    const Entry* const sorted = node.db.find(command[1]);
    return sorted && !std::holds_alternative<List>(sorted->value) &&
           std::find(command.begin(), command.end(), "BY") != command.end();
  }
  if (name == "object" && command.size() > 2) {  // a sorted set does not remember that it once was large
    const Entry* const asked = node.db.find(command[2]);
    return asked && std::holds_alternative<SortedSet>(asked->value);
  }
  if ((name != "hgetall" && name != "hkeys" && name != "hvals") || command.size() != 2) return false;
  const Entry* const entry = node.db.find(command[1]);
  const Hash* const hash = entry ? std::get_if<Hash>(&entry->value) : nullptr;
  return hash && !hash->compact;
}

/// Keys that would die by the server's clock in the middle of a comparison go at once, on both sides.
void remove_short_lived(Server& server, TestClient& model) {
  std::vector<std::string> short_lived;
  for (const auto& [key, entry] : model.node.db.entries()) {
    if (entry.remaining && *entry.remaining < Duration(60'000)) short_lived.push_back(key);
  }
  for (const std::string& key : short_lived) {
    server.ask({"DEL", key});
    model.node.db.erase(key);
  }
}

std::string joined(const Command& command) {
  std::string line;
  for (const std::string& word : command) line += '\'' + word + "' ";
  return line;
}

/// The commands before this one, as far as a reader may want them.
std::string end_of(const std::vector<std::string>& story) {
  std::string last;
  for (std::size_t i = story.size() < 8 ? 0 : story.size() - 8; i < story.size(); ++i)
    last += story[i] + "\n";
  return last;
}

/// What differs in the model's answer to a command that draws or has no order, and its effects.
testing::DrawnReply compare_with(Server& server, TestClient& model, const Command& command,
                                 const Reply& real) {
  return testing::compare_drawn(model, command, real, [&](const Command& next) { return server.ask(next); });
}

TEST(Differential, RandomCommandsAreAnsweredAsARealServerAnswersThem) {
  Server server;
  if (!server.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  constexpr std::uint64_t seeds = 20;
  constexpr int commands_each = 1'000;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Dice dice(seed);
    TestClient model;
    ASSERT_EQ(render(server.ask({"FLUSHALL"})), "OK");
    std::vector<std::string> story;
    for (int i = 0; i < commands_each; ++i) {
      const Command command = random_command(dice);
      story.push_back(joined(command));
      forget_old_range_errors(server, command);
      const bool skip = answers_in_hash_order(model.node, command);
      const Reply real = server.ask(command);
      const std::string expected = comparable(command, real);
      model.wall_ms = std::stoll(*server.ask({"TIME"}).array()->front().bulk()) * 1'000;
      if (testing::is_drawn_or_unordered(command)) {
        ASSERT_EQ(compare_with(server, model, command, real).difference, "")
            << "seed " << seed << ", command " << i << ":\n"
            << end_of(story);
        continue;
      }
      const std::string answered = comparable(command, model.execute(command).reply);
      remove_short_lived(server, model);
      if (skip) continue;
      ASSERT_EQ(answered, expected) << "seed " << seed << ", command " << i << ":\n" << end_of(story);
    }
  }
}

/// A command that makes one of the keys so large that it may lose its compact form.
Command enlargement(Dice& dice) {
  const std::size_t size = 50 + dice.below(600), first = dice.below(300);
  const bool set = dice.below(2) == 0;
  Command command{set ? "SADD" : "ZADD", "k" + std::to_string(1 + dice.below(6))};
  for (std::size_t i = 0; i < size; ++i) {
    if (!set) command.push_back(std::to_string(dice.below(100)));
    command.push_back(std::to_string(first + i));
  }
  return command;
}

Command set_or_sorted_set_command(Dice& dice) {
  const std::size_t kind = dice.below(100);
  if (kind == 0) return enlargement(dice);
  if (kind < 4) return {"DEL", "k" + std::to_string(1 + dice.below(6))};
  if (kind < 5) return {"SET", "k" + std::to_string(1 + dice.below(6)), "text"};
  return random_command(dice, kind < 50 ? testing::set_commands() : testing::sorted_set_commands());
}

std::string encoding_of(const Node& node, const std::string& key) {
  const Entry* const entry = node.db.find(key);
  if (!entry) return "(nil)";
  if (const Set* const set = std::get_if<Set>(&entry->value)) return '"' + std::string(encoding(*set)) + '"';
  if (const SortedSet* const sorted = std::get_if<SortedSet>(&entry->value))
    return '"' + std::string(encoding(*sorted)) + '"';
  return "\"embstr\"";
}

/// A lexicographic range over different scores has no meaning, and where a skip list finds its ends depends
/// on the random levels of its nodes.
bool asks_the_levels(const Node& node, const Command& command) {
  const auto is_lex = [](const std::string& word) { return to_lower(word).find("lex") != std::string::npos; };
  if (std::none_of(command.begin(), command.end(), is_lex)) return false;
  return std::any_of(command.begin() + 1, command.end(), [&](const std::string& key) {
    const Entry* const entry = node.db.find(key);
    const SortedSet* const sorted = entry ? std::get_if<SortedSet>(&entry->value) : nullptr;
    return sorted && !sorted->compact && sorted->entries.front().score != sorted->entries.back().score;
  });
}

TEST(Differential, SetsAndSortedSetsAreAnsweredAndKeptAsARealServerDoes) {
  Server server;
  if (!server.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  constexpr int commands = 20'000;
  Dice dice(1);
  TestClient model;
  sim::Random chance(2);
  model.chance = &chance;
  std::vector<std::string> story;
  for (int i = 0; i < commands; ++i) {
    const Command command = set_or_sorted_set_command(dice);
    if (asks_the_levels(model.node, command)) continue;
    story.push_back(joined(command).substr(0, 200));
    const Reply real = server.ask(command);
    if (testing::is_drawn_or_unordered(command)) {
      ASSERT_EQ(compare_with(server, model, command, real).difference, "") << "command " << i << ":\n"
                                                                           << end_of(story);
    } else {
      ASSERT_EQ(comparable(command, model.execute(command).reply), comparable(command, real))
          << "command " << i << ":\n"
          << end_of(story);
    }
    const std::string& key = command[command.size() > 1 ? 1 : 0];
    ASSERT_EQ(encoding_of(model.node, key), render(server.ask({"OBJECT", "ENCODING", key})))
        << key << " after command " << i << ":\n"
        << end_of(story);
  }
}

/// The row as COMMAND INFO prints it, as far as a row says so much.
std::string described(const Spec& spec) {
  std::string text = std::to_string(spec.arity);
  for (const int position : {spec.first_key, spec.last_key, spec.key_step})
    text += ' ' + std::to_string(position);
  for (const auto& [flag, name] : {std::pair(write, "write"),
                                   {read_only, "readonly"},
                                   {deny_oom, "denyoom"},
                                   {fast, "fast"},
                                   {no_script, "noscript"},
                                   {admin, "admin"}}) {
    if (spec.has(flag)) text += std::string(" ") + name;
  }
  return text;
}

std::string described(const Reply::Array& row) {
  std::string text = std::to_string(*row[1].integer());
  for (const std::size_t position : {3, 4, 5}) text += ' ' + std::to_string(*row[position].integer());
  for (const std::string name : {"write", "readonly", "denyoom", "fast", "noscript", "admin"}) {
    const bool set = std::any_of(row[2].array()->begin(), row[2].array()->end(), [&](const Reply& flag) {
      return std::get<lua::Status>(flag.value).text == name;
    });
    if (set) text += ' ' + name;
  }
  return text;
}

TEST(Differential, EveryRowOfTheTableIsWhatCommandInfoPrints) {
  Server server;
  if (!server.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  for (const Spec& spec : all_commands()) {
    const Reply info = server.ask({"COMMAND", "INFO", std::string(spec.name)});
    const Reply& row = info.array()->front();
    ASSERT_TRUE(row.array()) << spec.name;
    EXPECT_EQ(described(spec), described(*row.array())) << spec.name;
  }
}

/// An effect as the file has it, if its time is within a few seconds of what the model computed. Of a time in
/// the past the model keeps only that.
Command as_appended(const Effect& effect, const Command& appended, std::int64_t now_ms) {
  Command words = words_at(effect, now_ms);
  if (!effect.time_word || appended.size() != words.size()) return words;
  constexpr std::int64_t tolerance_ms = 3'000;
  const auto at = parse_integer(appended[*effect.time_word]),
             computed = parse_integer(words[*effect.time_word]);
  const bool both_past = at && *at < now_ms && effect.remaining == long_dead;
  if (both_past || (at && computed && std::abs(*at - *computed) <= tolerance_ms)) words = appended;
  return words;
}

TEST(Differential, EffectsAreWhatARealServerWritesToItsAppendOnlyFile) {
  Server server(Server::Log::append_only);
  if (!server.runs()) GTEST_SKIP() << "there is no redis-server on this machine";
  Dice dice(1);
  TestClient model;
  std::vector<std::string> story;
  for (int i = 0; i < 10'000; ++i) {
    const Command command = random_command(dice);
    story.push_back(joined(command));
    forget_old_range_errors(server, command);
    server.appended();
    const Reply real = server.ask(command);
    const std::vector<Command> appended = server.appended();
    model.wall_ms = std::stoll(*server.ask({"TIME"}).array()->front().bulk()) * 1'000;
    Effects effects = testing::is_drawn_or_unordered(command)
                          ? compare_with(server, model, command, real).effects
                          : model.execute(command).effects;
    if (to_lower(command[0]) == "publish") effects.clear();  // goes to replicas only
    const std::string last = end_of(story);
    ASSERT_EQ(effects.size(), appended.size()) << "command " << i << ":\n" << last << render(effects);
    for (std::size_t j = 0; j < effects.size(); ++j) {
      ASSERT_EQ(joined(as_appended(effects[j], appended[j], model.wall_ms)), joined(appended[j])) << last;
    }
    remove_short_lived(server, model);
  }
}

}  // namespace
}  // namespace lockstep::redis
