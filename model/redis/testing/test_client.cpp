#include "model/redis/testing/test_client.h"

#include <utility>

#include "sim/base/overloaded.h"

namespace lockstep::redis::testing {

Command words_of(std::string_view line) {
  Command words;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == ' ') {
      ++i;
    } else if (line[i] == '\'' || line[i] == '"') {
      const std::size_t end = line.find(line[i], i + 1);
      words.emplace_back(line.substr(i + 1, end - i - 1));
      i = end == std::string_view::npos ? line.size() : end + 1;
    } else {
      const std::size_t end = std::min(line.find(' ', i), line.size());
      words.emplace_back(line.substr(i, end - i));
      i = end;
    }
  }
  return words;
}

namespace {

std::string render(const Reply::Array& items) {
  std::string text = "[";
  for (const Reply& item : items) text += (text.size() > 1 ? ", " : "") + testing::render(item);
  return text + "]";
}

}  // namespace

std::string render(const Reply& reply) {
  return std::visit(
      sim::overloaded{
          [](const lua::Nil&) { return std::string("(nil)"); },
          [](const lua::NilArray&) { return std::string("(nil array)"); },
          [](std::int64_t number) { return "(integer) " + std::to_string(number); },
          [](const std::string& text) { return '"' + text + '"'; },
          [](const lua::Status& status) { return status.text; },
          [](const lua::Error& error) { return "(error) " + error.text; },
          [](const Reply::Array& items) { return render(items); },
          [](const lua::Typed& typed) {
            constexpr const char* names[] = {"null", "boolean", "double", "big number", "verbatim",
                                             "map",  "set",     "push",   "attribute"};
            return "(" + std::string(names[static_cast<int>(typed.type)]) + ") " + render(typed.items);
          },
      },
      reply.value);
}

std::string render(const Effect& effect) {
  std::string text;
  for (std::size_t i = 0; i < effect.words.size(); ++i) {
    if (i > 0) text += ' ';
    text += effect.time_word == i ? "@" + std::to_string(effect.remaining.count()) : effect.words[i];
  }
  return text;
}

std::string render(const Effects& effects) {
  std::string text;
  for (const Effect& effect : effects) text += (text.empty() ? "" : "; ") + render(effect);
  return text;
}

Outcome TestClient::execute(const Command& command, ConnectionId from) {
  std::vector<model::ScriptCall> called;
  Outcome outcome = redis::execute(node, from, command, Environment{engine, wall_ms, &called, true, chance});
  for (model::ScriptCall& call : called) calls.push_back(std::move(call.words));
  return outcome;
}

std::string TestClient::operator()(std::string_view line, ConnectionId from) {
  return render(execute(words_of(line), from).reply);
}

std::string TestClient::effects_of(std::string_view line) { return render(execute(words_of(line)).effects); }

std::vector<Effects> TestClient::pass(std::int64_t milliseconds) {
  wall_ms += milliseconds;
  return advance(node, Duration(milliseconds));
}

std::vector<Push> TestClient::apply(const Effects& effects, std::int64_t skew_ms) {
  return apply_effects(node, effects, Duration(skew_ms), Environment{engine, wall_ms, nullptr, true});
}

Reply TestClient::eval(std::string_view script, std::vector<std::string> keys,
                       std::vector<std::string> args) {
  Command command{"EVAL", std::string(script), std::to_string(keys.size())};
  command.insert(command.end(), keys.begin(), keys.end());
  command.insert(command.end(), args.begin(), args.end());
  return execute(command).reply;
}

}  // namespace lockstep::redis::testing
