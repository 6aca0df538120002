// `lockstep compare`, run as a user runs it.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

class CompareCli : public CliTest {};

TEST_F(CompareCli, AsksTwelveQuestionsAndKeepsWhatBreaks) {
  const Finished it = here({"compare", "set-nx-px-del", "--max-states", "500", "--format", "json"});
  ASSERT_EQ(it.status, 0) << it.err;
  const auto all = nlohmann::json::parse(it.out);
  EXPECT_EQ(all["questions"].size(), 12u);
  ASSERT_EQ(all["rows"].size(), 1u);
  const auto& cells = all["rows"][0]["cells"];
  EXPECT_EQ(cells["excludes"]["verdict"], "proved");
  EXPECT_EQ(cells["reentrant"]["verdict"], "not offered");
  EXPECT_EQ(cells["own"]["verdict"], "violated");
  EXPECT_EQ(cells["own"]["property"], "owner-only");
  const Finished again = here({"replay", cells["own"]["trail"].get<std::string>(), "--scenario",
                               cells["own"]["scenario"].get<std::string>()});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_GT(all["rows"][0]["contended"]["commands"], all["rows"][0]["alone"]["commands"]);
}

TEST_F(CompareCli, AnUnknownSchemeIsAMistake) {
  const Finished it = here({"compare", "no-such"});
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, HasSubstr("there is no scheme `no-such`"));
}

TEST_F(CompareCli, RowsOfOneNameAndFilesWithoutASchemeAreMistakes) {
  const Finished twice = here({"compare", "set-nx-px", "set-nx-px"});
  EXPECT_EQ(twice.status, 2);
  EXPECT_THAT(twice.err, HasSubstr("two schemes are called `set-nx-px`"));
  const Finished empty = here({"compare", file("none.scheme", "format = 1\n")});
  EXPECT_EQ(empty.status, 2);
  EXPECT_THAT(empty.err, HasSubstr("none.scheme has no [scheme.NAME]"));
}

}  // namespace
}  // namespace lockstep::tools
