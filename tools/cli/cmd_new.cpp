#include "tools/cli/cmd_new.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "reports/text/text.h"
#include "scenarios/format/json_text.h"
#include "scenarios/format/print_json.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/manual/taken_over.h"

namespace lockstep::tools {

namespace {

/// One question; an empty answer, or the end of the input, keeps what is there.
void ask(Session& session, std::string_view question, std::string& answer) {
  session.console.err << fmt::format("{}{}: ", question, answer.empty() ? "" : " [" + answer + "]")
                      << std::flush;
  std::string line;
  if (!std::getline(std::cin, line)) session.console.err << '\n';
  const auto from = line.find_first_not_of(" \t\r");
  if (from == line.npos) return;
  answer = line.substr(from, line.find_last_not_of(" \t\r") - from + 1);
}

void ask_for(ScenarioWishes& wishes, Session& session) {
  ask(session, "Kind of lock (lockstep list kinds)", wishes.kind);
  ask(session, "How many clients", wishes.clients);
  ask(session, "How long each works inside the lock", wishes.work);
  ask(session, "Lease, such as 10s (none: the watchdog renews)", wishes.lease);
  ask(session, "Wait of tryLock, such as 5s (none: lock())", wishes.wait);
  ask(session, "Scripts and client, such as redisson@3.22.0", wishes.scripts);
  std::string faults;
  ask(session, "Faults, one of each, between blanks (lockstep list faults)", faults);
  for (std::size_t from = 0; (from = faults.find_first_not_of(" ,", from)) != faults.npos;) {
    const std::size_t to = std::min(faults.find_first_of(" ,", from), faults.size());
    wishes.faults.push_back(faults.substr(from, to - from));
    from = to;
  }
}

/// What the reader of scenarios says of it, where it is to stand.
std::optional<sim::Problem> wrong_in(const std::string& text, const std::string& file) {
  const auto library = script_library();
  if (!library) return library.problem();
  const auto setup = scenarios::read_scenario(text, file, beside(*library, file), vocabulary());
  if (!setup) return setup.problem();
  return std::nullopt;
}

/// `lockstep new scheme`: one with a kind of lock of its own.
NewOptions with_scheme(NewOptions options) {
  if (options.file != "scheme") return options;
  options.file = "scheme.toml";
  options.wishes.scheme = true;
  if (options.wishes.kind == ScenarioWishes{}.kind) options.wishes.kind = "mine";
  return options;
}

sim::Result<std::string> text_for(const NewOptions& options, const ScenarioWishes& wishes) {
  if (options.from.empty()) return first_scenario(wishes);
  if (const auto setup = load_scenario(options.from, {}); !setup) return setup.problem();
  const auto text = scenario_text(options.from);
  if (text && options.file.ends_with(".json") && !scenarios::looks_like_json({*text, ""})) {
    model::Setup setup = *load_scenario(options.from, {});
    setup.name = wishes.name;
    return scenarios::normalised_json(setup);
  }
  if (!text)
    return sim::Problem{fmt::format("--from {}: one of a matrix has no text of its own; name the scenario "
                                    "without what stands in brackets",
                                    reports::printable(options.from))};
  return taken_over(*text, wishes.name);
}

ExitCode run_new(const NewOptions& asked, Session& session) {
  namespace fs = std::filesystem;
  const NewOptions options = with_scheme(asked);
  ScenarioWishes wishes = options.wishes;
  const bool to_stream = options.file == "-";
  wishes.name = to_stream ? "new" : reports::printable(fs::path(options.file).stem().string());
  std::error_code ignored;
  if (!to_stream && !options.force && fs::exists(options.file, ignored))
    return complain(session, sim::Problem{fmt::format("there is a file {} already; --force writes over it",
                                                      reports::printable(options.file))});
  if (options.ask && session.global.no_input)
    return complain(session, sim::Problem{"--ask asks, and --no-input says that nobody answers"});
  if (options.ask) ask_for(wishes, session);
  const auto text = text_for(options, wishes);
  if (!text) return complain(session, text.problem());
  if (const auto problem = wrong_in(*text, to_stream ? "new.toml" : options.file))
    return complain(session, *problem);
  if (const auto problem = deliver(options.file, *text, session.console.out))
    return complain(session, *problem);
  if (!to_stream && !session.console.quiet)
    session.console.out << fmt::format("written: {0}\ncheck:   lockstep check {0}\n",
                                       reports::shell_word(options.file));
  return ExitCode::as_expected;
}

void declare_new(Grammar& grammar, NewOptions& o) {
  grammar.word("FILE", o.file,
               "the scenario to write (-: standard output; scheme: scheme.toml, with a scheme of its own)");
  grammar.text("--from", o.from, "SCENARIO",
               "begin with the text of this one, under the name of the file, instead of all below");
  grammar.text("--lock", o.wishes.kind, "KIND", "kind of lock (plain): lockstep list kinds");
  grammar.text("--clients", o.wishes.clients, "N",
               "how many processes want it (2); of a read/write lock, readers");
  grammar.text("--work", o.wishes.work, "D", "how long each works inside it (1s)");
  grammar.text("--lease", o.wishes.lease, "D", "for how long it is taken (the watchdog renews)");
  grammar.text("--wait", o.wishes.wait, "D", "for how long tryLock waits (lock())");
  grammar.text("--set", o.wishes.scripts, "SET",
               "scripts and client (redisson@3.10.5): lockstep list scripts");
  grammar.repeated("--fault", o.wishes.faults, "FAULT", "a fault that may happen once; may be repeated");
  grammar.flag("--ask", o.ask, "ask for each of these");
  grammar.flag("--force", o.force, "write over a file that is there");
}

std::string complaint_of_new(const NewOptions& o) {
  if (!o.from.empty() && (o.file == "scheme" || o.ask || !(o.wishes == ScenarioWishes{})))
    return "--from takes a scenario as it is; it goes with no other wish";
  return o.ask && o.file == "-" ? "--ask wants a FILE to write" : "";
}

}  // namespace

Verb new_verb() {
  return {.name = "new",
          .summary = "write a scenario to begin with",
          .usage = "FILE",
          .examples = {"lockstep new mine.toml --lock fair --clients 3",
                       "lockstep new scheme", "lockstep new again.toml --from plain/reentrant",
                       "lockstep new - --fault crash-process --lease 10s"},
          .required = {"FILE"},
          .request = requests<NewOptions>({declare_new, run_new, complaint_of_new})};
}

}  // namespace lockstep::tools
