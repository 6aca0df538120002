#include "model/redis/call.h"

#include "model/redis/arguments.h"
#include "model/redis/errors.h"

namespace lockstep::redis {

Entry* Call::entry(std::string_view key) {
  Entry* const found = db().find(key);
  if (!found || !found->dead() || source_ == Source::master) return found;
  if (node_.role == Role::master) {
    db().erase(key);
    replicate({"DEL", key});
  }
  return nullptr;
}

void Call::replicate(Words words) {
  if (!replicates_) return;
  Effect effect;
  effect.words.assign(words.begin(), words.end());
  outcome_.effects.push_back(std::move(effect));
}

void Call::replicate_at(Words words, std::size_t time_word, Duration remaining) {
  if (!replicates_) return;
  Effect effect;
  effect.words.assign(words.begin(), words.end());
  effect.words[time_word].clear();
  effect.time_word = time_word;
  effect.remaining = std::max(remaining, long_dead);
  outcome_.effects.push_back(std::move(effect));
}

namespace {

/// A name or an argument in an error text is cut here.
constexpr std::size_t shown_bytes_max = 128;

Reply unknown_command(Words words) {
  if (is_container(words[0])) {
    return lua::Error{on_one_line("ERR unknown subcommand '" +
                                  std::string(words[1].substr(0, shown_bytes_max)) + "'. Try " +
                                  to_upper(words[0]) + " HELP.")};
  }
  std::string shown;
  for (std::size_t i = 1; i < words.size() && shown.size() < shown_bytes_max; ++i) {
    const std::string_view argument = words[i].substr(0, shown_bytes_max - shown.size());
    shown.append("'").append(argument).append("' ");
  }
  return lua::Error{on_one_line("ERR unknown command '" + std::string(words[0].substr(0, shown_bytes_max)) +
                                "', with args beginning with: " + shown)};
}

}  // namespace

Reply run(Call& call, Words words) {
  const Spec* const spec = find_command(words);
  if (!spec) return unknown_command(words);
  if (!spec->takes(words.size())) return errors::wrong_arity(spec->name);
  if (call.source() == Call::Source::client) {
    if (spec->has(write) && call.node().role == Role::replica) return errors::read_only_replica();
    if (!spec->has(subscriber) && is_subscriber(call.pubsub(), call.from())) {
      return lua::Error{
          "ERR Can't execute '" + std::string(spec->name) +
          "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context"};
    }
  }
  call.set_name(spec->name);
  return spec->handler(call, words);
}

}  // namespace lockstep::redis
