// mutation_score.h: which mistakes in scripts and clients scenarios notice, as plain data with three readers:
// text, Markdown and JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::tools {

/// `equivalent`: nothing tells it from the original within the bounds of `diff`, but for replies that clients
/// read as the same. `unknown`: a limit was
/// reached, and nobody caught it before.
enum class Fate { caught, equivalent, lives, unknown };
std::string_view name_of(Fate fate);

struct MutantFate {
  std::string place;  // "unlock.lua:7", or "client"
  std::string what;   // "'pexpire' dropped"
  Fate fate = Fate::lives;
  std::string by{}, scenario{};  // of caught: the property, or what else is not as expected
  std::uint64_t decisions = 0;   // until it is broken; 0: it is no run that shows it
  std::string why{};             // of the others: what tells it apart all the same, or which limit
};

struct MutatedScript {
  std::string role, file;  // of the client: "client" and nothing
  std::vector<MutantFate> mutants{};
  std::uint64_t count(Fate fate) const;
};

struct MutationScore {
  std::vector<std::string> scenarios;  // in the order in which each mutant met them
  std::string bounds;                  // of the comparison
  std::vector<MutatedScript> scripts;
  std::vector<std::string> notes;
  bool complete = true;  // not interrupted
  std::uint64_t count(Fate fate) const;
};

std::string mutation_text(const MutationScore& score, bool every);
std::string mutation_markdown(const MutationScore& score);
std::string mutation_json(const MutationScore& score);

}  // namespace lockstep::tools
