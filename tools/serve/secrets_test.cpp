#include "tools/serve/secrets.h"

#include <gtest/gtest.h>

namespace lockstep::tools::serve {
namespace {

/// The words of a line, with a star for each that is secret.
std::string shown(const model::Command& command) {
  std::string text;
  const std::vector<bool> secret = secrets_of(command);
  for (std::size_t i = 0; i < command.size(); ++i)
    text += (i > 0 ? " " : "") + (secret[i] ? "*" : command[i]);
  return text;
}

TEST(Secrets, PasswordsAreFoundWhereverACommandHasThem) {
  EXPECT_EQ(shown({"AUTH", "p"}), "AUTH *");
  EXPECT_EQ(shown({"auth", "default", "p", "x"}), "auth * * *");
  EXPECT_EQ(shown({"HELLO", "3", "SETNAME", "me", "AUTH", "default", "p"}), "HELLO 3 SETNAME me AUTH * *");
  EXPECT_EQ(shown({"hello", "3", "auth", "default"}), "hello 3 auth *");
  EXPECT_EQ(shown({"CONFIG", "SET", "timeout", "5", "RequirePass", "p", "masterauth", "q"}),
            "CONFIG SET timeout 5 RequirePass * masterauth *");
  EXPECT_EQ(shown({"ACL", "SETUSER", "me", "on", ">p", "~*", "<q", "#0a", "!0b", ""}),
            "ACL SETUSER me on * ~* * * * ");
  EXPECT_EQ(shown({"MIGRATE", "h", "1", "k", "0", "9", "AUTH2", "u", "p", "COPY"}),
            "MIGRATE h 1 k 0 9 AUTH2 * * COPY");
}

TEST(Secrets, OtherWordsAreShown) {
  EXPECT_EQ(shown({"SET", "auth", "p"}), "SET auth p");
  EXPECT_EQ(shown({"CONFIG", "GET", "requirepass"}), "CONFIG GET requirepass");
  EXPECT_EQ(shown({"ACL", "GETUSER", ">p"}), "ACL GETUSER >p");
  EXPECT_EQ(shown({"HSET", "requirepass", "f", "v"}), "HSET requirepass f v");
}

}  // namespace
}  // namespace lockstep::tools::serve
