#include "tools/import/java/declarations.h"

#include <algorithm>
#include <array>

namespace lockstep::tools::java {

namespace {

constexpr std::array<std::string_view, 13> modifiers{
    "public",       "protected", "private",  "static",   "final",   "abstract", "native",
    "synchronized", "transient", "volatile", "strictfp", "default", "sealed"};

bool is_name(const Token& token) { return token.kind == Token::Kind::name; }

/// Reads the members of one body.
class Members {
 public:
  Members(const File& file, Range body, Type& type)
      : file_(file), at_(body.first), last_(body.last), type_(type) {}

  void read() {
    while (at_ < last_) {
      const std::uint32_t before = at_;
      member();
      if (at_ == before) ++at_;
    }
  }

  void skip_constants() {
    while (at_ < last_ && !token().is(";")) at_ = behind(at_);
  }

 private:
  struct Head {
    bool fixed = false, hidden = false, belongs_to_type = false, abstract = false;
  };

  const Token& token(std::uint32_t ahead = 0) const { return file_.at(std::min(at_ + ahead, last_)); }
  std::uint32_t behind(std::uint32_t at) const {
    return file_.partner[at] > at ? file_.partner[at] + 1 : at + 1;
  }

  Head head() {
    Head head;
    while (at_ < last_) {
      if (token().is("@") && !token(1).is("interface")) {
        at_ += 2;
        while (token().is(".")) at_ += 2;
        if (token().is("(")) at_ = behind(at_);
      } else if (std::find(modifiers.begin(), modifiers.end(), token().text) != modifiers.end() &&
                 is_name(token())) {
        head.fixed |= token().is("final");
        head.hidden |= token().is("private");
        head.belongs_to_type |= token().is("static");
        head.abstract |= token().is("abstract");
        ++at_;
      } else if (token().is("<")) {
        const std::uint32_t end = behind_type_arguments(file_, at_, last_);
        at_ = end == at_ ? at_ + 1 : end;
      } else {
        break;
      }
    }
    return head;
  }

  void member() {
    const Head modifiers_of = head();
    if (at_ >= last_) return;
    if (token().is("@")) ++at_;
    const bool type = token().is("class") || token().is("interface") || token().is("enum") ||
                      (token().is("record") && is_name(token(1)) && !token(2).is("=") && !token(2).is(";"));
    if (type && is_name(token(1))) return inner_type(modifiers_of);
    if (token().is("{")) {
      type_.methods.push_back({.name = {},
                               .returns = {},
                               .parameters = {},
                               .body = Range{at_ + 1, file_.partner[at_]},
                               .fixed = true,
                               .line = token().line,
                               .owner = &type_});
      at_ = behind(at_);
      return;
    }
    method_or_fields(modifiers_of);
  }

  void inner_type(const Head& modifiers_of) {
    const bool constants = token().is("enum");
    Type& inner = type_.nested.emplace_back();
    inner.interface = token().is("interface");
    inner.abstract = modifiers_of.abstract || inner.interface;
    inner.name = (type_.name.empty() ? "" : type_.name + ".") + std::string(token(1).text);
    inner.file = &file_;
    inner.outer = type_.name.empty() ? nullptr : &type_;
    at_ += 2;
    while (at_ < last_ && !token().is("{")) {
      const bool bases = token().is("extends") || token().is("implements");
      const std::uint32_t end = behind_type_arguments(file_, at_, last_);
      if (end != at_) at_ = end;
      else if (token().is("(")) at_ = behind(at_);
      else ++at_;
      if (bases) read_bases(inner);
    }
    if (at_ >= last_) return;
    Members body(file_, {at_ + 1, file_.partner[at_]}, inner);
    if (constants) body.skip_constants();
    body.read();
    at_ = behind(at_);
  }

  void read_bases(Type& inner) {
    while (at_ < last_ && is_name(token()) && !token().is("implements") && !token().is("permits")) {
      while (token(1).is(".") && is_name(token(2))) at_ += 2;
      inner.bases.push_back(token().text);
      ++at_;
      at_ = behind_type_arguments(file_, at_, last_);
      if (token().is(",")) ++at_;
    }
  }

  /// A member's type and name, up to what follows the name.
  void method_or_fields(const Head& modifiers_of) {
    const std::uint32_t begin = at_;
    while (at_ < last_ && (is_name(token()) || token().is(".") || token().is("[") || token().is("]") ||
                           token().is("@") || token().is("<"))) {
      const std::uint32_t end = behind_type_arguments(file_, at_, last_);
      at_ = end != at_ ? end : at_ + 1;
    }
    std::uint32_t name = at_;
    while (name > begin && !is_name(file_.at(name - 1))) --name;
    if (name == begin) {
      at_ = at_ < last_ ? behind(at_) : at_;
      return;
    }
    --name;
    const std::string_view type = name > begin ? file_.at(begin).text : std::string_view{};
    if (token().is("(")) return method(modifiers_of, file_.at(name), type);
    fields(modifiers_of, file_.at(name).text, type);
  }

  void method(const Head& modifiers_of, const Token& name, std::string_view returns) {
    Method& method = type_.methods.emplace_back();
    method.name = name.text;
    method.returns = returns;
    method.line = name.line;
    method.owner = &type_;
    method.fixed = modifiers_of.fixed || modifiers_of.hidden || modifiers_of.belongs_to_type;
    parameters(Range{at_ + 1, file_.partner[at_]}, method);
    at_ = behind(at_);
    while (at_ < last_ && !token().is("{") && !token().is(";")) ++at_;
    if (token().is("{") && at_ < last_) {
      method.body = Range{at_ + 1, file_.partner[at_]};
      at_ = behind(at_);
    }
  }

  void parameters(Range range, Method& method) {
    for (std::uint32_t at = range.first; at < range.last;) {
      std::uint32_t end = at;
      std::uint32_t name = 0, type = 0;
      bool rest = false;
      while (end < range.last && !file_.at(end).is(",")) {
        const Token& token = file_.at(end);
        if (is_name(token) && !token.is("final") && !(end > at && file_.at(end - 1).is("@"))) {
          if (type == 0) type = end;
          name = end;
        }
        rest |= token.is("...");
        const std::uint32_t behind_types = behind_type_arguments(file_, end, range.last);
        end = behind_types != end ? behind_types : behind(end);
      }
      if (name != 0) method.parameters.push_back({file_.at(type).text, file_.at(name).text, rest});
      at = end + 1;
    }
  }

  /// Whether the comma at `at` parts two fields of one declaration, not two types in < >.
  bool parts_fields(std::uint32_t at) const {
    return file_.at(at).is(",") && is_name(file_.at(at + 1)) &&
           (file_.at(at + 2).is("=") || file_.at(at + 2).is(";") || file_.at(at + 2).is(","));
  }

  void fields(const Head& modifiers_of, std::string_view name, std::string_view type) {
    while (at_ < last_) {
      Field field{name, type, {}, modifiers_of.fixed || type_.interface, modifiers_of.hidden};
      if (token().is("=")) field.value.first = ++at_;
      while (at_ < last_ && !token().is(";") && !parts_fields(at_)) at_ = behind(at_);
      if (field.value.first != 0) field.value.last = std::min(at_, last_);
      type_.fields.push_back(field);
      if (at_ >= last_ || !token().is(",")) break;
      name = token(1).text;
      at_ += 2;
    }
    ++at_;
  }

  const File& file_;
  std::uint32_t at_, last_;
  Type& type_;
};

std::vector<std::uint32_t> partners(const std::vector<Token>& tokens) {
  std::vector<std::uint32_t> partner(tokens.size());
  std::vector<std::uint32_t> open;
  for (std::uint32_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != Token::Kind::symbol || tokens[at].text.size() != 1) continue;
    const char c = tokens[at].text.front();
    if (c == '(' || c == '[' || c == '{') open.push_back(at);
    if (c != ')' && c != ']' && c != '}') continue;
    partner[at] = open.back();
    partner[open.back()] = at;
    open.pop_back();
  }
  return partner;
}

/// `package` and `import`; returns where the types begin.
std::uint32_t read_front(File& file) {
  std::uint32_t at = 0;
  const auto last = static_cast<std::uint32_t>(file.tokens.size() - 1);
  while (at < last) {
    const std::uint32_t begin = at;
    while (file.at(at).is("@") && is_name(file.at(at + 1)) && !file.at(at + 1).is("interface")) {
      at += 2;
      while (file.at(at).is(".")) at += 2;
      if (file.at(at).is("(")) at = file.partner[at] + 1;
    }
    const bool package = file.at(at).is("package");
    if (!package && !file.at(at).is("import") && !file.at(at).is(";")) return begin;
    Import import;
    for (; at < last && !file.at(at).is(";"); ++at) {
      if (file.at(at).is("static")) import.fixed = true;
      else if (!file.at(at).is("package") && !file.at(at).is("import")) import.name += file.at(at).text;
    }
    ++at;
    if (package) file.package = import.name;
    else if (!import.name.empty()) file.imports.push_back(import);
  }
  return at;
}

}  // namespace

std::uint32_t behind_type_arguments(const File& file, std::uint32_t at, std::uint32_t last) {
  if (!file.at(at).is("<")) return at;
  int depth = 0;
  for (std::uint32_t end = at; end < last; ++end) {
    const Token& token = file.at(end);
    if (token.is("<")) ++depth;
    else if (token.is(">") && --depth == 0) return end + 1;
    else if (!token.is(">") && !is_name(token) && !token.is(".") && !token.is(",") && !token.is("?") &&
             !token.is("&") && !token.is("[") && !token.is("]") && !token.is("@"))
      return at;
  }
  return at;
}

std::string shown(const File& file, Range range) {
  std::string text;
  for (std::uint32_t at = range.first; at < range.last; ++at) {
    if (!text.empty() && file.at(at).apart) text += ' ';
    text += file.at(at).text;
  }
  return text;
}

void read_members(const File& file, Range body, Type& into) { Members(file, body, into).read(); }

sim::Result<std::unique_ptr<File>> read_file(std::string_view bytes, const std::string& path) {
  auto text = without_unicode_escapes(bytes, path);
  if (!text) return text.problem();
  auto file = std::make_unique<File>();
  file->path = path;
  file->text = *std::move(text);
  auto tokens = tokens_of(file->text, path);
  if (!tokens) return tokens.problem();
  file->tokens = *std::move(tokens);
  file->partner = partners(file->tokens);
  Type top;  // holds the types of the file; they have no type around them
  const std::uint32_t begin = read_front(*file);
  read_members(*file, {begin, static_cast<std::uint32_t>(file->tokens.size() - 1)}, top);
  file->types = std::move(top.nested);
  return file;
}

}  // namespace lockstep::tools::java
