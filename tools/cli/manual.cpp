#include "tools/cli/manual.h"

#include <fmt/format.h>

#include "model/world/faults/table.h"
#include "model/world/moves_help.h"
#include "tools/cli/cmd_version.h"
#include "tools/cli/command_line.h"
#include "tools/cli/help_texts.h"

namespace lockstep::tools {

namespace {

/// Text of a line of roff: no command can begin in it.
std::string roff(std::string_view text) {
  std::string safe;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '\\') safe += "\\e";
    else if (c == '-') safe += "\\-";
    else safe += c;
    line_begins = c == '\n';
  }
  return safe;
}

std::string roff_options(const Verb* verb) {
  std::string text;
  for (const OfferedOption& one : options_of(verb)) {
    if (one.names.empty()) continue;
    text += fmt::format(".TP\n\\fB{}\\fR{}{}\n{}\n", roff(fmt::format("{}", fmt::join(one.names, ", "))),
                        one.value.empty() ? "" : " ", roff(one.value), roff(one.about));
  }
  return text;
}

std::string html(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') safe += "&amp;";
    else if (c == '<') safe += "&lt;";
    else if (c == '>') safe += "&gt;";
    else safe += c;
  }
  return safe;
}

void append_section(std::string& contents, std::string& body, const std::string& id,
                    const std::string& title, std::string_view text) {
  contents += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id, html(title));
  body += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<pre>{}</pre>\n</section>\n", id, html(title),
                      html(text));
}

}  // namespace

std::string topic_text(std::string_view page) {
  const std::pair<std::string_view, std::string> tables[] = {{"{faults}\n", model::faults_help({})},
                                                             {"{moves}\n", model::moves_help({})}};
  std::string text(page);
  for (const auto& [mark, table] : tables)
    if (const std::size_t at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), table);
  return text;
}

std::string man_page() {
  std::string text = fmt::format(
      ".TH LOCKSTEP 1 \"\" \"{}\"\n"
      ".SH NAME\nlockstep \\- simulation and verification of Redis lock protocols\n"
      ".SH SYNOPSIS\n.B lockstep\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH COMMANDS\n",
      version_line());
  for (const Verb& verb : verbs()) {
    text += fmt::format(".SS lockstep {} {}\n{}.\n", verb.name, roff(verb.usage), roff(verb.summary));
    text += roff_options(&verb) + ".PP\n.nf\n";
    for (const std::string_view example : verb.examples) text += roff(example) + "\n";
    text += ".fi\n";
  }
  text += ".SH OPTIONS OF EVERY COMMAND\n" + roff_options(nullptr) + ".SH EXIT STATUS\n.nf\n";
  for (const sim::EmbeddedFile& page : help_texts())
    if (topic_of(page) == "exit-codes") text += roff(page.text);
  text += ".fi\n.SH SEE ALSO\n\\fBlockstep help\\fR \\fITOPIC\\fR, of:";
  for (const sim::EmbeddedFile& page : help_texts()) text += " " + roff(topic_of(page));
  return text + "\n";
}

std::string html_manual() {
  std::string contents, body;
  for (const Verb& verb : verbs())
    append_section(contents, body, "command-" + std::string(verb.name), "lockstep " + std::string(verb.name),
                   verb_help(verb));
  for (const sim::EmbeddedFile& page : help_texts())
    append_section(contents, body, std::string(topic_of(page)), std::string(topic_of(page)),
                   topic_text(page.text));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>The manual of {0}</title>\n"
      "<style>body {{ max-width: 75em; margin: auto; font-family: sans-serif }} "
      "nav ul {{ columns: 4; list-style: none }}</style>\n</head>\n<body>\n<h1>The manual of {0}</h1>\n"
      "<nav><ul>\n{1}</ul></nav>\n{2}</body>\n</html>\n",
      html(version_line()), contents, body);
}

}  // namespace lockstep::tools
