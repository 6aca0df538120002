// declarations.h: what a Java file declares: its types with their fields and methods, bodies left as tokens.
//
// Nothing is refused here: where a declaration is not understood, it is skipped, and whoever looks for
// something in the file finds that it was not reached. Types are never moved once they are read, because they
// point at their file and at the type around them.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/import/java/token.h"

namespace lockstep::tools::java {

struct File;
struct Type;

/// Tokens of a file, from `first` up to before `last`.
struct Range {
  std::uint32_t first = 0, last = 0;
  bool empty() const { return first >= last; }
};

struct Field {
  std::string_view name, type;
  Range value;          // empty: none is given here
  bool fixed = false;   // final
  bool hidden = false;  // private
};

struct Parameter {
  std::string_view type, name;
  bool rest = false;  // Object... params
};

struct Method {
  std::string_view name, returns;  // a constructor returns nothing, and has the name of its type
  std::vector<Parameter> parameters;
  std::optional<Range> body;
  bool fixed = false;  // static, private or final: no other can take its place
  std::uint32_t line = 0;
  const Type* owner = nullptr;
};

struct Type {
  std::string name;  // "RedissonLock.Entry" for one within another
  std::vector<std::string_view> bases;
  bool interface = false;
  bool abstract = false;
  const File* file = nullptr;
  const Type* outer = nullptr;
  std::deque<Field> fields;
  std::deque<Method> methods;  // initialiser blocks are methods without a name
  std::deque<Type> nested;
};

struct Import {
  std::string name;    // "org.redisson.RedissonLock"; "org.redisson.*"
  bool fixed = false;  // import static
};

struct File {
  std::string path;
  std::string text;
  std::vector<Token> tokens;
  std::vector<std::uint32_t> partner;  // of a bracket: where its other half is; of others: 0
  std::string package;
  std::vector<Import> imports;
  std::deque<Type> types;

  const Token& at(std::uint32_t token) const {
    return tokens[std::min<std::size_t>(token, tokens.size() - 1)];
  }
};

/// Reads a file; a problem is one sentence with its place.
sim::Result<std::unique_ptr<File>> read_file(std::string_view bytes, const std::string& path);

/// The members of a body between braces, as of a type without a name; for anonymous classes.
void read_members(const File& file, Range body, Type& into);

/// The tokens as one line, with blanks where the file has some.
std::string shown(const File& file, Range range);

/// Behind what stands in < >, if `at` is a <; `at` itself if that is no list of types.
std::uint32_t behind_type_arguments(const File& file, std::uint32_t at, std::uint32_t last);

}  // namespace lockstep::tools::java
