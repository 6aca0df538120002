#include "reports/diagrams/mermaid.h"

#include <fmt/format.h>

#include "reports/diagrams/state_text.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

std::string mermaid_escaped(const std::string& printable_text) {
  std::string out;
  for (const char c : printable_text) {
    if (c == '#' || c == ';' || c == '%' || c == '"' || c == '<' || c == '>' || c == '&') {
      out += fmt::format("#{};", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out;
}

class MermaidSequence final : public SequenceLanguage {
 public:
  std::string opening() const override { return "sequenceDiagram\n"; }
  std::string closing() const override { return ""; }
  std::string escaped(const std::string& text) const override { return mermaid_escaped(text); }
  std::string participant(const std::string& alias, const std::string& text) const override {
    return fmt::format("  participant {} as {}\n", alias, text);
  }
  std::string message(const std::string& from, Arrow arrow, const std::string& to,
                      const std::string& text) const override {
    return fmt::format("  {}{}{}: {}\n", from, sign(arrow), to, text);
  }
  std::string note(const std::string& first, const std::string& last,
                   const std::string& text) const override {
    return fmt::format("  Note over {}: {}\n", over(first, last), text);
  }
  std::string violation(const std::string& first, const std::string& last,
                        const std::string& text) const override {
    return fmt::format("  rect rgb(246, 201, 196)\n    Note over {}: {}\n  end\n", over(first, last), text);
  }

 private:
  static const char* sign(Arrow arrow) {
    switch (arrow) {
      case Arrow::request:
        return "->>";
      case Arrow::answer:
        return "-->>";
      case Arrow::push:
        return "-)";
      case Arrow::copied:
        return "--)";
      case Arrow::lost:
        return "-x";
    }
    return "->>";
  }
  static std::string over(const std::string& first, const std::string& last) {
    return first == last ? first : first + "," + last;
  }
};

class MermaidStates final : public StateLanguage {
 public:
  std::string opening(const std::vector<std::string>& title) const override {
    std::string out = "stateDiagram-v2\n  direction LR\n";
    for (const std::string& line : title) out += fmt::format("  %% {}\n", mermaid_escaped(line));
    return out;
  }
  std::string closing() const override { return ""; }
  std::string node(const std::string& alias, const StateNode& node, const std::string& text) const override {
    std::string out = fmt::format("  state \"{}\" as {}\n", text, alias);
    if (node.initial) out += fmt::format("  [*] --> {}\n", alias);
    if (node.violating) out += fmt::format("  class {} violating\n", alias);
    else if (node.on_path) out += fmt::format("  class {} path\n", alias);
    return out;
  }
  std::string edge(const std::string& from, const std::string& to, const StateEdge& edge,
                   const std::string& text) const override {
    return fmt::format("  {} --> {}{}\n", from, to,
                       text.empty() ? "" : (edge.on_path ? ": ▶ " : ": ") + text);
  }
  std::string classes() const override {
    return "  classDef violating fill:#f6c9c4,stroke:#b3261e\n  classDef path stroke:#b3261e\n";
  }
  std::string escaped(const std::string& text) const override { return mermaid_escaped(text); }
  std::string line_break() const override { return " · "; }
};

}  // namespace

std::string mermaid_text(const std::string& text) { return mermaid_escaped(printable(text)); }

std::string mermaid(const sim::Trace& trace, const SequenceTextOptions& options) {
  return sequence_text(trace, options, MermaidSequence());
}

std::string mermaid(const StateGraph& graph, const StateGraphOptions& options) {
  return state_graph_text(graph, options, MermaidStates());
}

}  // namespace lockstep::reports
