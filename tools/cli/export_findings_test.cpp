// The files that other tools read of a check or a gate: each valid by the rules of its format, whatever the
// names in it are.
#include "tools/cli/export_findings.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/files/trace_file.h"
#include "reports/text/text.h"
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ExportJson = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

/// What may be in the name of anything.
const std::vector<std::string> hostile_names = {"</script><script>alert(1)</script>",
                                                "a \" b ' c & d < e > f",
                                                "line\nend\r\n::error::x",
                                                "tab\t#;%0A|`*_[x](y)",
                                                "\xE2\x80\xAE"
                                                "gnirts",
                                                std::string("\x01\x00\x1b[31m", 7),
                                                "\xff\xfe broken",
                                                std::string(10'000, 'x'),
                                                "../../../etc/passwd",
                                                "]]>-->",
                                                "``` ~~~ $(rm -rf /)",
                                                ""};

reports::Findings hostile_findings(const std::string& name, const sim::Trace& trace) {
  reports::Findings findings{.command = "gate", .about = name + " → " + name};
  findings.scenarios = 1;
  findings.changed = {{.role = name, .file = name, .added = 1, .removed = 1, .sent = false}};
  findings.trails = {name};
  findings.notes = {name};
  for (const char* outcome : {"regressed", "accepted", "unknown", "fixed", "same"}) {
    reports::Finding one{.scenario = name, .property = name, .promise = name, .outcome = outcome};
    one.weight = one.outcome == "regressed" ? reports::Weight::failed
                 : one.outcome == "unknown" ? reports::Weight::unknown
                                            : reports::Weight::fine;
    one.base = "proved";
    one.head = "violated";
    one.why = one.reason = name;
    one.until = "2027-06-30";
    one.steps = 3;
    one.story = "  1  " + reports::printable(name) + "\n";
    one.replay = "lockstep replay " + reports::shell_word(name);
    one.trail_file = one.trace_file = one.scenario_file = one.role = name;
    one.script_files[name] = name;
    one.line = 7;
    one.trace = trace;
    findings.all.push_back(std::move(one));
  }
  findings.weight = reports::Weight::failed;
  return findings;
}

/// A trace in which every name is the hostile one.
sim::Trace hostile_trace(const std::string& name) {
  sim::Trace trace;
  const auto add = [&](sim::TraceKind kind) -> sim::TraceEvent& {
    sim::TraceEvent& event = trace.events.emplace_back();
    event.index = static_cast<std::int64_t>(trace.events.size());
    event.kind = kind;
    event.who = event.from = event.to = event.lock = event.act = event.name = event.why = name;
    return event;
  };
  sim::TraceEvent& eval = add(sim::TraceKind::eval);
  eval.script = name;
  eval.line = 7;
  eval.keys = eval.argv = {name};
  eval.ret = name;
  add(sim::TraceKind::enter);
  add(sim::TraceKind::prop);
  return trace;
}

// ---- the dialect of Jenkins: elements, attributes and order that its reader knows

constexpr const char* junit_dialect = R"(<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
 <xs:complexType name="told" mixed="true">
  <xs:attribute name="type"/><xs:attribute name="message"/>
 </xs:complexType>
 <xs:element name="testsuites"><xs:complexType>
  <xs:sequence><xs:element ref="testsuite" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  <xs:attribute name="name"/>
  <xs:attribute name="tests" type="xs:nonNegativeInteger"/>
  <xs:attribute name="failures" type="xs:nonNegativeInteger"/>
  <xs:attribute name="errors" type="xs:nonNegativeInteger"/>
 </xs:complexType></xs:element>
 <xs:element name="testsuite"><xs:complexType>
  <xs:sequence><xs:element ref="testcase" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  <xs:attribute name="name" use="required"/>
  <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
  <xs:attribute name="failures" type="xs:nonNegativeInteger"/>
  <xs:attribute name="errors" type="xs:nonNegativeInteger"/>
  <xs:attribute name="skipped" type="xs:nonNegativeInteger"/>
 </xs:complexType></xs:element>
 <xs:element name="testcase"><xs:complexType>
  <xs:choice minOccurs="0" maxOccurs="unbounded">
   <xs:element name="skipped" type="told"/><xs:element name="error" type="told"/>
   <xs:element name="failure" type="told"/><xs:element name="system-out" type="xs:string"/>
  </xs:choice>
  <xs:attribute name="name" use="required"/><xs:attribute name="classname"/>
 </xs:complexType></xs:element>
</xs:schema>
)";

// ---- SARIF 2.1.0: which members an object of a kind may have, `!` those that it must have, and their kinds

const std::map<std::string, std::map<std::string, std::string>> sarif_members = {
    {"log", {{"$schema", "text"}, {"version!", "text"}, {"runs!", "[run"}}},
    {"run",
     {{"tool!", "tool"},
      {"invocations", "[invocation"},
      {"automationDetails", "details"},
      {"results", "[result"}}},
    {"tool", {{"driver!", "component"}}},
    {"component",
     {{"name!", "text"}, {"informationUri", "text"}, {"semanticVersion", "text"}, {"rules", "[rule"}}},
    {"rule", {{"id!", "text"}, {"shortDescription", "said"}, {"fullDescription", "said"}, {"help", "said"}}},
    {"invocation", {{"executionSuccessful!", "flag"}, {"toolExecutionNotifications", "[notification"}}},
    {"notification", {{"level", "text"}, {"message!", "message"}}},
    {"details", {{"id", "text"}}},
    {"result",
     {{"ruleId", "text"},
      {"level", "text"},
      {"message!", "message"},
      {"locations!", "[location"},  // GitHub refuses a result without one
      {"partialFingerprints", "prints"},
      {"codeFlows", "[flow"},
      {"suppressions", "[suppression"}}},
    {"suppression", {{"kind!", "text"}, {"justification", "text"}}},
    {"prints", {{"lockstepViolation/v1", "text"}}},
    {"location", {{"message", "message"}, {"physicalLocation", "physical"}}},
    {"physical", {{"artifactLocation", "artifact"}, {"region", "region"}}},
    {"artifact", {{"uri", "text"}}},
    {"region",
     {{"startLine", "place"}, {"startColumn", "place"}, {"endLine", "place"}, {"endColumn", "place"}}},
    {"flow", {{"threadFlows!", "[thread"}}},
    {"thread", {{"id", "text"}, {"locations!", "[step"}}},
    {"step", {{"location", "location"}, {"executionOrder", "place"}}},
    {"said", {{"text!", "text"}}},
    {"message", {{"text", "text"}}},
};

void expect_shape(const ExportJson& value, const std::string& kind, const std::string& where) {
  if (kind == "text") {
    ASSERT_TRUE(value.is_string()) << where;
    EXPECT_LE(value.get<std::string>().size(), 30'000u) << where;
    return;
  }
  if (kind == "flag" || kind == "place") {
    EXPECT_TRUE(kind == "flag" ? value.is_boolean() : value.is_number_unsigned() && value >= 1u) << where;
    return;
  }
  if (kind.front() == '[') {
    ASSERT_TRUE(value.is_array()) << where;
    EXPECT_LE(value.size(), 5'000u) << where;
    for (std::size_t i = 0; i < value.size(); ++i)
      expect_shape(value[i], kind.substr(1), where + "/" + std::to_string(i));
    return;
  }
  ASSERT_TRUE(value.is_object()) << where;
  const auto& members = sarif_members.at(kind);
  for (const auto& [name, of_kind] : members)
    if (name.ends_with('!')) {
      EXPECT_TRUE(value.contains(name.substr(0, name.size() - 1))) << where << " " << name;
    }
  for (const auto& [name, member] : value.items()) {
    auto known = members.find(name);
    if (known == members.end()) known = members.find(name + "!");
    ASSERT_NE(known, members.end()) << where << " has " << name;
    expect_shape(member, known->second, where + "/" + name);
  }
}

void expect_uris_to_stay(const ExportJson& value) {
  if (value.is_object() && value.contains("uri")) {
    for (const char c : value["uri"].get<std::string>())
      EXPECT_TRUE(c > ' ' && c < 0x7f && std::string_view("<>\"`{}|\\^").find(c) == std::string_view::npos);
  }
  if (value.is_structured())
    for (const ExportJson& inner : value) expect_uris_to_stay(inner);
}

class Exports : public CliTest {
 protected:
  /// Errors of xmllint, which knows XML; nothing if the file is as it must be.
  std::string xml_errors(const std::string& path, const std::vector<std::string>& how) const {
    std::vector<std::string> words = how;
    words.insert(words.end(), {"--noout", "--huge", path});
    const Finished it = run_program("/usr/bin/xmllint", words);
    return it.status == 0 ? "" : it.err + it.out;
  }
};

TEST_F(Exports, AreValidWhateverTheNamesAre) {
  const std::string schema = file("junit.xsd", junit_dialect);
  for (const std::string& name : hostile_names) {
    const reports::Findings findings = hostile_findings(name, hostile_trace(name));
    const std::string shown = reports::cut(reports::printable(name), 60);
    EXPECT_EQ(xml_errors(file("j.xml", reports::findings_junit(findings)), {"--schema", schema}), "")
        << shown;
    const ExportJson sarif = ExportJson::parse(reports::findings_sarif(findings));
    expect_shape(sarif, "log", shown);
    expect_uris_to_stay(sarif);
    EXPECT_EQ(sarif["runs"][0]["results"].size(), 3u) << "regressed, accepted, unknown";
    EXPECT_EQ(ExportJson::parse(reports::findings_json(findings))["findings"].size(), 5u) << shown;
    for (const auto& text : {reports::findings_text(findings, false), reports::findings_markdown(findings),
                             reports::findings_html(findings), reports::findings_annotations(findings)}) {
      EXPECT_TRUE(reports::valid_utf8(text)) << shown;
      for (const char* never : {"\x01", "\x1b", "\r", "\xE2\x80\xAE"})
        EXPECT_THAT(text, Not(HasSubstr(never)));
    }
    EXPECT_THAT(reports::findings_html(findings), Not(HasSubstr("<script>"))) << shown;
    EXPECT_EQ(xml_errors(file("p.html", reports::findings_html(findings)), {"--html"}), "") << shown;
  }
}

TEST_F(Exports, ALineOfAnnotationsIsACommandOfOurs) {
  for (const std::string& name : hostile_names) {
    const std::string text = reports::findings_annotations(hostile_findings(name, hostile_trace(name)));
    std::size_t lines = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1, ++lines)
      EXPECT_TRUE(text.compare(at, 8, "::error ") == 0 || text.compare(at, 10, "::warning ") == 0)
          << text.substr(at, 80);
    EXPECT_EQ(lines, 2u) << "one regressed, one unknown";
  }
}

TEST(Annotations, AreAsManyAsGithubShows) {
  reports::Findings findings = hostile_findings("x", {});
  for (int i = 0; i < 14; ++i) findings.all.push_back(findings.all.front());
  const std::string text = reports::findings_annotations(findings);
  std::size_t errors = 0;
  for (std::size_t at = text.find("::error "); at != std::string::npos; at = text.find("::error ", at + 1))
    ++errors;
  EXPECT_EQ(errors, 10u);
  EXPECT_THAT(text, HasSubstr("::notice::and 5 more\n"));
}

TEST(Markdown, StaysWithinAJobSummary) {
  sim::Trace trace = hostile_trace("lock");
  for (int i = 0; i < 3'000; ++i) trace.events.push_back(trace.events[static_cast<std::size_t>(i % 2)]);
  reports::Findings findings = hostile_findings("x", trace);
  findings.all.front().story = std::string(300'000, 'y');
  for (int i = 0; i < 9; ++i) findings.all.push_back(findings.all.front());
  const std::string text = reports::findings_markdown(findings);
  EXPECT_LT(text.size(), std::size_t{1} << 20);
  EXPECT_THAT(text, HasSubstr("more stories were left out"));
}

TEST_F(Exports, OfACheckHoldItsExpectations) {
  file("bad.lua", "redis.call('del', KEYS[1])\nredis.call('publish', KEYS[2], ARGV[1])\nreturn 1\n");
  const Finished it =
      here({"check", "plain/not-the-owner", "--scripts", "unlock=bad.lua", "--export", "junit=o/j.xml",
            "--export", "sarif=o/a/s.json", "--export", "json=o/f.json", "--export", "md=o/m.md", "--export",
            "html=o/h.html", "--export", "github=o/g.txt"});
  EXPECT_EQ(it.status, 1) << it.err;
  EXPECT_EQ(xml_errors(at("o/j.xml"), {"--schema", file("junit.xsd", junit_dialect)}), "");
  EXPECT_THAT(content(at("o/j.xml")), HasSubstr("<failure type=\"not as expected\""));
  const ExportJson sarif = ExportJson::parse(content(at("o/a/s.json")));
  expect_shape(sarif, "log", "check");
  const ExportJson& place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "bad.lua");
  EXPECT_EQ(place["region"]["startLine"], 1) << "the line of the DEL, not that of the PUBLISH";
  EXPECT_THAT(content(at("o/m.md")), HasSubstr("sequenceDiagram"));
  EXPECT_THAT(content(at("o/g.txt")), HasSubstr("::error file=bad.lua,line=1,"));
}

TEST_F(Exports, OfWhatIsAsExpectedAreGreen) {
  const Finished it =
      here({"check", "plain/two-clients", "--export", "junit=j.xml", "--export", "sarif=s.json"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(content(at("j.xml")), HasSubstr("failures=\"0\" errors=\"0\""));
  EXPECT_TRUE(ExportJson::parse(content(at("s.json")))["runs"][0]["results"].empty());
}

TEST_F(Exports, SayOnceThatASearchWasReduced) {
  const std::string note = "orders of moves that come to the same were left out (--reduce)";
  for (const bool reduced : {false, true}) {
    std::vector<std::string> words{"check", "plain/two-clients", "plain/three-clients"};
    for (const char* kind : {"junit", "md", "html", "json", "sarif"})
      words.insert(words.end(), {"--export", std::string(kind) + "=r." + kind});
    if (reduced) words.emplace_back("--reduce");
    EXPECT_EQ(here(words).status, 0);
    for (const char* kind : {"junit", "md", "html", "json", "sarif"}) {
      const std::string text = content(at(std::string("r.") + kind));
      const std::size_t first = text.find(kind == std::string("md") ? "orders of moves" : note);
      EXPECT_EQ(first != text.npos, reduced) << kind << text;
      EXPECT_TRUE(!reduced || text.find("orders of moves", first + 1) == text.npos) << kind;
    }
  }
}

}  // namespace
}  // namespace lockstep::tools
