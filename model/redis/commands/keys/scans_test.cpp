#include <set>
#include <string>

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

/// One page: its cursor and what it shows.
struct Page {
  std::string cursor;
  std::vector<std::string> shown;
};

Page page(TestClient& client, std::string_view line) {
  const Reply reply = client.execute(testing::words_of(line)).reply;
  Page result{*(*reply.array())[0].bulk(), {}};
  for (const Reply& item : *(*reply.array())[1].array()) result.shown.push_back(*item.bulk());
  return result;
}

TEST(Scan, PagesLeadToEveryKeyAndBackToZero) {
  TestClient client;
  std::set<std::string> keys, found;
  for (int i = 0; i < 100; ++i) {
    keys.insert("key:" + std::to_string(i));
    client("SET key:" + std::to_string(i) + " v");
  }
  std::string cursor = "0";
  int pages = 0;
  do {
    const Page next = page(client, "SCAN " + cursor + " COUNT 7");
    EXPECT_LT(next.shown.size(), 30U);
    found.insert(next.shown.begin(), next.shown.end());
    cursor = next.cursor;
    ++pages;
  } while (cursor != "0");
  EXPECT_EQ(found, keys);
  EXPECT_GT(pages, 4);
}

TEST(Scan, AFilterHidesKeysAndMayLeaveAPageEmpty) {
  TestClient client;
  client("MSET lock:a 1 lock:b 2 other 3");
  client("RPUSH lock:list v");
  EXPECT_EQ(page(client, "SCAN 0 COUNT 100 MATCH other").shown, std::vector<std::string>{"other"});
  EXPECT_EQ(page(client, "SCAN 0 COUNT 100 TYPE LIST").shown, std::vector<std::string>{"lock:list"});
  EXPECT_EQ(page(client, "SCAN 0 COUNT 100 TYPE nosuch").shown.size(), 0U);
  EXPECT_EQ(page(client, "SCAN 0 COUNT 100 MATCH lock:* TYPE string").shown.size(), 2U);
}

TEST(Scan, ReadsItsCursorAsStrtoulDoes) {
  TestClient client;
  for (const char* const line : {"SCAN x", "SCAN ' 1'", "SCAN 1x", "SCAN 18446744073709551616"})
    EXPECT_EQ(client(line), "(error) ERR invalid cursor") << line;
  for (const char* const line : {"SCAN ''", "SCAN -1", "SCAN +5", "SCAN 18446744073709551615"})
    EXPECT_EQ(client(line), "[\"0\", []]") << line;
}

TEST(Scan, RefusesACountBelowOneAndTypeInsideAHash) {
  TestClient client;
  EXPECT_EQ(client("SCAN 0 COUNT 0"), "(error) ERR syntax error");
  EXPECT_EQ(client("SCAN 0 COUNT x"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(client("SCAN 0 MATCH"), "(error) ERR syntax error");
  client("HSET h f v");
  EXPECT_EQ(client("HSCAN h 0 TYPE string"), "(error) ERR syntax error");
}

TEST(Scan, RemovesTheDeadThatItMeetsUnlessThePatternHidesThem) {
  TestClient client(Role::master, Expiry::lazy);
  client("SET a v PX 10");
  client("SET b v PX 10");
  client.pass(11);
  EXPECT_EQ(client.effects_of("SCAN 0 MATCH b"), "DEL b");
  EXPECT_EQ(client("DBSIZE"), "(integer) 1");
}

TEST(Hscan, ASmallHashIsOnePageWhateverItsCursorAndCount) {
  TestClient client;
  client("HSET h z 1 a 2");
  EXPECT_EQ(client("HSCAN h 17 COUNT 1"), "[\"0\", [\"z\", \"1\", \"a\", \"2\"]]");
  EXPECT_EQ(client("HSCAN h 0 MATCH a"), "[\"0\", [\"a\", \"2\"]]");
}

TEST(Hscan, AHashTableIsReadInPages) {
  TestClient client;
  for (int i = 0; i < 600; ++i) client("HSET h field" + std::to_string(i) + " v");
  const Page first = page(client, "HSCAN h 0 COUNT 10");
  EXPECT_NE(first.cursor, "0");
  EXPECT_GE(first.shown.size(), 20U) << "fields and values";
  EXPECT_EQ(page(client, "HSCAN h 0 COUNT 10000").shown.size(), 1200U);
}

TEST(Hscan, AMissingKeyHidesABadOptionButNotABadCursor) {
  TestClient client;
  EXPECT_EQ(client("HSCAN none 0 bad"), "[\"0\", []]");
  EXPECT_EQ(client("HSCAN none x"), "(error) ERR invalid cursor");
}

// Its type is looked up before anybody asks whether it has expired, and that lookup removes it.
TEST(Scan, AKeyThatDiedIsListedOnceAsHavingNoType) {
  TestClient client(Role::master, Expiry::lazy);
  client("SET k v PX 1"), client.pass(2);
  EXPECT_EQ(client("SCAN 0 TYPE none"), R"(["0", ["k"]])");
  EXPECT_EQ(client("SCAN 0 TYPE none"), R"(["0", []])");
}

}  // namespace
}  // namespace lockstep::redis
