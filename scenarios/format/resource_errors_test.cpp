// Mistakes in [resource.NAME]: the exact text and caret of each.
#include <gtest/gtest.h>

#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

std::string with_resource(const std::string& table) {
  return shown("format = 1\n[process.A]\nthreads = [[\"write ledger\"]]\n" + table);
}

TEST(TheReaderShows, AResourceThatNoProgramWritesTo) {
  EXPECT_EQ(with_resource("[resource.lodger]\nfenced = true"),
            R"(error: no program writes to `lodger`
  --> x.toml:4:11
4 | [resource.lodger]
  |           ^^^^^^ did you mean `ledger`?)");
}

TEST(TheReaderShows, AnUnknownKeyOfAResource) {
  EXPECT_EQ(with_resource("[resource.ledger]\nfence = true"),
            R"(error: unknown key `fence` in [resource.ledger]
  --> x.toml:5:1
5 | fence = true
  | ^^^^^ did you mean `fenced`?)");
}

TEST(TheReaderShows, AResourceThatIsNoTable) {
  EXPECT_EQ(with_resource("[resource]\nledger = true"),
            R"(error: `ledger` wants a table, such as `fenced = true`, not true or false
  --> x.toml:5:10
5 | ledger = true
  |          ^^^^)");
}

TEST(TheReaderShows, AResourceThatChecksWhatIsNoBoolean) {
  EXPECT_EQ(with_resource("[resource.ledger]\nfenced = 1"),
            R"(error: `fenced` wants true or false, not a whole number
  --> x.toml:5:10
5 | fenced = 1
  |          ^)");
}

TEST(TheReaderShows, AMistakeInAProgramAndNotTheResourceThatItWritesTo) {
  const std::string text = shown(
      "format = 1\n[resource.ledger]\n[process.A]\nthreads = [[\"lock x\", \"write ledger\", \"unlock x\"]]\n"
      "[process.B]\nthreads = [[\"think 5\"]]\n");
  EXPECT_NE(text.find("think 5"), std::string::npos) << text;
  EXPECT_EQ(text.find("no program writes"), std::string::npos) << text;
}

}  // namespace
}  // namespace lockstep::scenarios
