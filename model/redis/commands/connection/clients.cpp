// What a connection says of itself: HELLO, AUTH, RESET, QUIT, and those sub-commands of CLIENT that concern
// the caller alone (Redis networking.c, acl.c).
#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/commands/connection/client_list.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/server/config.h"
#include "model/redis/errors.h"
#include "model/redis/resp/resp3.h"
#include "model/redis/watch.h"

namespace lockstep::redis::commands {

namespace {

Reply wrong_password() { return Error{"WRONGPASS invalid username-password pair or user is disabled."}; }

/// There is one user, "default"; without a password it takes any.
bool authenticates(const Node& node, std::string_view user, std::string_view password) {
  if (user != "default") return false;
  const std::string wanted = config_value(*node.settings, "requirepass");
  return wanted.empty() || wanted == password;
}

void authenticate(Call& call) {
  if (call.session() && call.session()->unauthenticated) call.session_to_change().unauthenticated = false;
}

/// Nil, or why the connection cannot have this name.
Reply set_name(Call& call, std::string_view name) {
  if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '!' && c <= '~'; })) {
    return Error{"ERR Client names cannot contain spaces, newlines or special characters."};
  }
  if (!name.empty() || call.session()) call.session_to_change().name = name;
  return Nil{};
}

/// The options of HELLO take effect one after the other; Nil, or the first that is wrong.
Reply take_options(Call& call, Words words) {
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::size_t left = words.size() - i - 1;
    if (is_option(words[i], "auth") && left >= 2) {
      call.hide(i + 1), call.hide(i + 2);
      if (!authenticates(call.node(), words[i + 1], words[i + 2])) return wrong_password();
      authenticate(call);
      i += 2;
    } else if (is_option(words[i], "setname") && left >= 1) {
      if (Reply problem = set_name(call, words[++i]); !problem.is_nil()) return problem;
    } else {
      return Error{"ERR Syntax error in HELLO option '" + shown(words[i]) + "'"};
    }
  }
  return Nil{};
}

Reply who_serves(const Call& call, const Node& node) {
  const bool master = node.role == Role::master;
  return Reply::Array{bulk("server"),  bulk("redis"),
                      bulk("version"), bulk("7.0.15"),
                      bulk("proto"),   std::int64_t{speaks_resp3(node, call.from()) ? 3 : 2},
                      bulk("id"),      client_id(call.session(), call.from()),
                      bulk("mode"),    bulk(*node.cluster ? "cluster" : "standalone"),
                      bulk("role"),    bulk(master ? "master" : "replica"),
                      bulk("modules"), empty_array()};
}

}  // namespace

Reply hello(Call& call, Words words) {
  std::optional<std::int64_t> version;
  if (words.size() >= 2) {
    version = parse_integer(words[1]);
    if (!version) return Error{"ERR Protocol version is not an integer or out of range"};
    if (*version != 2 && *version != 3) return Error{"NOPROTO unsupported protocol version"};
  }
  if (Reply problem = take_options(call, words); !problem.is_nil()) return problem;
  if (call.session() && is_stranger(call.node(), *call.session())) {
    return Error{
        "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> "
        "<pass> option can be used to authenticate the client and select the RESP protocol version at the "
        "same time"};
  }
  if (version && (*version == 3 || call.session())) call.session_to_change().resp3 = *version == 3;
  return who_serves(call, call.node());
}

Reply auth(Call& call, Words words) {
  if (words.size() > 3) return errors::syntax();
  for (std::size_t i = 1; i < words.size(); ++i) call.hide(i);
  if (words.size() == 2 && config_value(*call.node().settings, "requirepass").empty()) {
    return Error{
        "ERR AUTH <password> called without any password configured for the default user. Are you sure your "
        "configuration is correct?"};
  }
  const std::string_view user = words.size() == 3 ? words[1] : "default";
  if (!authenticates(call.node(), user, words.back())) return wrong_password();
  authenticate(call);
  return lua::ok();
}

/// As if the connection were new, except that it is still the same one.
Reply reset(Call& call, Words) {
  Node& node = call.node();
  const std::optional<Peer> peer = call.session() ? call.session()->peer : std::nullopt;
  disconnect(node, call.from());
  if (peer) {
    Session& session = call.session_to_change();
    session.peer = peer;
    session.unauthenticated = !config_value(*node.settings, "requirepass").empty();
  }
  call.select(0);
  call.outcome().order().replies = Orders::Replies::as_new;
  return Status{"RESET"};
}

Reply quit(Call& call, Words) {
  call.outcome().closed.push_back(call.from());
  return lua::ok();
}

Reply client_id(Call& call, Words) { return client_id(call.session(), call.from()); }

Reply client_getname(Call& call, Words) {
  if (!call.session() || call.session()->name.empty()) return Nil{};
  return call.session()->name;
}

Reply client_setname(Call& call, Words words) {
  Reply problem = set_name(call, words[2]);
  return problem.is_nil() ? lua::ok() : problem;
}

Reply client_no_evict(Call& call, Words words) {
  const bool on = is_option(words[2], "on");
  if (!on && !is_option(words[2], "off")) return errors::syntax();
  if (on || call.session()) call.session_to_change().never_evicted = on;
  return lua::ok();
}

/// What is not sent the caller of this model sees to (Orders).
Reply client_reply(Call& call, Words words) {
  using Replies = Orders::Replies;
  const bool on = is_option(words[2], "on"), off = is_option(words[2], "off");
  if (!on && !off && !is_option(words[2], "skip")) return errors::syntax();
  call.outcome().order().replies = on ? Replies::on : off ? Replies::off : Replies::skip_next;
  return lua::ok();
}

Reply client_pause(Call& call, Words words) {
  if (words.size() > 4) return errors::unknown_subcommand("CLIENT", words[1]);
  bool writes_only = false;
  if (words.size() == 4) {
    writes_only = is_option(words[3], "write");
    if (!writes_only && !is_option(words[3], "all"))
      return Error{"ERR CLIENT PAUSE mode must be WRITE or ALL"};
  }
  const auto milliseconds = parse_integer(words[2]);
  if (!milliseconds) return Error{"ERR timeout is not an integer or out of range"};
  if (*milliseconds < 0) return Error{"ERR timeout is negative"};
  call.outcome().order().pause = Orders::Pause{Duration(*milliseconds), writes_only};
  return lua::ok();
}

Reply client_unpause(Call& call, Words) {
  call.outcome().order().pause = Orders::Pause{.ends = true};
  return lua::ok();
}

/// No client is blocked that this server knows of: WAIT ends by itself.
Reply client_unblock(Call&, Words words) {
  if (words.size() > 4) return errors::unknown_subcommand("CLIENT", words[1]);
  if (words.size() == 4 && !is_option(words[3], "timeout") && !is_option(words[3], "error"))
    return Error{"ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR"};
  if (!parse_integer(words[2])) return errors::not_an_integer();
  return count(0);
}

}  // namespace lockstep::redis::commands
