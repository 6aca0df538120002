#include <string>

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::not_integer;

const char* const bad_offset = "(error) ERR bit offset is not an integer or out of range";

TEST(Bits, BitZeroIsTheHighestOfTheFirstByte) {
  TestClient client;
  client("SET k A");  // 0100 0001
  EXPECT_EQ(client("GETBIT k 1"), "(integer) 1");
  EXPECT_EQ(client("GETBIT k 0"), "(integer) 0");
  EXPECT_EQ(client("GETBIT k 100"), "(integer) 0");
  EXPECT_EQ(client("SETBIT k 6 1"), "(integer) 0");
  EXPECT_EQ(client("GET k"), "\"C\"");
}

TEST(Bits, SetbitReplicatesOnlyAChangeButAZeroMayMakeTheStringLonger) {
  TestClient client;
  EXPECT_EQ(client.effects_of("SETBIT k 9 0"), "SETBIT k 9 0");
  EXPECT_EQ(client("STRLEN k"), "(integer) 2");
  EXPECT_EQ(client.effects_of("SETBIT k 8 0"), "");
  EXPECT_EQ(client.effects_of("SETBIT k 8 1"), "SETBIT k 8 1");
}

TEST(Bits, AnOffsetEndsWhereTheLongestStringEnds) {
  TestClient client;
  EXPECT_EQ(client("SETBIT k 4294967296 1"), bad_offset);
  EXPECT_EQ(client("GETBIT k 4294967295"), "(integer) 0");
  EXPECT_EQ(client("GETBIT k -1"), bad_offset);
  EXPECT_EQ(client("SETBIT k 0 2"), "(error) ERR bit is not an integer or out of range");
}

TEST(Bits, BitcountCountsBytesOrBits) {
  TestClient client;
  client("SET k foobar");
  EXPECT_EQ(client("BITCOUNT k"), "(integer) 26");
  EXPECT_EQ(client("BITCOUNT k 1 1"), "(integer) 6");
  EXPECT_EQ(client("BITCOUNT k 5 30 BIT"), "(integer) 17");
  EXPECT_EQ(client("BITCOUNT k -1 -2"), "(integer) 0");
  EXPECT_EQ(client("BITCOUNT k 0"), "(error) ERR syntax error");
  EXPECT_EQ(client("BITCOUNT k 0 1 NIBBLE"), "(error) ERR syntax error");
  EXPECT_EQ(client("BITCOUNT none x"), "(integer) 0") << "a missing key is answered before its range is read";
}

TEST(Bits, BitposSeesZerosBehindTheStringUnlessTheRangeEnds) {
  TestClient client;
  client("SETRANGE k 0 \xff\xff");
  EXPECT_EQ(client("BITPOS k 0"), "(integer) 16");
  EXPECT_EQ(client("BITPOS k 0 1"), "(integer) 16");
  EXPECT_EQ(client("BITPOS k 0 0 -1"), "(integer) -1");
  EXPECT_EQ(client("BITPOS k 1 3 9 BIT"), "(integer) 3");
  EXPECT_EQ(client("BITPOS k 1 5"), "(integer) -1");
  EXPECT_EQ(client("BITPOS none 0"), "(integer) 0");
  EXPECT_EQ(client("BITPOS none 1"), "(integer) -1");
  EXPECT_EQ(client("BITPOS k 2"), "(error) ERR The bit argument must be 1 or 0.");
}

TEST(Bits, BitopFillsShorterStringsWithZeros) {
  TestClient client;
  client("MSET a abc b ab");
  EXPECT_EQ(client("BITOP AND d a b"), "(integer) 3");
  EXPECT_EQ(client.execute({"GET", "d"}).reply, Reply(std::string("ab\0", 3)));
  EXPECT_EQ(client("BITOP XOR d a a"), "(integer) 3");
  EXPECT_EQ(client.execute({"GET", "d"}).reply, Reply(std::string(3, '\0')));
  EXPECT_EQ(client("BITOP NOT d a b"), "(error) ERR BITOP NOT must be called with a single source key.");
  EXPECT_EQ(client.effects_of("BITOP OR d none"), "BITOP OR d none");
  EXPECT_EQ(client("EXISTS d"), "(integer) 0") << "an empty result is no key";
  EXPECT_EQ(client.effects_of("BITOP OR d none"), "");
}

TEST(Bitfields, ReadAndWriteIntegersOfAnyWidth) {
  TestClient client;
  EXPECT_EQ(client("BITFIELD k SET u8 0 255 GET i8 0 INCRBY i5 #1 -3 GET u4 4"),
            "[(integer) 0, (integer) -1, (integer) -7, (integer) 14]");
  EXPECT_EQ(client("BITFIELD_RO k GET i64 100"), "[(integer) 0]");
  EXPECT_EQ(client("BITFIELD_RO k SET u8 0 1"), "(error) ERR BITFIELD_RO only supports the GET subcommand");
  EXPECT_EQ(client("BITFIELD k"), "[]");
}

TEST(Bitfields, WrapSaturateOrFailBeyondTheirLimits) {
  TestClient client;
  EXPECT_EQ(client("BITFIELD k INCRBY u8 0 257"), "[(integer) 1]");
  EXPECT_EQ(client("BITFIELD k OVERFLOW SAT INCRBY u8 0 999 INCRBY u8 0 -999"),
            "[(integer) 255, (integer) 0]");
  EXPECT_EQ(client("BITFIELD k OVERFLOW FAIL INCRBY i8 0 128 INCRBY i8 0 127"), "[(nil), (integer) 127]");
  EXPECT_EQ(client("BITFIELD k OVERFLOW SAT SET u8 0 -1 GET u8 0"), "[(integer) 127, (integer) 255]");
  EXPECT_EQ(client("BITFIELD l SET i64 0 9223372036854775807 INCRBY i64 0 1"),
            "[(integer) 0, (integer) -9223372036854775808]");
}

TEST(Bitfields, ANumberFarBelowItsRangeSaturatesAtTheTop) {
  TestClient client;
  EXPECT_EQ(client("BITFIELD k OVERFLOW SAT SET i32 0 -9223372036854775807 GET i32 0"),
            "[(integer) 0, (integer) 2147483647]");
  EXPECT_EQ(client("BITFIELD k OVERFLOW SAT SET i32 0 -9223372034707292160 GET i32 0"),
            "[(integer) 2147483647, (integer) -2147483648]");
}

TEST(Bitfields, ReplicateOnlyAChange) {
  TestClient client;
  EXPECT_EQ(client.effects_of("BITFIELD k SET u8 0 0"), "BITFIELD k SET u8 0 0") << "the string is new";
  EXPECT_EQ(client.effects_of("BITFIELD k SET u8 0 0"), "");
  EXPECT_EQ(client.effects_of("BITFIELD k OVERFLOW FAIL SET u8 0 999"), "");
  EXPECT_EQ(client.effects_of("BITFIELD k GET u8 0 SET u8 0 7"), "BITFIELD k GET u8 0 SET u8 0 7");
}

TEST(Bitfields, NameWhatTheyDoNotUnderstand) {
  TestClient client;
  const char* const bad_type =
      "(error) ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 "
      "is.";
  for (const char* const type : {"u64", "i65", "u0", "x8", "U8", "i", "8"})
    EXPECT_EQ(client("BITFIELD k GET " + std::string(type) + " 0"), bad_type) << type;
  EXPECT_EQ(client("BITFIELD k GET u8 -1"), bad_offset);
  EXPECT_EQ(client("BITFIELD k GET u8 #536870912"), bad_offset);
  EXPECT_EQ(client("BITFIELD k SET u8 0 x"), not_integer);
  EXPECT_EQ(client("BITFIELD k OVERFLOW MAYBE"), "(error) ERR Invalid OVERFLOW type specified");
  EXPECT_EQ(client("BITFIELD k GET u8"), "(error) ERR syntax error");
}

}  // namespace
}  // namespace lockstep::redis
