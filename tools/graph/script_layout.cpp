#include "tools/graph/script_layout.h"

#include <algorithm>
#include <array>

#include "tools/graph/script_words.h"

namespace lockstep::tools {

namespace {

using namespace std::string_view_literals;

constexpr std::array begins_statement{"break"sv,  "for"sv,    "if"sv,   "local"sv,
                                      "repeat"sv, "return"sv, "while"sv};
constexpr std::array goes_out{"else"sv, "elseif"sv, "end"sv, "until"sv};
constexpr std::array goes_in{"do"sv, "else"sv, "repeat"sv, "then"sv};

template <class Words>
bool among(const ScriptWord& word, const Words& words) {
  return word.kind == WordKind::keyword && std::find(words.begin(), words.end(), word.text) != words.end();
}

/// Whether a name or `function` that follows can only begin a new statement.
bool ends_expression(const ScriptWord& word) {
  if (word.kind == WordKind::name || word.kind == WordKind::number || word.kind == WordKind::string)
    return true;
  for (const std::string_view end : {")"sv, "]"sv, "}"sv, "..."sv, "end"sv, "nil"sv, "true"sv, "false"sv})
    if (word.is(end)) return true;
  return false;
}

class LayoutWriter {
 public:
  explicit LayoutWriter(std::string_view script) : words_(words_of_script(script)) {}

  ScriptLayout write() {
    const ScriptWord* before = nullptr;
    for (const ScriptWord& word : words_) {
      put(word, before);
      before = &word;
    }
    break_line();
    while (!blocks_.empty()) close_block();
    return std::move(layout_);
  }

 private:
  /// What is open: whose last line is not known yet.
  enum class Of : std::uint8_t { branch, function, other };
  struct Block {
    Of of = Of::other;
    std::size_t number = 0;
  };

  void put(const ScriptWord& word, const ScriptWord* before) {
    const bool names = word.kind == WordKind::name || word.is("function");
    if (word.kind == WordKind::comment || among(word, begins_statement) || among(word, goes_out) ||
        (names && before && ends_expression(*before)))
      break_line();
    if (among(word, goes_out)) close_block();
    if (word.is("if") || word.is("elseif")) conditions_.push_back(line_number());
    append(word, before);
    if (word.is("then") && !conditions_.empty()) {
      layout_.branches.push_back({conditions_.back(), line_number(), line_number() + 1, 0});
      conditions_.pop_back();
      blocks_.push_back({Of::branch, layout_.branches.size() - 1});
    } else if (among(word, goes_in)) {
      blocks_.push_back({});
    }
    const bool body = ends_parameters(word);
    if (body) {
      layout_.functions.push_back({line_number() + 1, 0});
      blocks_.push_back({Of::function, layout_.functions.size() - 1});
    }
    if (body || among(word, goes_in) || word.is(";") || word.kind == WordKind::comment) break_line();
  }

  void close_block() {
    if (blocks_.empty()) return;
    const auto [of, number] = blocks_.back();
    if (of == Of::branch) layout_.branches[number].body_last = line_number() - 1;
    if (of == Of::function) layout_.functions[number].last = line_number() - 1;
    blocks_.pop_back();
  }

  /// The body of a function begins behind its parameters.
  bool ends_parameters(const ScriptWord& word) {
    if (word.is("function")) parameters_.push_back(0);
    if (parameters_.empty()) return false;
    if (word.is("(")) ++parameters_.back();
    if (!word.is(")") || --parameters_.back() > 0) return false;
    parameters_.pop_back();
    return true;
  }

  void append(const ScriptWord& word, const ScriptWord* before) {
    const bool first = line_.text.empty();
    if (first) {
      line_.indent = static_cast<int>(blocks_.size());
      line_.source_line = word.line;
    } else if (word.spaced) {
      line_.text += ' ';
      code_ += ' ';
    }
    const bool silent =
        word.is("end") || word.is("else") || word.is(";") || (first && (word.is("do") || word.is("repeat")));
    line_.is_code = line_.is_code || (word.kind != WordKind::comment && !silent);
    std::string_view text = word.text;
    for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
      line_.text += text.substr(0, end);  // of a text between long brackets
      code_ += text.substr(0, end);
      end_line();
      line_.source_line = word.line;
    }
    line_.text += text;
    code_ += word.is("break") && before && before->is("then") ? "do break end" : text;
  }

  int line_number() const { return static_cast<int>(layout_.lines.size()) + 1; }

  void break_line() {
    if (!line_.text.empty()) end_line();
  }

  void end_line() {
    line_.is_code = line_.is_code && line_.text != "while true do";
    layout_.code += code_ + '\n';
    layout_.lines.push_back(std::move(line_));
    line_ = {};
    code_.clear();
  }

  std::vector<ScriptWord> words_;
  std::vector<Block> blocks_;
  std::vector<int> conditions_;      // lines on which those begin that have no `then` yet
  std::vector<int> parameters_;      // of functions whose body has not begun: brackets that are open
  LaidOutLine line_;
  std::string code_;
  ScriptLayout layout_;
};

}  // namespace

ScriptLayout lay_out(std::string_view script) { return LayoutWriter(script).write(); }

}  // namespace lockstep::tools
