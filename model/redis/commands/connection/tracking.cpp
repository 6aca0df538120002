// CLIENT TRACKING and what belongs to it (Redis networking.c, tracking.c). Here there are no
// invalidations, so that only what clients are told of their mode is left.
#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/commands/connection/client_list.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

/// Nil, or why no invalidations can go to the client of this number.
Reply redirection_problem(Call& call, std::string_view number) {
  const auto id = parse_integer(number);
  if (!id) return errors::not_an_integer();
  if (!find_client(call, *id)) return Error{"ERR The client ID you want redirect to does not exist"};
  return Error{"ERR Redirection of invalidations is not supported"};
}

Reply read_options(Call& call, Words words, Tracking& wanted) {
  for (std::size_t i = 3; i < words.size(); ++i) {
    const bool more = i + 1 < words.size();
    if (is_option(words[i], "redirect") && more) return redirection_problem(call, words[i + 1]);
    if (is_option(words[i], "bcast")) wanted.broadcasts = true;
    else if (is_option(words[i], "optin")) wanted.opts_in = true;
    else if (is_option(words[i], "optout")) wanted.opts_out = true;
    else if (is_option(words[i], "noloop")) wanted.skips_own = true;
    else if (is_option(words[i], "prefix") && more) wanted.prefixes.emplace_back(words[++i]);
    else return errors::syntax();
  }
  return Nil{};
}

bool overlap(std::string_view a, std::string_view b) { return a.starts_with(b) || b.starts_with(a); }

Reply prefix_problem(const Tracking& wanted, const Tracking* before) {
  constexpr const char* end = "'. Prefixes for a single client must not overlap.";
  const auto& prefixes = wanted.prefixes;
  for (auto at = prefixes.begin(); at != prefixes.end(); ++at) {
    if (before) {
      for (const std::string& other : before->prefixes) {
        if (overlap(*at, other))
          return Error{"ERR Prefix '" + *at + "' overlaps with an existing prefix '" + other + end};
      }
    }
    for (auto other = at + 1; other != prefixes.end(); ++other) {
      if (overlap(*at, *other))
        return Error{"ERR Prefix '" + *at + "' overlaps with another provided prefix '" + *other + end};
    }
  }
  return Nil{};
}

/// Nil, or why this mode cannot be entered from the one before.
Reply mode_problem(const Tracking& wanted, const Tracking* before) {
  constexpr const char* end =
      " before disabling tracking for this client, and then re-enabling it with a different mode.";
  if (!wanted.broadcasts && !wanted.prefixes.empty())
    return Error{"ERR PREFIX option requires BCAST mode to be enabled"};
  if (before && before->broadcasts != wanted.broadcasts)
    return Error{std::string("ERR You can't switch BCAST mode on/off") + end};
  if (wanted.broadcasts && (wanted.opts_in || wanted.opts_out))
    return Error{"ERR OPTIN and OPTOUT are not compatible with BCAST"};
  if (wanted.opts_in && wanted.opts_out)
    return Error{"ERR You can't specify both OPTIN mode and OPTOUT mode"};
  if (before && ((wanted.opts_in && before->opts_out) || (wanted.opts_out && before->opts_in)))
    return Error{std::string("ERR You can't switch OPTIN/OPTOUT mode") + end};
  return prefix_problem(wanted, before);
}

}  // namespace

Reply client_tracking(Call& call, Words words) {
  Tracking wanted;
  if (Reply problem = read_options(call, words, wanted); !problem.is_nil()) return problem;
  const bool on = is_option(words[2], "on");
  if (!on && !is_option(words[2], "off")) return errors::syntax();
  const Tracking* const before =
      call.session() && call.session()->tracking ? &*call.session()->tracking : nullptr;
  if (!on) {
    if (before) call.session_to_change().tracking.reset();
    return lua::ok();
  }
  if (Reply problem = mode_problem(wanted, before); !problem.is_nil()) return problem;
  if (wanted.broadcasts && wanted.prefixes.empty()) wanted.prefixes.emplace_back();
  if (before) wanted.prefixes.insert(wanted.prefixes.end(), before->prefixes.begin(), before->prefixes.end());
  std::sort(wanted.prefixes.begin(), wanted.prefixes.end());
  wanted.prefixes.erase(std::unique(wanted.prefixes.begin(), wanted.prefixes.end()), wanted.prefixes.end());
  call.session_to_change().tracking = std::move(wanted);
  return lua::ok();
}

Reply client_getredir(Call& call, Words) {
  const bool tracks = call.session() && call.session()->tracking;
  return std::int64_t{tracks ? 0 : -1};
}

Reply client_caching(Call& call, Words words) {
  if (!call.session() || !call.session()->tracking) {
    return Error{
        "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode "
        "enabled"};
  }
  const Tracking& tracking = *call.session()->tracking;
  const bool yes = is_option(words[2], "yes");
  if (!yes && !is_option(words[2], "no")) return errors::syntax();
  if (yes && !tracking.opts_in)
    return Error{"ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode."};
  if (!yes && !tracking.opts_out)
    return Error{"ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode."};
  call.session_to_change().tracking->next_is_cached = yes;
  return lua::ok();
}

Reply client_trackinginfo(Call& call, Words) {
  Reply::Array flags, prefixes;
  const Session* const session = call.session();
  if (!session || !session->tracking) {
    flags.push_back(bulk("off"));
    return Reply::Array{bulk("flags"), flags, bulk("redirect"), std::int64_t{-1}, bulk("prefixes"), prefixes};
  }
  const Tracking& tracking = *session->tracking;
  flags.push_back(bulk("on"));
  if (tracking.broadcasts) flags.push_back(bulk("bcast"));
  if (tracking.opts_in) flags.push_back(bulk("optin"));
  if (tracking.opts_in && tracking.next_is_cached) flags.push_back(bulk("caching-yes"));
  if (tracking.opts_out) flags.push_back(bulk("optout"));
  if (tracking.opts_out && tracking.next_is_cached) flags.push_back(bulk("caching-no"));
  if (tracking.skips_own) flags.push_back(bulk("noloop"));
  for (const std::string& prefix : tracking.prefixes) prefixes.push_back(bulk(prefix));
  return Reply::Array{bulk("flags"), flags, bulk("redirect"), count(0), bulk("prefixes"), prefixes};
}

}  // namespace lockstep::redis::commands
