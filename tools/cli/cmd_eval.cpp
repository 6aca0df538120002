#include "tools/cli/cmd_eval.h"

#include <fmt/format.h>

#include <filesystem>

#include "model/redis/kind.h"
#include "model/redis/node.h"
#include "model/redis/pubsub/monitors.h"
#include "reports/text/text.h"
#include "tools/cli/command_file.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/cli/suggest.h"

namespace lockstep::tools {

namespace {

constexpr std::uint64_t script_bytes_max = 1u << 20;
constexpr std::uint64_t commands_bytes_max = 16u << 20;
constexpr std::int64_t wall_ms = 1'700'000'000'000;  // as in a scenario; no time passes here

/// A server with one client; it remembers what ran, as MONITOR shows it.
class Server {
 public:
  model::Reply run(const model::Command& words) {
    std::vector<model::ScriptCall> calls;
    const redis::Environment environment{
        .engine = engine_, .wall_ms = wall_ms, .calls = &calls, .want_effects = false};
    model::Reply reply = redis::execute(node_, model::ConnectionId{}, words, environment).reply;
    note("127.0.0.1:56000", words);
    for (const model::ScriptCall& call : calls) note("lua", call.words);
    return reply;
  }

  const redis::Node& node() const { return node_; }
  /// What ran since this was asked last.
  std::string take_monitor() { return std::exchange(monitor_, {}); }

 private:
  void note(std::string_view source, const model::Command& words) {
    monitor_ += fmt::format("{}.{:06d} [0 {}]", wall_ms / 1000, wall_ms % 1000 * 1000, source);
    for (const std::string& word : words) monitor_ += " " + redis::quoted(word);
    monitor_ += "\n";
  }

  lua::Engine engine_;
  redis::Node node_;
  std::string monitor_;
};

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// A file of that name wins over a script that comes with the program.
sim::Result<std::string> script_text(const std::string& word) {
  std::error_code ignored;
  if (word == "-" || std::filesystem::exists(word, ignored)) {
    auto text = read_input(word, script_bytes_max);
    if (text && text->find_first_not_of(" \t\r\n") == std::string::npos)
      return sim::Problem{word + ": is empty, so there is no script to run"};
    if (text && (text->find('\0') != std::string::npos || text->front() == '\x1b'))
      return sim::Problem{word + ": is a binary file; Redis takes Lua source only"};
    return text;
  }
  const auto library = script_library();
  if (!library) return library.problem();
  std::vector<std::string> names;
  for (const lua::Script& script : library->scripts) {
    names.push_back(base_name(script.file));
    if (names.back() == word || names.back() == word + ".lua") return script.text;
  }
  return sim::Problem{fmt::format("there is no script `{}`, neither as a file nor built in{}",
                                  reports::printable(word.substr(0, 200)), did_you_mean(word, names))};
}

std::string state_text(const redis::Node& node) {
  if (node.db.size() == 0) return "state: no keys\n";
  std::string text = "state:\n";
  for (const sim::KeyChange& key : redis::key_changes("", redis::Node{}, node)) {
    const std::string life = key.pttl_ms ? fmt::format("TTL {} ms", *key.pttl_ms) : "no TTL";
    text += fmt::format("  {}  {}  {}\n", redis::quoted(key.key), key.type, life);
    for (const auto& [field, value] : key.fields) {
      const bool named = key.type == "hash" || key.type == "zset";
      text += fmt::format("    {}{}{}\n", named ? redis::quoted(field) : "", named ? " " : "",
                          key.type == "zset" ? value : redis::quoted(value));
    }
  }
  return text;
}

sim::Result<std::vector<CommandLine>> commands_of(const std::string& path) {
  const auto text = read_input(path, commands_bytes_max);
  if (!text) return text.problem();
  return read_commands(*text, path);
}

/// Fills the server; an error reply means that the file is not what its writer thought.
std::optional<sim::Problem> load_commands(const std::string& path, Server& server) {
  const auto commands = commands_of(path);
  if (!commands) return commands.problem();
  for (const CommandLine& command : *commands) {
    const model::Reply reply = server.run(command.words);
    if (const lua::Error* error = reply.error())
      return sim::Problem{fmt::format("{}:{}: the command was answered with an error: {}", path, command.line,
                                      reports::printable(error->text))};
  }
  server.take_monitor();
  return std::nullopt;
}

/// What is to be printed, and whether an answer was an error.
struct Result {
  std::string text;
  bool failed = false;
};

sim::Result<Result> run_script(const EvalOptions& options, Server& server) {
  const auto script = script_text(options.script);
  if (!script) return script.problem();
  model::Command words{"EVAL", *script, std::to_string(options.keys.size())};
  words.insert(words.end(), options.keys.begin(), options.keys.end());
  words.insert(words.end(), options.args.begin(), options.args.end());
  const model::Reply reply = server.run(words);
  Result result{printed(reply) + state_text(server.node()), reply.error() != nullptr};
  if (options.monitor) result.text += server.take_monitor();
  return result;
}

sim::Result<Result> run_all(const EvalOptions& options, Server& server) {
  const auto commands = commands_of(options.all);
  if (!commands) return commands.problem();
  Result result;
  for (const CommandLine& command : *commands) {
    const model::Reply reply = server.run(command.words);
    result.failed |= reply.error() != nullptr;
    if (options.monitor) result.text += server.take_monitor();
    result.text += printed(reply);
  }
  result.text += state_text(server.node());
  return result;
}

ExitCode run_eval(const EvalOptions& options, Session& session) {
  Server server;
  if (!options.load.empty())
    if (const auto problem = load_commands(options.load, server)) return complain(session, *problem);
  const auto result = options.all.empty() ? run_script(options, server) : run_all(options, server);
  if (!result) return complain(session, result.problem());
  if (const auto problem = deliver(session.global.out_file, result->text, session.console.out))
    return complain(session, *problem);
  return result->failed ? ExitCode::different : ExitCode::as_expected;
}

void declare_eval(Grammar& grammar, EvalOptions& o) {
  grammar.word("SCRIPT", o.script, "a file with the script's exact text, or the name of a built-in one");
  grammar.words("KEY", o.keys, "KEYS; a lone comma ends them, and all behind it is ARGV, options too");
  grammar.behind_comma(o.args);
  grammar.text("--load", o.load, "FILE", "first run the commands of this file, one a line");
  grammar.text("--all", o.all, "FILE", "run the commands of this file, one a line, and print each reply");
  grammar.flag("--monitor", o.monitor, "print the commands that ran, as MONITOR shows them");
}

std::string complaint_about_eval(const EvalOptions& eval) {
  if (eval.script.empty() && eval.all.empty()) return "SCRIPT is missing";
  if (!eval.script.empty() && !eval.all.empty()) return "--all takes the place of SCRIPT; give one of them";
  if (!eval.args.empty() && !eval.all.empty()) return "--all takes no ARGV";
  for (const std::string& key : eval.keys) {
    if (eval.args.empty() && key.ends_with(','))
      return "the comma behind `" + key.substr(0, key.size() - 1) + "` must be a word of its own: KEY , ARG";
  }
  return "";
}

}  // namespace

Verb eval_verb() {
  return {
      .name = "eval",
      .summary = "run one script on a model of a server; exits with 1 if it answers an error",
      .usage = "[OPTIONS] SCRIPT.lua KEY… , ARG…",
      .examples = {"lockstep eval lock-hset.lua orders , 30000 client:1",
                   "lockstep eval --monitor --load held.txt my-unlock.lua orders channel , 0 30000 client:1"},
      .required = {},
      .request = requests<EvalOptions>({declare_eval, run_eval, complaint_about_eval})};
}

}  // namespace lockstep::tools
