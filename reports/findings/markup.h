// markup.h: text within XML, HTML and Markdown.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::reports {

/// Printable text, with what XML and HTML give a meaning written as entities.
std::string markup_text(std::string_view text);
/// The same of what is printable already, and may have lines.
std::string markup_lines(std::string_view lines);
/// Printable text that means nothing to GitHub's Markdown, also in a cell of a table.
std::string markdown_text(std::string_view text);
/// A block of code that its text cannot end.
std::string markdown_block(std::string_view lines, std::string_view language = "");

}  // namespace lockstep::reports
