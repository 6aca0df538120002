#include "reports/diagrams/plantuml.h"

#include <fmt/format.h>

#include <string_view>

#include "reports/diagrams/state_text.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

/// Always a sign of its grammar or of its markup; those of `doubled` only where two stand together.
constexpr std::string_view meaningful = "\\<>~\"%&!@$#|[]{}*=^`";
constexpr std::string_view doubled = "/_-.";

std::string plantuml_escaped(const std::string& printable_text) {
  std::string out;
  for (std::size_t i = 0; i < printable_text.size(); ++i) {
    const char c = printable_text[i];
    const bool twice = doubled.find(c) != std::string_view::npos && i > 0 && printable_text[i - 1] == c;
    if (meaningful.find(c) != std::string_view::npos || twice)
      out += fmt::format("<U+{:04X}>", static_cast<unsigned>(c));
    else out += c;
  }
  return out;
}

class PlantumlSequence final : public SequenceLanguage {
 public:
  std::string opening() const override { return "@startuml\nhide footbox\n"; }
  std::string closing() const override { return "@enduml\n"; }
  std::string escaped(const std::string& text) const override { return plantuml_escaped(text); }
  std::string participant(const std::string& alias, const std::string& text) const override {
    return fmt::format("participant \"{}\" as {}\n", text, alias);
  }
  std::string message(const std::string& from, Arrow arrow, const std::string& to,
                      const std::string& text) const override {
    return fmt::format("{} {} {} : {}\n", from, sign(arrow), to, text);
  }
  std::string note(const std::string& first, const std::string& last,
                   const std::string& text) const override {
    return fmt::format("hnote over {} : {}\n", over(first, last), text);
  }
  std::string violation(const std::string& first, const std::string& last,
                        const std::string& text) const override {
    return fmt::format("hnote over {} #F6C9C4 : {}\n", over(first, last), text);
  }

 private:
  static const char* sign(Arrow arrow) {
    switch (arrow) {
      case Arrow::request:
        return "->";
      case Arrow::answer:
        return "-->";
      case Arrow::push:
        return "->>";
      case Arrow::copied:
        return "-->>";
      case Arrow::lost:
        return "-[#B3261E]x";
    }
    return "->";
  }
  static std::string over(const std::string& first, const std::string& last) {
    return first == last ? first : first + ", " + last;
  }
};

class PlantumlStates final : public StateLanguage {
 public:
  std::string opening(const std::vector<std::string>& title) const override {
    std::string out = "@startuml\nleft to right direction\n";
    for (const std::string& line : title)
      if (!line.empty()) out += fmt::format("' {}\n", line);
    return out;
  }
  std::string closing() const override { return "@enduml\n"; }
  std::string node(const std::string& alias, const StateNode& node, const std::string& text) const override {
    const char* colour = node.violating ? " #F6C9C4" : node.on_path ? " #FFF1C2" : "";
    std::string out = fmt::format("state \"{}\" as {}{}\n", text, alias, colour);
    if (node.initial) out += fmt::format("[*] --> {}\n", alias);
    return out;
  }
  std::string edge(const std::string& from, const std::string& to, const StateEdge& edge,
                   const std::string& text) const override {
    return fmt::format("{} {} {}{}\n", from, edge.on_path ? "-[#B3261E,bold]->" : "-->", to,
                       text.empty() ? "" : " : " + text);
  }
  std::string classes() const override { return ""; }
  std::string escaped(const std::string& text) const override { return plantuml_escaped(text); }
  std::string line_break() const override { return "\\n"; }
};

}  // namespace

std::string plantuml_text(const std::string& text) { return plantuml_escaped(printable(text)); }

std::string plantuml(const sim::Trace& trace, const SequenceTextOptions& options) {
  return sequence_text(trace, options, PlantumlSequence());
}

std::string plantuml(const StateGraph& graph, const StateGraphOptions& options) {
  return state_graph_text(graph, options, PlantumlStates());
}

}  // namespace lockstep::reports
