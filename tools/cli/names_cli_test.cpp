// Names of scenarios, processes, locks, keys and files may hold blanks, braces, colons, quotes and whatever
// is not ASCII, in every command; and no name leads out of the folder for what is found.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

class NamesCli : public CliTest {
 protected:
  static std::string line_with(const std::string& text, const std::string& word) {
    const std::size_t at = text.find("lockstep", text.find("  " + word + "  "));
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  }
};

const std::string odd = R"(format = 1
name = "größe {1}: it's/a b"
about = "two are inside"
[process."my shop: ö {1}"]
threads = [["lock 'my orders {42}: ß' lease=1s", "work 3s", "unlock 'my orders {42}: ß'"]]
[process."A to R0/1 | x"]
threads = [["start 2s", "lock 'my orders {42}: ß'", "work 3s", "unlock 'my orders {42}: ß'"],
           ["lock plain:accounts:{42}", "unlock 'accounts:{42}'"]]
[faults]
fixed = ["pause 'A to R0/1 | x' at 9s"]
[expect]
mutual-exclusion = "violated"
no-uncaught-exception = "violated"
)";

TEST_F(NamesCli, HoldAnythingInEveryCommand) {
  const std::string scenario = "größe [2] it's.toml";
  file(scenario, odd);
  ASSERT_EQ(here({"lint", scenario}).status, 0) << here({"lint", scenario}).err;
  const std::string normal = here({"lint", scenario, "--print", "normalised"}).out;
  EXPECT_EQ(here({"lint", file("again.toml", normal), "--print", "normalised"}).out, normal);
  const Finished it = here({"check", scenario, "--out-dir", "o u:t {ö}'s", "--max-states", "200000"});
  ASSERT_EQ(it.status, 0) << it.out << it.err;
  EXPECT_TRUE(std::filesystem::exists(at("o u:t {ö}'s/größe {1}: it's/a b/mutual-exclusion.trail")));
  const Finished again = typed(line_with(it.out, "replay"));
  EXPECT_EQ(again.status, 0) << line_with(it.out, "replay") << again.out << again.err;
  EXPECT_EQ(typed(line_with(it.out, "look")).status, 0) << line_with(it.out, "look");
  const std::string trace = "o u:t {ö}'s/größe {1}: it's/a b/mutual-exclusion.jsonl";
  for (const char* kind : {"sequence", "timeline", "states"})
    EXPECT_EQ(here({"graph", trace, "--scenario", scenario, "--kind", kind, "-o", "b {1}: ö.svg"}).status, 0);
  EXPECT_EQ(here({"shrink", trace, "--scenario", scenario, "-o", "s m:l.trail"}).status, 0);
  EXPECT_EQ(here({"replay", "s m:l.trail", "--scenario", scenario}).status, 0);
  const auto json = nlohmann::json::parse(here({"check", scenario, "--format", "json"}).out);
  EXPECT_EQ(json[0]["scenario"], "größe {1}: it's/a b");
}

TEST_F(NamesCli, ARandomScheduleIsWrittenAndReadWithThem) {
  file("odd.toml", odd);
  for (const char* seed : {"1", "2", "3"}) {
    EXPECT_EQ(here({"run", "odd.toml", "--seed", seed, "-o", "r.trail"}).status, 0);
    const Finished it = here({"replay", "r.trail", "--scenario", "odd.toml"});
    EXPECT_EQ(it.status, 0) << it.out << it.err;
  }
}

TEST_F(NamesCli, NoneLeadsOutOfTheFolderForWhatIsFound) {
  std::string text = odd;
  text.replace(text.find("größe {1}: it's/a b"), std::string("größe {1}: it's/a b").size(), "../../x");
  expect_one_sentence(here({"check", file("out.toml", text)}), "a name with ..");
  // A file's name stands in for one that is not given.
  text.erase(text.find("name"), text.find('\n', text.find("name")) - text.find("name"));
  for (const char* name : {"...toml", ".toml", "a\nb.toml", "\xff.toml", " x .toml"}) {
    const Finished it = here({"check", file(name, text)});
    EXPECT_EQ(it.status, 0) << name << it.err;
    const Finished again = typed(line_with(it.out, "replay"));
    EXPECT_EQ(again.status, 0) << line_with(it.out, "replay") << again.err;
  }
  EXPECT_FALSE(std::filesystem::exists(directory_.parent_path() / "mutual-exclusion.trail"));
  EXPECT_FALSE(std::filesystem::exists(at("mutual-exclusion.trail")));
}

TEST_F(NamesCli, ALockWithAHashTagPublishesOnTheChannelOfThatTag) {
  file("odd.toml", odd);
  EXPECT_THAT(here({"run", "odd.toml", "--monitor"}).out, HasSubstr("\"accounts:{42}\""));
}

}  // namespace
}  // namespace lockstep::tools
