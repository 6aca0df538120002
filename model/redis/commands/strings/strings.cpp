#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

Reply get(Call& call, Words words) {
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  if (!text) call.missed(words[1]);
  return text ? bulk(text->bytes) : Reply(Nil{});
}

Reply setnx(Call& call, Words words) {
  if (call.entry(words[1])) return yes_no(false);
  call.overwrite(words[1], String{std::string(words[2])});
  call.replicate(words);
  return yes_no(true);
}

Reply getset(Call& call, Words words) {
  Reply old = get(call, words);
  if (old.error()) return old;
  call.overwrite(words[1], String{std::string(words[2])});
  call.replicate({"SET", words[1], words[2]});
  return old;
}

Reply getdel(Call& call, Words words) {
  Reply old = get(call, words);
  if (old.bulk()) {
    call.db().erase(words[1]);
    call.replicate({"DEL", words[1]});
  }
  return old;
}

Reply mget(Call& call, Words words) {
  Reply::Array values;
  values.reserve(words.size() - 1);
  for (const std::string_view key : words.subspan(1)) {
    String* text = nullptr;
    call.find(key, text);  // another type reads as nil here
    values.push_back(text ? bulk(text->bytes) : Reply(Nil{}));
  }
  return values;
}

namespace {

void set_all(Call& call, Words words) {
  for (std::size_t i = 1; i < words.size(); i += 2) {
    call.entry(words[i]);  // a dead key's DEL goes ahead
    call.overwrite(words[i], String{std::string(words[i + 1])});
    call.touch_key(words[i]);
    call.tell({'$', "set"}, words[i]);
  }
  call.replicate_silently(words);
}

}  // namespace

Reply mset(Call& call, Words words) {
  if (words.size() % 2 == 0) return errors::wrong_arity(call.name());
  set_all(call, words);
  return lua::ok();
}

Reply msetnx(Call& call, Words words) {
  if (words.size() % 2 == 0) return errors::wrong_arity(call.name());
  for (std::size_t i = 1; i < words.size(); i += 2) {
    if (call.entry(words[i])) return yes_no(false);
  }
  set_all(call, words);
  return yes_no(true);
}

Reply strlen(Call& call, Words words) {
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  return count(text ? text->bytes.size() : 0);
}

}  // namespace lockstep::redis::commands
