// How a file looks: lines, functions, length, opening comment, blanks at ends of lines, notes to oneself.
#include <fmt/format.h>

#include <array>
#include <cctype>

#include "tools/tidy/tidy.h"

namespace lockstep::tidy {

namespace {

constexpr std::size_t columns_max = 110;
constexpr int function_lines_max = 60;
constexpr std::size_t file_lines_max = 450;

/// Code points, which is what an editor counts as columns of the texts here.
std::size_t columns(std::string_view line) {
  std::size_t count = 0;
  for (const char c : line) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

bool is_script(const SourceFile& file) { return begins_with(file.text, "#!"); }

bool is_written_here(const SourceFile& file) {
  return is_source(file.path) || ends_with(file.path, ".cmake") || ends_with(file.path, "CMakeLists.txt") ||
         ends_with(file.path, ".md") || is_script(file);
}

void check_lengths(const SourceFile& file, std::vector<Finding>& findings) {
  if (ends_with(file.path, ".md")) return;  // tables cannot be wrapped
  int number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    if (columns(line) <= columns_max) continue;
    const std::string message =
        fmt::format("{} columns, break the line before {}", columns(line), columns_max);
    findings.push_back({file.path, number, message, Rule::line_length});
  }
}

void check_blanks(const SourceFile& file, std::vector<Finding>& findings) {
  const std::string text = is_source(file.path) ? without_strings(file.text) : file.text;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.find('\t') != std::string_view::npos) {
      findings.push_back({file.path, number, "a tab, use spaces", Rule::spaces});
    }
    if (!line.empty() && (line.back() == ' ' || line.back() == '\r')) {
      findings.push_back(
          {file.path, number, "a blank or carriage return at the end, remove it", Rule::spaces});
    }
  }
  if (!text.empty() && text.back() != '\n') {
    findings.push_back({file.path, number, "the last line has no end, add one", Rule::spaces});
  }
}

/// Words with which people put something off. Split here, so that this file does not find itself.
constexpr std::array notes{"TO" "DO", "FIX" "ME", "XX" "X"};

void check_notes(const SourceFile& file, std::vector<Finding>& findings) {
  int number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    for (const std::string_view note : notes) {
      const std::size_t at = line.find(note);
      if (at == std::string_view::npos || !is_word_at(line, at, note)) continue;
      const std::string_view behind = line.substr(at + note.size());
      if (begins_with(behind, "(") && behind.find("): ") != std::string_view::npos) continue;
      const std::string message = fmt::format("{0} without a reason, do it or write {0}(reason): what", note);
      findings.push_back({file.path, number, message, Rule::notes});
    }
  }
}

void check_header(const SourceFile& file, std::vector<Finding>& findings) {
  if (!ends_with(file.path, ".h")) return;
  const std::string name = file.path.substr(file.path.rfind('/') + 1);
  const std::string opening = "// " + name + ": ";
  if (!begins_with(file.text, opening)) {
    findings.push_back({file.path, 1, "a header begins with its purpose, `" + opening + "…`", Rule::header});
  }
  if (code_of(file.text).find("#pragma once") == std::string::npos) {
    findings.push_back({file.path, 1, "no #pragma once, add it behind the opening comment", Rule::header});
  }
}

/// Finds the bodies of functions by what stands before each opening brace.
class Functions {
 public:
  explicit Functions(const SourceFile& file) : file_(file), code_(code_of(file.text)) {}

  void check(std::vector<Finding>& findings) {
    for (const char c : code_) {
      if (c == '\n') ++line_;
      if (c == '{') open();
      else if (c == '}') close(findings);
      else if (c == ';' && !inside_parentheses()) head_.clear();
      else head_ += c;
    }
  }

 private:
  enum class Kind { scope, function, inner };
  struct Brace {
    Kind kind;
    int line;
    std::string
        head;  // what stood before it and goes on behind it, as in a constructor's list of initialisers
  };

  bool inside_parentheses() const {
    int depth = 0;
    for (const char c : head_) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    return depth > 0;
  }

  bool in_function() const {
    for (const Brace& brace : braces_) {
      if (brace.kind != Kind::scope) return true;
    }
    return false;
  }

  bool head_has(std::string_view word) const {
    for (std::size_t at = head_.find(word); at != std::string::npos; at = head_.find(word, at + 1)) {
      if (is_word_at(head_, at, word)) return true;
    }
    return false;
  }

  /// `: member_{…}` behind a constructor's parameters.
  bool initialises_member() const {
    const std::size_t last = head_.find_last_not_of(" \n");
    if (last == std::string::npos || head_[last] == ')') return false;
    const std::size_t colon = head_.find(':', std::min(head_.find(')'), head_.size()));
    if (colon == std::string::npos || head_.substr(colon, 2) == "::") return false;
    return std::isalnum(static_cast<unsigned char>(head_[last])) != 0 || head_[last] == '_' ||
           head_[last] == '>';
  }

  void open() {
    if (in_function()) {
      braces_.push_back({Kind::inner, line_, ""});
    } else if (head_has("namespace") || (head_.find('(') == std::string::npos && is_type())) {
      braces_.push_back({Kind::scope, line_, ""});
    } else if (inside_parentheses() || initialises_member()) {
      braces_.push_back({Kind::inner, line_, head_ + "()"});
    } else if (is_function()) {
      braces_.push_back({Kind::function, line_, ""});
    } else {
      braces_.push_back({Kind::inner, line_, ""});  // a table
    }
    head_.clear();
  }

  /// Parameters, and no `=` before them but that of an operator or of a template's defaults.
  bool is_function() const {
    const std::size_t parameters = head_.find('(');
    if (parameters == std::string::npos) return false;
    return head_has("operator") || head_has("template") || head_.find('=') > parameters;
  }

  bool is_type() const {
    return head_has("class") || head_has("struct") || head_has("union") || head_has("enum");
  }

  void close(std::vector<Finding>& findings) {
    head_.clear();
    if (braces_.empty()) return;
    const Brace brace = braces_.back();
    braces_.pop_back();
    head_ = brace.head;
    const int lines = line_ - brace.line + 1;
    if (brace.kind != Kind::function || lines <= function_lines_max) return;
    const std::string message =
        fmt::format("a function of {} lines, split it by meaning ({} at most)", lines, function_lines_max);
    findings.push_back({file_.path, brace.line, message, Rule::function_length});
  }

  const SourceFile& file_;
  std::string code_;
  std::string head_;
  std::vector<Brace> braces_;
  int line_ = 1;
};

}  // namespace

void check_shape(const SourceFile& file, std::vector<Finding>& findings) {
  if (!is_written_here(file)) return;
  check_lengths(file, findings);
  check_blanks(file, findings);
  check_notes(file, findings);
  check_header(file, findings);
  if (!is_source(file.path)) return;
  Functions(file).check(findings);
  const std::size_t lines = lines_of(file.text).size();
  if (lines > file_lines_max) {
    const std::string message = fmt::format("{} lines, split it by idea ({} at most)", lines, file_lines_max);
    findings.push_back({file.path, 0, message, Rule::file_length});
  }
}

}  // namespace lockstep::tidy
