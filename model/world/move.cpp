#include "model/world/move.h"

#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

/// What follows the verb of each kind. The letters are filled from a, b, c and amount:
/// P a process, N a node, T a thread, C a connection number, # a number, D milliseconds.
struct Form {
  MoveKind kind;
  std::string_view verb;
  std::string_view rest;
};

constexpr std::array forms{
    Form{MoveKind::reply, "reply", "bN -> aP/cC"},
    Form{MoveKind::request, "request", "aP/cC -> bN"},
    Form{MoveKind::push, "push", "bN -> aP"},
    Form{MoveKind::channel, "channel", "aP -> bN"},
    Form{MoveKind::effects, "effects", "aN -> bN"},
    Form{MoveKind::run, "run", "aT"},
    Form{MoveKind::renew, "renew", "aP b#"},
    Form{MoveKind::time_out, "time-out", "aP/cC at bN"},
    Form{MoveKind::learn, "learn", "aP"},
    Form{MoveKind::demote, "demote", "aN"},
    Form{MoveKind::resync, "resync", "aN"},
    Form{MoveKind::reconnect, "reconnect", "aP to bN"},
    Form{MoveKind::fixed, "fixed", "a#"},
    Form{MoveKind::pass, "pass", "D"},
    Form{MoveKind::resume, "resume", "aP"},
    Form{MoveKind::heal, "heal", "aP | bN"},
    Form{MoveKind::unlag, "unlag", "aN"},
    Form{MoveKind::release_reply, "release-reply", "bN -> aP/cC"},
    Form{MoveKind::release_request, "release-request", "aP/cC -> bN"},
    Form{MoveKind::release_push, "release-push", "bN -> aP"},
    Form{MoveKind::release_channel, "release-channel", "aP -> bN"},
    Form{MoveKind::crash_node, "crash-node", "aN"},
    Form{MoveKind::failover, "failover", "aN"},
    Form{MoveKind::restart_node, "restart-node", "aN"},
    Form{MoveKind::crash_process, "crash", "aP"},
    Form{MoveKind::restart_process, "restart", "aP"},
    Form{MoveKind::pause, "pause", "aP"},
    Form{MoveKind::lose_reply, "lose-reply", "bN -> aP/cC"},
    Form{MoveKind::lose_request, "lose-request", "aP/cC -> bN"},
    Form{MoveKind::lose_push, "lose-push", "bN -> aP"},
    Form{MoveKind::lose_channel, "lose-channel", "aP -> bN"},
    Form{MoveKind::hold_reply, "hold-reply", "bN -> aP/cC"},
    Form{MoveKind::hold_request, "hold-request", "aP/cC -> bN"},
    Form{MoveKind::hold_push, "hold-push", "bN -> aP"},
    Form{MoveKind::hold_channel, "hold-channel", "aP -> bN"},
    Form{MoveKind::cut, "cut", "aP | bN"},
    Form{MoveKind::lag, "lag", "aN"},
    Form{MoveKind::jump, "jump", "aN D"},
    Form{MoveKind::interrupt, "interrupt", "aT"},
    Form{MoveKind::evict, "evict", "aN b#"},
    Form{MoveKind::flush, "flush-scripts", "aN"},
};

std::string name_of(char type, std::uint16_t value, const Setup& setup) {
  switch (type) {
    case 'P':
      return setup.processes[value].name;
    case 'N':
      return setup.nodes[value].name;
    case 'T':
      return setup.threads[value].name;
    default:
      return std::to_string(value);
  }
}

template <class Named>
std::optional<std::uint16_t> index_of(const std::vector<Named>& all, std::string_view name) {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return static_cast<std::uint16_t>(i);
  return std::nullopt;
}

std::optional<std::uint16_t> value_of(char type, std::string_view word, const Setup& setup) {
  switch (type) {
    case 'P':
      return index_of(setup.processes, word);
    case 'N':
      return index_of(setup.nodes, word);
    case 'T':
      return index_of(setup.threads, word);
    default:
      break;
  }
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return number;
}

const char* noun(char type) {
  switch (type) {
    case 'P':
      return "process";
    case 'N':
      return "node";
    case 'T':
      return "thread";
    default:
      return "number";
  }
}

std::uint16_t& slot(Move& move, char letter) {
  return letter == 'a' ? move.a : letter == 'b' ? move.b : move.c;
}

/// The word at the front of `text`, up to what the form has next.
std::string_view take_word(std::string_view& text, char stop) {
  const std::size_t end = stop == '\0' ? text.size() : text.find(stop);
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(word.size());
  return word;
}

sim::Result<Move> parse_rest(const Form& form, std::string_view text, const Setup& setup) {
  const auto malformed = [&] {
    return sim::Problem{fmt::format("`{}` wants the form `{} {}`", form.verb, form.verb, form.rest)};
  };
  Move move{.kind = form.kind};
  for (std::size_t i = 0; i < form.rest.size(); ++i) {
    const char at = form.rest[i];
    if (at == 'D') {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), move.amount);
      if (error != std::errc{} || std::string_view(end, text.data() + text.size()) != "ms")
        return malformed();
      text = {};
    } else if (at >= 'a' && at <= 'c' && i + 1 < form.rest.size() && form.rest[i + 1] != 't') {
      const char type = form.rest[++i];
      const std::string_view word = take_word(text, i + 1 < form.rest.size() ? form.rest[i + 1] : '\0');
      const auto value = value_of(type, word, setup);
      if (!value) return sim::Problem{fmt::format("there is no {} `{}` in {}", noun(type), word, setup.name)};
      slot(move, at) = *value;
    } else {
      if (text.empty() || text.front() != at) return malformed();
      text.remove_prefix(1);
    }
  }
  if (!text.empty()) return malformed();
  return move;
}

const Form& form_of(MoveKind kind) {
  const Form& form = forms[static_cast<std::size_t>(kind)];
  VERIFY(form.kind == kind);
  return form;
}

}  // namespace

sim::Actor Move::actor() const {
  enum class By : std::uint16_t { thread, process, node, stream, world, ending };
  switch (kind) {
    case MoveKind::run:
      return sim::Actor::of(By::thread, a);
    case MoveKind::reply:
    case MoveKind::push:
    case MoveKind::renew:
    case MoveKind::time_out:
    case MoveKind::learn:
    case MoveKind::reconnect:
      return sim::Actor::of(By::process, a);
    case MoveKind::request:
    case MoveKind::channel:
      return sim::Actor::of(By::node, b);
    case MoveKind::effects:
      return sim::Actor::of(By::stream, b);
    default:
      return sim::Actor::of(ends_fault() ? By::ending : By::world);
  }
}

std::string show(const Move& move, const Setup& setup) {
  const Form& form = form_of(move.kind);
  std::string text{form.verb};
  text += ' ';
  for (std::size_t i = 0; i < form.rest.size(); ++i) {
    const char at = form.rest[i];
    if (at == 'D') {
      text += fmt::format("{}ms", move.amount);
    } else if (at >= 'a' && at <= 'c' && i + 1 < form.rest.size() && form.rest[i + 1] != 't') {
      const std::uint16_t value = at == 'a' ? move.a : at == 'b' ? move.b : move.c;
      text += name_of(form.rest[++i], value, setup);
    } else {
      text += at;
    }
  }
  return text;
}

sim::Result<Move> parse_move(std::string_view text, const Setup& setup) {
  const std::size_t space = text.find(' ');
  const std::string_view verb = text.substr(0, space);
  for (const Form& form : forms)
    if (form.verb == verb && space != std::string_view::npos)
      return parse_rest(form, text.substr(space + 1), setup);
  return sim::Problem{fmt::format("`{}` is no move", text.substr(0, 60))};
}

}  // namespace lockstep::model
