#include "tools/manual/manual.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "model/world/faults/table.h"
#include "model/world/moves_help.h"
#include "sim/base/verify.h"
#include "tools/cli/cmd_version.h"
#include "tools/cli/command_line.h"
#include "tools/cli/help_texts.h"

namespace lockstep::tools {

namespace {

struct Freed {
  void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
  void operator()(cmark_node* node) const { cmark_node_free(node); }
  void operator()(char* text) const { std::free(text); }
};
template <class T>
using Owned = std::unique_ptr<T, Freed>;

/// A text in Markdown as roff or as HTML.
enum class Rendered { roff, html };

std::string rendered(const std::string& markdown, Rendered as) {
  cmark_gfm_core_extensions_ensure_registered();
  cmark_syntax_extension* const tables = cmark_find_syntax_extension("table");
  VERIFY(tables != nullptr);
  const Owned<cmark_parser> parser(cmark_parser_new(CMARK_OPT_DEFAULT));
  cmark_parser_attach_syntax_extension(parser.get(), tables);
  cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
  const Owned<cmark_node> document(cmark_parser_finish(parser.get()));
  const Owned<char> text(as == Rendered::roff
                             ? cmark_render_man(document.get(), CMARK_OPT_DEFAULT, 0)
                             : cmark_render_html(document.get(), CMARK_OPT_DEFAULT,
                                                 cmark_parser_get_syntax_extensions(parser.get())));
  return text.get();
}

/// A program's words inside a text in Markdown.
std::string code(std::string_view words) { return fmt::format("`{}`", words); }

std::string options_as_table(const std::vector<ShownOption>& options) {
  std::string rows;
  for (const ShownOption& option : options) {
    std::string value = option.positional() ? "" : option.value;
    for (std::size_t at = 0; (at = value.find('|', at)) != value.npos; at += 2) value.insert(at, "\\");
    rows += fmt::format("| {}{}{} | {} |\n", code(fmt::format("{}", fmt::join(option.names, ", "))),
                        value.empty() ? "" : " ", value, option.about);
  }
  return rows.empty() ? "" : "| option | |\n|---|---|\n" + rows;
}

/// Lists of options read better in roff than tables do.
std::string options_as_list(const std::vector<ShownOption>& options) {
  std::string list;
  for (const ShownOption& option : options)
    if (!option.positional())
      list += fmt::format("- **{}**{}{}: {}\n", fmt::join(option.names, "**, **"),
                          option.value.empty() ? "" : " ", option.value, option.about);
  return list + "\n";
}

/// The headings of a page one level further down: the page is a part of something.
std::string lowered(std::string_view page) {
  std::string text;
  bool in_code = false;
  for (std::size_t from = 0; from < page.size();) {
    const std::size_t to = std::min(page.find('\n', from), page.size() - 1) + 1;
    const std::string_view line = page.substr(from, to - from);
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code && line.starts_with('#')) text += '#';
    text += line;
    from = to;
  }
  return text;
}

/// A page without its title; the rows of its table as a list, since a man page is narrow.
std::string narrow(std::string_view page) {
  std::string text;
  for (std::size_t from = page.find('\n') + 1; from < page.size();) {
    const std::size_t to = std::min(page.find('\n', from), page.size() - 1) + 1;
    const std::string_view line = page.substr(from, to - from);
    from = to;
    if (!line.starts_with("| ")) {
      if (!line.starts_with("|")) text += line;
      continue;
    }
    const std::size_t second = line.find(" | "), end = line.rfind(" |");
    if (!line.starts_with("| code "))
      text += fmt::format("- **{}**: {}\n", line.substr(2, second - 2),
                          line.substr(second + 3, end - second - 3));
  }
  return text;
}

constexpr std::string_view look = R"(<style>
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 16px/1.5 sans-serif; }
nav { columns: 12rem; } nav a { display: block; }
code, pre { font-family: monospace; background: #f3f3f0; } pre { padding: .6rem; overflow-x: auto; }
table { border-collapse: collapse; }
td, th { border: 1px solid #ccc; padding: .2rem .5rem; text-align: left; }
section { border-top: 2px solid #888; margin-top: 2rem; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1b; color: #ddd; } code, pre { background: #2a2a2a; } a { color: #8bf; }
}
</style>
)";

std::string section(std::string_view id, const std::string& html) {
  return fmt::format("<section id=\"{}\">\n{}</section>\n", id, html);
}

std::string html_of_verb(const Verb& verb) {
  std::string text =
      fmt::format("# lockstep {}\n\nlockstep {}: {}\n\n```\n", verb.name, verb.name, verb.summary);
  for (const std::string_view example : verb.examples) text += fmt::format("{}\n", example);
  return rendered(text + "```\n\n" + options_as_table(options_of(verb)), Rendered::html);
}

}  // namespace

std::string filled_page(const sim::EmbeddedFile& page) {
  const std::pair<std::string_view, std::string> tables[] = {{"{faults}\n", model::faults_help({})},
                                                             {"{moves}\n", model::moves_help({})}};
  std::string text(page.text);
  for (const auto& [mark, table] : tables)
    if (const std::size_t at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), table);
  return text;
}

std::string man_page() {
  std::string text =
      "# NAME\n\nlockstep - simulation and verification of Redis lock protocols\n\n# SYNOPSIS\n\n"
      "**lockstep** *COMMAND* [*OPTIONS*]\n\n# DESCRIPTION\n\n"
      "Lockstep runs Redis lock scripts under every schedule, and shows the one that breaks them.\n\n"
      "# COMMANDS\n\n";
  for (const Verb& verb : verbs()) {
    text += fmt::format("## lockstep {} {}\n\n{}.\n\n", verb.name, verb.usage, verb.summary);
    text += options_as_list(options_of(verb));
  }
  text += "# OPTIONS OF EVERY COMMAND\n\n" + options_as_list(options_of_every_verb());
  std::string topics;
  for (const sim::EmbeddedFile& page : help_texts()) {
    if (topic_of(page) == "exit-codes") text += "# EXIT STATUS\n\n" + narrow(page.text) + "\n";
    topics += fmt::format("- **lockstep help {}**\n", topic_of(page));
  }
  text += "# SEE ALSO\n\n" + topics;
  return fmt::format(".TH LOCKSTEP 1 \"\" \"{}\" \"Lockstep\"\n", version_line()) +
         rendered(text, Rendered::roff);
}

std::string html_manual() {
  std::string links, sections;
  for (const sim::EmbeddedFile& page : help_texts()) {
    links += fmt::format("<a href=\"#{0}\">{0}</a>\n", topic_of(page));
    sections += section(topic_of(page), rendered(lowered(filled_page(page)), Rendered::html));
  }
  for (const Verb& verb : verbs()) {
    links += fmt::format("<a href=\"#lockstep-{0}\">lockstep {0}</a>\n", verb.name);
    sections += section(fmt::format("lockstep-{}", verb.name), html_of_verb(verb));
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}: the manual</title>\n{1}</head>\n"
      "<body>\n<h1>{0}</h1>\n<nav>\n{2}</nav>\n{3}</body></html>\n",
      version_line(), look, links, sections);
}

}  // namespace lockstep::tools
