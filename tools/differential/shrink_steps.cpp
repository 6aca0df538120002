#include "tools/differential/shrink_steps.h"

#include <cctype>

namespace lockstep::differential {

namespace {

/// Between quotes, in C++; what is not printable as octal, which ends after three digits.
std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') quoted += "\\n";
    else if (c == '"' || c == '\\') quoted += {'\\', c};
    else if (std::isprint(byte)) quoted += c;
    else
      for (const int digit : {byte / 64, byte / 8 % 8, byte % 8})
        quoted += digit == byte / 64 ? std::string{'\\', static_cast<char>('0' + digit)}
                                     : std::string{static_cast<char>('0' + digit)};
  }
  return quoted + '"';
}

std::string executed(const model::Command& command) {
  std::string text = "client.execute({";
  for (std::size_t i = 0; i < command.size(); ++i) {
    text += i > 0 ? ", " : "";
    text += in_quotes(command[i]);
  }
  return text + "})";
}

/// Takes out the time before each command if the difference stays.
void keep_time_that_matters(BothSides& sides, Steps& steps, Difference& difference) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].passes == sim::Duration::zero()) continue;
    Steps quicker = steps;
    quicker[i].passes = sim::Duration::zero();
    if (auto still = sides.run(quicker)) {
      steps = std::move(quicker);
      difference = std::move(*still);
    }
  }
}

}  // namespace

Shrunk shrink(BothSides& sides, Steps steps, Difference difference) {
  if (difference.step < steps.size()) steps.resize(difference.step);
  for (std::size_t piece = std::max<std::size_t>(steps.size() / 2, 1);; piece /= 2) {
    for (std::size_t from = 0; from < steps.size();) {
      const auto first = steps.begin() + static_cast<std::ptrdiff_t>(from);
      const auto last = steps.begin() + static_cast<std::ptrdiff_t>(std::min(from + piece, steps.size()));
      Steps fewer(steps.begin(), first);
      fewer.insert(fewer.end(), last, steps.end());
      if (auto still = sides.run(fewer)) {
        steps = std::move(fewer);
        difference = std::move(*still);
      } else {
        from += piece;
      }
    }
    if (piece <= 1) break;
  }
  keep_time_that_matters(sides, steps, difference);
  return {std::move(steps), std::move(difference)};
}

std::string as_test(const Shrunk& shrunk) {
  const Difference& difference = shrunk.difference;
  std::string text =
      "TEST(Differential, NameWhatIsDifferent) {\n"
      "  TestClient client(Role::master, Expiry::lazy);\n";
  const bool last_differs =
      difference.in == "reply" && !shrunk.steps.empty() && shrunk.steps.back().command == difference.command;
  for (std::size_t i = 0; i < shrunk.steps.size(); ++i) {
    const Step& step = shrunk.steps[i];
    if (step.passes.count() != 0) text += "  client.pass(" + std::to_string(step.passes.count()) + ");\n";
    const bool compared = last_differs && i + 1 == shrunk.steps.size();
    if (!step.command.empty() && !compared) text += "  " + executed(step.command) + ";\n";
  }
  if (difference.in == "reply") {
    text += "  EXPECT_EQ(render(" + executed(difference.command) + ".reply),\n            " +
            in_quotes(difference.real) + ");\n";
  }
  return text + "}\n" + difference.in + " of the model: " + difference.model + "\n" + difference.in +
         " of the server: " + difference.real + "\n";
}

}  // namespace lockstep::differential
