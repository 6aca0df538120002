// The manual as a man page and as HTML is taken by the programs that read such.
#include <gmock/gmock.h>

#include <regex>

#include "tools/cli/cli_fixture.h"
#include "tools/cli/help_texts.h"
#include "tools/cli/verb.h"
#include "tools/manual/manual.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Manual : public CliTest {};

TEST_F(Manual, TheManPageNamesEveryVerbAndTopicAndTheExitCodes) {
  const std::string text = man_page();
  EXPECT_EQ(text.rfind(".TH LOCKSTEP 1", 0), 0u);
  for (const char* part : {".SH\nNAME", ".SH\nSYNOPSIS", ".SH\nEXIT STATUS", ".SH\nSEE ALSO"})
    EXPECT_THAT(text, HasSubstr(part));
  const auto in_roff = [](std::string_view name) {
    return std::regex_replace(std::string(name), std::regex("-"), "\\-");
  };
  for (const Verb& verb : verbs()) EXPECT_THAT(text, HasSubstr("lockstep " + in_roff(verb.name)));
  for (const sim::EmbeddedFile& page : help_texts())
    EXPECT_THAT(text, HasSubstr("help " + in_roff(topic_of(page))));
}

TEST_F(Manual, ManItselfReadsTheManPage) {
  if (!std::filesystem::exists("/usr/bin/man")) GTEST_SKIP() << "man is not installed";
  const std::string page = file("lockstep.1", man_page());
  const Finished it = run_program("/usr/bin/man", {"--warnings", "-l", page}, {.directory = at("")});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_EQ(it.err, "");
  EXPECT_THAT(it.out, HasSubstr("SYNOPSIS"));
}

TEST_F(Manual, TheHtmlIsWellFormedAndItsLinksHaveTheirPlaces) {
  const std::string html = html_manual();
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_FALSE(std::regex_search(html, std::regex("(href|src)=\"(https?:)?//")));
  const std::regex link("href=\"#([^\"]+)\"");
  std::size_t links = 0;
  for (std::sregex_iterator it(html.begin(), html.end(), link), end; it != end; ++it, ++links)
    EXPECT_THAT(html, HasSubstr("<section id=\"" + (*it)[1].str() + "\">"));
  EXPECT_EQ(links, verbs().size() + help_texts().size());
  const Finished it = run_program("/usr/bin/xmllint", {"--html", "--noout", file("manual.html", html)});
  EXPECT_THAT(it.err, Not(HasSubstr("mismatch"))) << it.err;
}

TEST_F(Manual, TablesOfPagesAreTablesAndCodeStaysAsItIs) {
  const std::string html = html_manual();
  EXPECT_THAT(html, HasSubstr("<th>step</th>"));
  EXPECT_THAT(html, HasSubstr("format  = 1"));
  EXPECT_THAT(html, Not(HasSubstr("|---|")));
}

TEST_F(Manual, AWholeManualHasNoTopic) {
  const Finished it = lockstep({"help", "scenario", "--as", "html"});
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, HasSubstr("takes no TOPIC"));
  EXPECT_EQ(it.out, "");
}

}  // namespace
}  // namespace lockstep::tools
