#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

TEST(Acl, APasswordIsShownAsItsDigest) {
  TestClient client;
  EXPECT_EQ(client("ACL LIST"), R"(["user default on nopass ~* &* +@all"])");
  client("CONFIG SET requirepass foo");
  EXPECT_EQ(client("ACL LIST"),
            R"(["user default on #2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae )"
            R"(~* &* +@all"])");
}

TEST(Acl, APasswordIsDrawnOfSoManyBits) {
  TestClient client;
  sim::Random chance(1);
  client.chance = &chance;
  const auto digits = [&](const Command& command) { return client.execute(command).reply.bulk()->size(); };
  EXPECT_EQ(digits({"ACL", "GENPASS"}), 64u);
  EXPECT_EQ(digits({"ACL", "GENPASS", "5"}), 2u);
  EXPECT_NE(client("ACL GENPASS"), client("ACL GENPASS"));
  EXPECT_EQ(client("ACL GENPASS 4097"),
            "(error) ERR ACL GENPASS argument must be the number of bits for the output password, a positive "
            "number up to 4096");
}

}  // namespace
}  // namespace lockstep::redis
