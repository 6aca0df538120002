#include "tools/history/edn.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lockstep::tools {

namespace {

class EdnReader {
 public:
  EdnReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  sim::Result<std::vector<Edn>> all() {
    std::vector<Edn> values;
    for (skip(); at_ < text_.size() && mistake_.empty(); skip())
      if (auto value = one(0)) values.push_back(*std::move(value));
    if (mistake_.empty()) return values;
    return sim::Problem{fmt::format("{}:{}: {}", file_, mistake_line_, mistake_)};
  }

 private:
  static constexpr int depth_max = 64;

  /// Blanks, commas and comments.
  void skip() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == ';')
        while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      else if (c == '\n') ++line_;
      else if (c != ' ' && c != '\t' && c != '\r' && c != ',') return;
    }
  }

  std::optional<Edn> wrong(std::string what) {
    if (mistake_.empty()) mistake_line_ = line_;
    if (mistake_.empty()) mistake_ = std::move(what);
    at_ = text_.size();
    return std::nullopt;
  }

  /// Nothing where the value was discarded.
  std::optional<Edn> one(int depth) {
    if (depth > depth_max) return wrong("this is nested too deeply");
    switch (text_[at_]) {
      case '{':
        return gathered(Edn::Kind::map, '}', depth);
      case '[':
        return gathered(Edn::Kind::sequence, ']', depth);
      case '(':
        return gathered(Edn::Kind::sequence, ')', depth);
      case '}':
      case ']':
      case ')':
        return wrong(fmt::format("a `{}` closes nothing", text_[at_]));
      case '"':
        return quoted();
      case '#':
        return tagged(depth);
      default:
        return word();
    }
  }

  std::optional<Edn> gathered(Edn::Kind kind, char close, int depth) {
    Edn value{.kind = kind, .line = line_};
    ++at_;
    for (skip(); at_ < text_.size() && text_[at_] != close; skip())
      if (auto item = one(depth + 1)) value.items.push_back(*std::move(item));
    if (at_ >= text_.size()) return wrong(fmt::format("a `{}` is missing", close));
    ++at_;
    if (kind == Edn::Kind::map && value.items.size() % 2 != 0)
      return wrong("a map has a key without a value");
    return value;
  }

  std::optional<Edn> quoted() {
    Edn value{.kind = Edn::Kind::text, .line = line_};
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        const char c = text_[++at_];
        value.text += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
      } else {
        value.text += text_[at_];
      }
    }
    if (at_ >= text_.size()) return wrong("a text does not end");
    ++at_;
    return value;
  }

  std::optional<Edn> tagged(int depth) {
    ++at_;
    if (at_ < text_.size() && text_[at_] == '{') return gathered(Edn::Kind::sequence, '}', depth);
    const bool discards = at_ < text_.size() && text_[at_] == '_';
    if (discards) ++at_;
    else word();
    skip();
    if (at_ >= text_.size()) return wrong("nothing follows a tag");
    auto value = one(depth + 1);
    if (discards) return std::nullopt;
    return value;
  }

  std::optional<Edn> word() {
    constexpr std::string_view ends = " \t\r\n,;{}[]()\"";
    const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    Edn value{.kind = Edn::Kind::word, .text = std::string(text_.substr(at_, end - at_)), .line = line_};
    at_ = end;
    if (value.text == "nil") value.kind = Edn::Kind::nil;
    if (!value.text.starts_with(':')) return value;
    value.kind = Edn::Kind::keyword;
    value.text.erase(0, 1);
    return value;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1, mistake_line_ = 0;
  std::string mistake_;
};

}  // namespace

const Edn* Edn::find(std::string_view name) const {
  if (kind != Kind::map) return nullptr;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    if (items[i].kind == Kind::keyword && items[i].text == name)
      return items[i + 1].kind == Kind::nil ? nullptr : &items[i + 1];
  return nullptr;
}

sim::Result<std::vector<Edn>> parse_edn(std::string_view text, const std::string& file) {
  return EdnReader(text, file).all();
}

}  // namespace lockstep::tools
