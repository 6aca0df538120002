// secrets.h: which words of a command are passwords, so that they are not printed (--verbose). What might be
// one is taken for one, also in commands that are wrong.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/redis/arguments.h"
#include "model/wire.h"

namespace lockstep::tools::serve {

/// For each word whether it is secret.
inline std::vector<bool> secrets_of(const model::Command& command) {
  using redis::is_option;
  std::vector<bool> secret(command.size(), false);
  const auto is = [&](std::size_t place, std::string_view word) {
    return place < command.size() && is_option(command[place], word);
  };
  const auto hide = [&](std::size_t from, std::size_t end) {
    for (std::size_t i = from; i < std::min(end, command.size()); ++i) secret[i] = true;
  };
  if (is(0, "auth")) hide(1, command.size());
  for (std::size_t i = 1; i < command.size(); ++i) {
    if ((is(0, "hello") || is(0, "migrate")) && (is(i, "auth") || is(i, "auth2"))) hide(i + 1, i + 3);
    if (is(0, "config") && is(1, "set") && i >= 2 &&
        (is(i, "requirepass") || is(i, "masterauth") || is(i, "tls-key-file-pass") ||
         is(i, "tls-client-key-file-pass")))
      hide(i + 1, i + 2);
    const bool is_rule = is(0, "acl") && is(1, "setuser") && i >= 3;
    if (is_rule && std::string("><#!").find(command[i][0]) != std::string::npos) hide(i, i + 1);
  }
  return secret;
}

}  // namespace lockstep::tools::serve
