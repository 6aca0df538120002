#include "model/request.h"

#include "model/setup/setup.h"
#include "sim/base/verify.h"

namespace lockstep::model {

const char* role_name(Role role) {
  switch (role) {
    case Role::lock: return "lock";
    case Role::unlock: return "unlock";
    case Role::renew: return "renew";
    case Role::force_unlock: return "force-unlock";
  }
  UNREACHABLE("a role");
  return "";
}

std::string channel_of(const std::string& lock) {
  static const std::string prefix = "redisson_lock__channel";
  if (lock.find('{') != std::string::npos) return prefix + ":" + lock;
  return prefix + ":{" + lock + "}";
}

void fill_words(Request& request, const Setup& setup, Duration lease) {
  const lua::Script& script = *setup.scripts.find(role_name(request.purpose.role));
  const Purpose& purpose = request.purpose;
  request.full_text = !setup.use_script_cache;
  for (const std::string& key : script.keys)
    request.keys.push_back(key == "channel" ? channel_of(purpose.lock) : purpose.lock);
  for (const std::string& arg : script.args) {
    if (arg == "lease") request.args.push_back(std::to_string(lease.count()));
    else if (arg == "holder") request.args.push_back(setup.holder_name(purpose.thread, purpose.incarnation));
    else request.args.emplace_back("0");  // LockPubSub.UNLOCK_MESSAGE
  }
}

std::vector<std::string> words_of(const Request& request, const Setup& setup) {
  const lua::Script& script = *setup.scripts.find(role_name(request.purpose.role));
  std::vector<std::string> words;
  words.reserve(3 + request.keys.size() + request.args.size());
  words.emplace_back(request.full_text ? "EVAL" : "EVALSHA");
  words.push_back(request.full_text ? script.text : script.sha1);
  words.push_back(std::to_string(request.keys.size()));
  words.insert(words.end(), request.keys.begin(), request.keys.end());
  words.insert(words.end(), request.args.begin(), request.args.end());
  return words;
}

}  // namespace lockstep::model
