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

std::string executed(const model::Command& command, model::ConnectionId from = {}) {
  std::string text = "client.execute({";
  for (std::size_t i = 0; i < command.size(); ++i) {
    text += i > 0 ? ", " : "";
    text += in_quotes(command[i]);
  }
  const std::string client =
      from == model::ConnectionId{} ? "" : ", ConnectionId{" + std::to_string(from.value) + "}";
  return text + "}" + client + ")";
}

/// Runs the steps. Another difference than the one in question does not count: without the steps left out,
/// something may be asked for that no server promises.
std::optional<Difference> still_differs(BothSides& sides, const Steps& steps, const Difference& difference) {
  auto found = sides.run(steps);
  const bool same = found && found->in == difference.in && found->command == difference.command;
  return same ? found : std::nullopt;
}

/// Takes out the time before each command if the difference stays.
void keep_time_that_matters(BothSides& sides, Steps& steps, Difference& difference) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].passes == sim::Duration::zero()) continue;
    Steps quicker = steps;
    quicker[i].passes = sim::Duration::zero();
    if (auto still = still_differs(sides, quicker, difference)) {
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
      if (auto still = still_differs(sides, fewer, difference)) {
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
  const model::ConnectionId from = last_differs ? shrunk.steps.back().from : model::ConnectionId{};
  for (std::size_t i = 0; i < shrunk.steps.size(); ++i) {
    const Step& step = shrunk.steps[i];
    if (step.passes.count() != 0) text += "  client.pass(" + std::to_string(step.passes.count()) + ");\n";
    const bool compared = last_differs && i + 1 == shrunk.steps.size();
    if (!step.command.empty() && !compared) text += "  " + executed(step.command, step.from) + ";\n";
  }
  if (difference.in == "reply") {
    text += "  EXPECT_EQ(render(" + executed(difference.command, from) + ".reply),\n            " +
            in_quotes(difference.real) + ");\n";
  }
  return text + "}\n" + difference.in + " of the model: " + difference.model + "\n" + difference.in +
         " of the server: " + difference.real + "\n";
}

}  // namespace lockstep::differential
