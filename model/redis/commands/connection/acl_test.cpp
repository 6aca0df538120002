#include <gtest/gtest.h>
#include "model/redis/sha256.h"
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

// The examples of FIPS 180-2, and lengths about the end of a block.
TEST(Sha256, KnownTextsHaveTheirDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256_hex(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

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
