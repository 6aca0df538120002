// tidy.h: the house rules that a program can check. Run as a unit test over the whole repository.
//
// Each finding names the place and what to do: "model/world.cpp:41: std::unordered_map is banned here, use
// std::map or a sorted vector (iteration order is observable)". A rule looks at text only and is pragmatic:
// it knows enough C++ to skip comments and strings and to match braces, not more. What a rule gets wrong, or
// what deserves an exception, stands in excuses.cpp with a reason; an excuse that nothing needs is itself a
// finding.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::tidy {

struct SourceFile {
  std::string path;  // from the top of the repository, with slashes
  std::string text;
};

/// Sorted by path.
using Tree = std::vector<SourceFile>;

enum class Rule {
  layers,
  words,
  line_length,
  function_length,
  file_length,
  header,
  spaces,
  notes,
  listed,
  paths,
  links
};

struct Finding {
  std::string path;
  int line = 0;  // 0: the file as a whole
  std::string message;
  Rule rule = Rule::words;
};

/// "path:line: message", or "path: message".
std::string show(const Finding& finding);

struct Excuse {
  std::string_view path;  // the exact path, or a folder if it ends in '/'
  Rule rule;
  std::string_view reason;
};

/// The exceptions of this repository.
std::span<const Excuse> excuses();

/// All findings that no excuse covers, and the excuses that cover none. Sorted by place.
std::vector<Finding> check(const Tree& tree, std::span<const Excuse> excused);

/// Reads the repository, without build directories and what git does not keep.
Tree read_tree(const std::string& top);

// The rules. Those with a Tree need to see all files.
void check_layers(const SourceFile& file, std::vector<Finding>& findings);
void check_words(const SourceFile& file, std::vector<Finding>& findings);
void check_shape(const SourceFile& file, std::vector<Finding>& findings);
void check_listed(const Tree& tree, std::vector<Finding>& findings);
void check_links(const Tree& tree, std::vector<Finding>& findings);

// Text, as the rules see it.
bool is_source(std::string_view path);  // .h, .cpp
bool is_test(std::string_view path);    // x_test.cpp, x_prop.cpp, x_bench.cpp, test_x.h, test_x.cpp
bool ends_with(std::string_view text, std::string_view end);
bool begins_with(std::string_view text, std::string_view begin);
std::vector<std::string_view> lines_of(std::string_view text);

/// The text with comments, strings and characters blanked out; lines keep their numbers.
std::string code_of(std::string_view text);
/// The text with every string and character replaced by dots: blanks in them are data.
std::string without_strings(std::string_view text);
/// Whether `word` stands at `at` and no letter, digit or underscore touches it.
bool is_word_at(std::string_view text, std::size_t at, std::string_view word);

}  // namespace lockstep::tidy
