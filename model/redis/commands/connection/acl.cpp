// ACL, for the one user that there is: "default", who may do everything (Redis acl.c).
#include <nettle/base16.h>
#include <nettle/sha2.h>

#include <array>

#include "model/redis/arguments.h"
#include "model/redis/commands/server/config.h"
#include "model/redis/commands/catalog/facts.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

constexpr std::array<std::string_view, 21> categories{
    "keyspace", "read",   "write",       "set",       "sortedset",  "list",        "hash",
    "string",   "bitmap", "hyperloglog", "geo",       "stream",     "pubsub",      "admin",
    "fast",     "slow",   "blocking",    "dangerous", "connection", "transaction", "scripting"};

bool has_password(Call& call) { return !config_value(*call.node().settings, "requirepass").empty(); }

/// Its SHA-256. That is only ever shown: a password that is given is compared with the one that is set.
std::string shown_password(Call& call) {
  const std::string password = config_value(*call.node().settings, "requirepass");
  sha256_ctx state;
  sha256_init(&state);
  sha256_update(&state, password.size(), reinterpret_cast<const std::uint8_t*>(password.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
  sha256_digest(&state, digest.size(), digest.data());
  std::string hex(BASE16_ENCODE_LENGTH(digest.size()), '0');
  base16_encode_update(hex.data(), digest.size(), digest.data());
  return hex;
}

Reply no_file() {
  return Error{
      "ERR This Redis instance is not configured to use an ACL file. You may want to specify users via the "
      "ACL SETUSER "
      "command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file set) in order "
      "to store "
      "users in the Redis configuration."};
}

}  // namespace

Reply acl_whoami(Call&, Words) { return bulk("default"); }
Reply acl_users(Call&, Words) { return Reply::Array{bulk("default")}; }
Reply acl_load(Call&, Words) { return no_file(); }
Reply acl_save(Call&, Words) { return no_file(); }

Reply acl_list(Call& call, Words) {
  const std::string entrance = has_password(call) ? "#" + shown_password(call) : "nopass";
  return Reply::Array{bulk("user default on " + entrance + " ~* &* +@all")};
}

Reply acl_cat(Call&, Words words) {
  Reply::Array names;
  if (words.size() > 3) return errors::unknown_subcommand("ACL", words[1]);
  if (words.size() == 2) {
    for (const std::string_view category : categories) names.push_back(bulk(category));
    return names;
  }
  const std::string wanted = to_lower(words[2]);
  if (std::find(categories.begin(), categories.end(), wanted) == categories.end())
    return Error{"ERR Unknown category '" + shown(words[2]) + "'"};
  for (const Spec& spec : all_commands()) {
    if (is_in_category(spec.name, wanted)) names.push_back(bulk(spec.name));
  }
  return names;
}

/// A password of so many bits, four to a digit.
Reply acl_genpass(Call& call, Words words) {
  if (words.size() > 3) return errors::unknown_subcommand("ACL", words[1]);
  constexpr std::int64_t bits_usual = 256, bits_max = 4096;
  const auto bits = words.size() == 3 ? parse_integer(words[2]) : std::optional(bits_usual);
  if (!bits) return errors::not_an_integer();
  if (*bits < 1 || *bits > bits_max) {
    return Error{
        "ERR ACL GENPASS argument must be the number of bits for the output password, a positive number up "
        "to 4096"};
  }
  std::string password;
  for (std::int64_t left = *bits; left > 0; left -= 4) password += "0123456789abcdef"[call.draw(16)];
  return password;
}

Reply acl_getuser(Call& call, Words words) {
  if (words[2] != "default") return Nil{};
  Reply::Array flags{bulk("on")}, passwords;
  if (has_password(call)) passwords.push_back(shown_password(call));
  else flags.push_back(bulk("nopass"));
  Reply::Array about{bulk("flags"), flags, bulk("passwords"), passwords};
  for (const std::string_view text : {"commands", "+@all", "keys", "~*", "channels", "&*"})
    about.push_back(bulk(text));
  about.insert(about.end(), {bulk("selectors"), empty_array()});
  return about;
}

Reply acl_deluser(Call&, Words words) {
  for (const std::string_view name : words.subspan(2)) {
    if (name == "default") return Error{"ERR The 'default' user cannot be removed"};
  }
  return count(0);
}

Reply acl_log(Call&, Words words) {
  if (words.size() > 3) return errors::unknown_subcommand("ACL", words[1]);
  if (words.size() == 3 && is_option(words[2], "reset")) return lua::ok();
  if (words.size() == 3 && !parse_integer(words[2])) return errors::not_an_integer();
  return empty_array();
}

Reply acl_dryrun(Call&, Words words) {
  if (words[2] != "default") return Error{"ERR User '" + shown(words[2]) + "' not found"};
  const Spec* const spec = find_command(words.subspan(3));
  if (!spec) return Error{"ERR Command '" + shown(words[3]) + "' not found"};
  return spec->takes(words.size() - 3) ? lua::ok() : errors::wrong_arity(spec->name);
}

}  // namespace lockstep::redis::commands
